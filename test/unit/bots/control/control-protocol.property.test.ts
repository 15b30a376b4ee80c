import { test as law, fc } from '@fast-check/vitest';
import { VENUE_STOP_STATES } from '../../../../src/engine/index.js';
import { describe, expect } from 'vitest';
import {
  CONTROL_COMMANDS,
  formatAnswer,
  formatRequest,
  parseControlAnswer,
  parseControlRequest,
} from '../../../../src/bots/control/control-protocol.js';
import { LineReader } from '../../../../src/bots/control/line-reader.js';
import {
  ORDER_CAUSES,
  ORDER_STATUSES,
  VENUE_INTERVALS,
  type InstrumentId,
} from '../../../../src/domain/index.js';
import {
  BOT_STATES,
  GUARD_STANDBYS,
  RELOAD_STATES,
  type BotStatus,
} from '../../../../src/live/index.js';

const absent = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const time = fc.nat(2_000_000_000_000);
const amount = fc.record({ amount: fc.string(), currency: fc.string() });
const instrumentId = fc.string().map((text) => text as InstrumentId);

const status: fc.Arbitrary<BotStatus> = fc.record({
  name: fc.string(),
  mode: fc.constantFrom('paper', 'live'),
  state: fc.constantFrom(...BOT_STATES),
  since: time,
  reasons: fc.array(fc.string({ unit: 'binary' })),
  time,
  equity: absent(amount),
  profit: absent(amount),
  warmUp: fc.array(
    fc.record({
      instrumentId,
      interval: fc.constantFrom(...VENUE_INTERVALS),
      missing: fc.nat(),
      candles: fc.nat(),
      indicators: fc.array(
        fc.record({ name: fc.string(), weight: fc.double({ min: 0, max: 1, noNaN: true }) }),
      ),
    }),
  ),
  streams: fc.array(fc.record({ name: fc.string(), state: fc.string(), lastData: absent(time) }), {
    maxLength: 3,
  }),
  positions: fc.array(
    fc.record({
      instrumentId,
      direction: fc.constantFrom('long', 'short'),
      quantity: fc.string(),
      isDust: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  margins: fc.array(
    fc.record({
      instrumentId,
      direction: fc.constantFrom('long', 'short'),
      markPrice: absent(fc.string()),
      liquidationPrice: absent(fc.string()),
      distance: absent(fc.string()),
      marginRate: absent(fc.string()),
      maintenanceRate: absent(fc.string()),
      pendingClose: absent(fc.string()),
      frozen: fc.constantFrom('no', 'liquidation', 'delivery'),
    }),
    { maxLength: 3 },
  ),
  debts: fc.array(
    fc.record({ asset: fc.string(), principal: fc.string(), estimatedInterest: fc.string() }),
    { maxLength: 2 },
  ),
  marginLevel: absent(fc.string()),
  orders: fc.array(
    fc.record({
      clientOrderId: fc.string(),
      instrumentId,
      side: fc.constantFrom('buy', 'sell'),
      quantity: fc.string(),
      filled: fc.string(),
      limitPrice: absent(fc.string()),
      status: fc.constantFrom(...ORDER_STATUSES),
      cause: fc.constantFrom(...ORDER_CAUSES),
      label: absent(fc.string()),
    }),
    { maxLength: 3 },
  ),
  guardedBy: fc.record({
    process: fc.constantFrom('bot', 'guard'),
    since: absent(time),
    standby: fc.constantFrom(...GUARD_STANDBYS),
  }),
  sampled: fc.array(
    fc.record({
      instrumentId,
      by: fc.constantFrom('last', 'mark'),
      at: absent(time),
      everyMs: fc.nat(),
      latelyMs: absent(fc.nat()),
    }),
    { maxLength: 3 },
  ),
  guards: fc.array(
    fc.record({
      instrumentId,
      direction: fc.constantFrom('long', 'short'),
      quantity: fc.string(),
      stop: absent(fc.string()),
      takeProfit: absent(fc.string()),
      trailingStop: absent(fc.string()),
      intentId: absent(fc.nat()),
      label: absent(fc.string()),
    }),
    { maxLength: 3 },
  ),
  triggers: fc.array(
    fc.record({
      clientOrderId: fc.string(),
      triggerId: absent(fc.string()),
      instrumentId,
      direction: fc.constantFrom('long', 'short'),
      trigger: fc.constantFrom('stop-loss', 'take-profit'),
      state: fc.constantFrom(...VENUE_STOP_STATES),
      since: time,
      isOrphan: fc.boolean(),
      quantity: fc.string(),
      level: fc.string(),
      uncovered: absent(fc.string()),
    }),
    { maxLength: 3 },
  ),
  worked: fc.array(
    fc.record({
      intentId: fc.nat(),
      instrumentId,
      side: fc.constantFrom('buy', 'sell'),
      label: absent(fc.string()),
      arrival: fc.string(),
      quantity: fc.string(),
      unit: fc.constantFrom('base', 'quote', 'contracts'),
      filled: fc.string(),
      averagePrice: absent(fc.string()),
      shortfallBps: absent(fc.integer()),
    }),
    { maxLength: 3 },
  ),
  waiting: fc.array(
    fc.record({
      intentId: fc.nat(),
      kind: fc.constantFrom('enter', 'exit'),
      instrumentId,
      direction: fc.constantFrom('long', 'short'),
      label: absent(fc.string()),
      since: time,
    }),
    { maxLength: 3 },
  ),
  cancels: fc.array(fc.record({ instrumentId, count: fc.nat() }), { maxLength: 3 }),
  budgets: fc.array(
    fc.record({
      name: fc.string(),
      used: fc.nat(),
      limit: fc.nat(),
      windowMs: fc.nat(),
      restsUntil: absent(time),
    }),
    { maxLength: 3 },
  ),
  events: fc.nat(),
  commands: fc.nat(),
  isFlattening: fc.boolean(),
  reload: absent(
    fc.record({ state: fc.constantFrom(...RELOAD_STATES), since: time, text: fc.string() }),
  ),
  lastDecision: absent(fc.record({ time, text: fc.string() })),
});

describe('the control protocol', () => {
  law.prop([status])('writes an answer as one line and reads it back', (given) => {
    const answer = { ok: true, status: given } as const;
    const line = formatAnswer(answer);

    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(parseControlAnswer(line)).toEqual(answer);
  });

  law.prop([fc.constantFrom(...CONTROL_COMMANDS), absent(fc.stringMatching(/^[ -~]{1,200}$/))])(
    'reads back each request',
    (command, text) => {
      expect(parseControlRequest(formatRequest({ command, text }))).toEqual(
        text === undefined ? { command } : { command, text },
      );
    },
  );

  law.prop([fc.oneof(fc.string({ unit: 'binary' }), fc.json())])(
    'reads any other text as undefined',
    (text) => {
      expect(parseControlRequest(text)).toBeUndefined();
      expect(parseControlAnswer(text)).toBeUndefined();
    },
  );
});

describe('LineReader', () => {
  law.prop([
    fc.array(fc.stringMatching(/^[^\n]{0,10}$/)),
    fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  ])('returns the same lines however the text is split', (lines, cuts) => {
    const text = lines.map((line) => `${line}\n`).join('');
    const reader = new LineReader(10);
    const read: string[] = [];
    let rest = text;
    for (let turn = 0; rest !== ''; turn++) {
      const length = cuts[turn % cuts.length] ?? 1;
      read.push(...(reader.push(rest.slice(0, length)) ?? ['too long']));
      rest = rest.slice(length);
    }

    expect(read).toEqual(lines);
  });
});
