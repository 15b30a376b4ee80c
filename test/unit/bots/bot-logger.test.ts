import { test as law, fc } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { createBotLogger, type LogLevel } from '../../../src/bots/bot-logger.js';
import { prettyLine } from '../../../src/cli/live/pretty-line.js';
import { Secret } from '../../../src/client/index.js';
import type { BotLog } from '../../../src/live/index.js';
import { RUN_START } from '../../support/run-records.js';
import { LOG_DECISIONS } from '../../support/live/log-decisions.js';

const EVENT_TIME = Date.UTC(2025, 5, 1, 12);
const NOW = Date.UTC(2025, 5, 1, 12, 0, 0, 123);

function aLogger(
  options: { level?: LogLevel; mode?: 'live' | 'dry-run'; secrets?: readonly Secret[] } = {},
): {
  readonly log: BotLog;
  readonly lines: string[];
  readonly entries: () => readonly Record<string, unknown>[];
} {
  const lines: string[] = [];
  const log = createBotLogger({
    bot: 'sma-btc',
    mode: options.mode ?? 'live',
    level: options.level ?? 'info',
    clock: { now: () => NOW },
    secrets: options.secrets ?? [],
    write: (line) => void lines.push(line),
  });
  return {
    log,
    lines,
    entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('createBotLogger', () => {
  it('writes one line of JSON per decision, with its text', () => {
    const { log, lines, entries } = aLogger();

    for (const [, decision] of LOG_DECISIONS) log.decision(decision);

    expect(entries().map(({ msg }) => msg)).toEqual(LOG_DECISIONS.map(([text]) => text));
    for (const line of lines) expect(line.indexOf('\n')).toBe(line.length - 1);
    for (const entry of entries()) {
      const isWarned = entry['cause'] !== undefined || entry['status'] === 'rejected';
      const level = isWarned ? 'warn' : 'info';
      expect(entry).toMatchObject({ level, time: NOW, bot: 'sma-btc', mode: 'live' });
      expect(entry['eventTime']).toBe(EVENT_TIME);
    }
  });

  it('marks orders and cancels of a dry run as not sent', () => {
    const { log, lines } = aLogger({ mode: 'dry-run' });

    for (const [, decision] of LOG_DECISIONS)
      if (decision.kind === 'submit' || decision.kind === 'cancel') log.decision(decision);

    expect(lines.map((line) => prettyLine(line, { color: false }))).toEqual([
      expect.stringMatching(/^12:00:00\.123 sma-btc dry run submit +would send (buy|sell) /),
      expect.stringMatching(/^12:00:00\.123 sma-btc dry run cancel +would cancel /),
    ]);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ mode: 'dry-run' });
  });

  it('writes amounts as decimal text, and ids and checks as fields', () => {
    const { log, entries } = aLogger();

    for (const [, decision] of LOG_DECISIONS) log.decision(decision);

    const [approved, refused, , submit, cancel, , rejected, fill] = entries();
    expect(approved).toMatchObject({
      kind: 'verdict',
      verdict: 'approved',
      instrumentId: 'spot:BTCUSDT',
      intentId: 1,
      clientOrderIds: ['order-1'],
      intent: { kind: 'enter', size: { equity: '0.95' } },
    });
    expect(refused).toMatchObject({ refusal: { check: 'max-order-notional', actual: '9500' } });
    expect(submit).toMatchObject({ clientOrderId: 'order-1', quantity: '0.25', type: 'market' });
    expect(cancel).toMatchObject({ kind: 'cancel', clientOrderId: 'order-1' });
    expect(rejected).toMatchObject({ status: 'rejected', reason: { code: '-1013' } });
    expect(fill).toMatchObject({
      price: '60000',
      quantity: '0.5',
      fee: '30',
      venueTime: RUN_START + 1_000,
    });
  });

  it('logs a degraded state as a warning with its reasons, and a pause as information', () => {
    const { log, entries } = aLogger();
    const change = { time: 1, from: 'running', reasons: ['depth is stale', 'clock'] } as const;

    log.stateChanged({ ...change, to: 'degraded' });
    log.stateChanged({ ...change, to: 'paused', reasons: [] });

    expect(entries()).toMatchObject([
      { level: 'warn', msg: 'degraded: depth is stale; clock', from: 'running', to: 'degraded' },
      { level: 'info', msg: 'paused', kind: 'state', eventTime: 1 },
    ]);
  });

  it('writes a heartbeat with the age of the last event and of each stream', () => {
    const { log, entries } = aLogger();

    log.heartbeat({
      time: 1,
      state: 'running',
      reasons: [],
      lastEventAgeMs: 900,
      loopLagMs: 3,
      streams: [
        { name: 'a', state: 'live', ageMs: 10 },
        { name: 'b', state: 'down', ageMs: undefined },
      ],
      events: 5,
      commands: 1,
      equity: undefined,
      workingOrders: 0,
    });

    expect(entries()).toMatchObject([
      {
        kind: 'heartbeat',
        msg: 'running, 1 of 2 streams live',
        loopLagMs: 3,
        lastEventAgeMs: 900,
        streams: [{ name: 'a', ageMs: 10 }, { name: 'b' }],
      },
    ]);
  });

  it('writes lines of the strategy with the time of the engine', () => {
    const { log, entries } = aLogger({ level: 'debug' });
    const strategy = log.strategy(() => 77);

    strategy.debug('looks', { fast: 1.5, msg: 'mine' });
    strategy.warn('odd');

    expect(entries()).toMatchObject([
      {
        level: 'debug',
        kind: 'strategy',
        eventTime: 77,
        msg: 'looks',
        fields: { fast: 1.5, msg: 'mine' },
      },
      { level: 'warn', msg: 'odd' },
    ]);
  });

  it('leaves out lines below its level', () => {
    const { log, entries } = aLogger({ level: 'warn' });
    const strategy = log.strategy(() => 1);

    strategy.info('chatter');
    log.warning({ time: 1, code: 'E_TIMEOUT', text: 'no answer', fields: { attempt: 2 } });

    expect(entries()).toMatchObject([
      { kind: 'warning', code: 'E_TIMEOUT', msg: 'no answer', fields: { attempt: 2 } },
    ]);
  });

  it('accepts fields of a strategy that JSON cannot represent', () => {
    const { log, entries } = aLogger();
    const cycle: Record<string, unknown> = { amount: 10n };
    cycle['self'] = cycle;
    const angry = {
      toJSON: (): never => {
        throw new Error('no');
      },
    };
    const strategy = log.strategy(() => 1);

    strategy.info('a cycle', cycle);
    strategy.info('a refusal', { angry });

    expect(entries().map(({ msg }) => msg)).toEqual(['a cycle', 'a refusal']);
  });

  law.prop([
    fc.string({
      minLength: 8,
      maxLength: 40,
      unit: fc.constantFrom('a', 'B', '7', '"', '\\', '/', '{'),
    }),
    fc.string(),
    fc.string(),
  ])('never writes a secret, whatever its source', (value, before, after) => {
    const { log, lines } = aLogger({ secrets: [new Secret(value)] });
    const text = `${before}${value}${after}`;

    log.warning({ time: 1, text, fields: { text } });
    log.stateChanged({ time: 1, from: 'running', to: 'halted', reasons: [text] });
    log.strategy(() => 1).info(text, { deep: [{ text }] });

    for (const line of lines) {
      expect(line).not.toContain(value);
      expect(JSON.stringify(JSON.parse(line))).toContain('[secret]');
    }
  });
});

describe('prettyLine', () => {
  const plain = { color: false };

  it('shows time, bot, kind and text, and the code and fields of a warning', () => {
    const { log, lines } = aLogger();
    log.stateChanged({ time: 1, from: 'warming', to: 'running', reasons: [] });
    log.warning({ time: 1, code: 'E_TIMEOUT', text: 'no answer', fields: { attempt: 2 } });

    expect(lines.map((line) => prettyLine(line, plain))).toEqual([
      '12:00:00.123 sma-btc state     running',
      '12:00:00.123 sma-btc warning   no answer code="E_TIMEOUT" {"attempt":2}',
    ]);
  });

  it('adds colors only if they are allowed', () => {
    const { log, lines } = aLogger();
    log.warning({ time: 1, text: 'no answer' });

    expect(prettyLine(lines[0] ?? '', { color: true })).toContain('\u001b[');
    expect(prettyLine(lines[0] ?? '', plain)).not.toContain('\u001b[');
  });

  it.each(['no JSON\n', '"text"\n', ''])('leaves %j unchanged', (line) => {
    expect(prettyLine(line, plain)).toBe(line.trimEnd());
  });
});
