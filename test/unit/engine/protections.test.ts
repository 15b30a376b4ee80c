import { describe, expect, it } from 'vitest';

import {
  MINUTE_MS,
  parseFixed,
  type ClientOrderId,
  type Halt,
  type PositionAction,
} from '../../../src/domain/index.js';
import type { Command, EngineEvent } from '../../../src/engine/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { SPOT } from '../../support/risk/builders.js';
import { aMinute, aStartedEngine, closing, START } from '../../support/engine/engine.js';

/** Enters at every minute, but exits at the sixth. */
class Eager extends CandleStrategy({}) {
  readonly told: Halt[] = [];

  override onHalt(halt: Halt): void {
    this.told.push(halt);
  }

  override onCandle(): void {
    if (this.now === START + 6 * MINUTE_MS) this.exit();
    else this.enterLong({ notional: '1000' }, { add: true, limitPrice: '90', label: 'dip' });
  }
}

type Operator = Extract<EngineEvent, { kind: 'operator' }>;

const at = (minute: number): number => START + minute * MINUTE_MS;
const operator = (minute: number, action: 'reduce-only' | 'resume' | 'flatten'): Operator => ({
  kind: 'operator',
  time: at(minute),
  action,
});
const stopAll = (minute: number, onHalt: Halt['action']): Operator => ({
  kind: 'operator',
  time: at(minute),
  action: 'halt',
  onHalt,
  text: 'the operator sleeps',
});
const minute = (index: number): EngineEvent => closing(aMinute(index));

/** An order is filled: 11.111 at 90. By default it is the first entry. */
function filling(
  time: number,
  { id = 'test-1-0-0', action = 'open' }: { id?: string; action?: PositionAction } = {},
): readonly EngineEvent[] {
  const clientOrderId = id as ClientOrderId;
  const fill = {
    clientOrderId,
    instrumentId: SPOT.id,
    side: action === 'open' ? 'buy' : 'sell',
    action,
    price: parseFixed('90'),
    quantity: parseFixed('11.111'),
    fee: 0n,
    feeAsset: 'USDT',
    liquidity: 'maker',
    eventTime: time,
  } as const;
  return [
    {
      kind: 'venue',
      time,
      update: { kind: 'fill', clientOrderId, fill, isFilled: true, eventTime: time },
    },
  ];
}

function play(events: readonly EngineEvent[]) {
  const engine = aStartedEngine(Eager);
  const commands = events.map((event) => engine.process(event).map(describeCommand));
  return { engine, commands };
}

function describeCommand(command: Command): string {
  return command.kind === 'cancel' ? 'cancel' : command.order.action;
}

describe('commands of the operator', () => {
  it('halt entries until a resume, and leave working orders with the action block', () => {
    const { engine, commands } = play([
      minute(1),
      stopAll(1, 'block'),
      minute(2),
      operator(2, 'resume'),
      minute(3),
    ]);

    expect(commands).toEqual([['open'], [], [], [], ['open']]);
    expect(engine.halts).toEqual([
      {
        reason: 'operator',
        since: at(1),
        until: undefined,
        action: 'block',
        text: 'the operator sleeps',
      },
    ]);
    expect(engine.refusals.map(({ refusal }) => [refusal.check, refusal.text])).toEqual([
      [
        'halted',
        'entries are halted since 2025-01-01T00:01:00Z until resumed (operator): the operator sleeps',
      ],
    ]);
  });

  it('cancel working entries at once with a halt that cancels', () => {
    const { commands } = play([minute(1), minute(2), stopAll(2, 'cancel')]);

    expect(commands).toEqual([['open'], ['open'], ['cancel', 'cancel']]);
  });

  it('close positions at once with a halt that flattens', () => {
    const { commands } = play([minute(1), ...filling(at(1)), stopAll(1, 'flatten')]);

    expect(commands).toEqual([['open'], [], ['close']]);
  });

  it('only reduce positions after reduce-only', () => {
    const { engine, commands } = play([
      minute(1),
      ...filling(at(1)),
      operator(1, 'reduce-only'),
      minute(2),
      minute(6),
    ]);

    expect(commands).toEqual([['open'], [], [], [], ['close']]);
    expect(engine.refusals.map(({ refusal }) => refusal.check)).toEqual(['reduce-only']);
    expect(engine.halts).toEqual([]);
  });

  it('let positions grow again after a resume', () => {
    const { commands } = play([
      operator(1, 'reduce-only'),
      minute(1),
      operator(1, 'resume'),
      minute(2),
    ]);

    expect(commands).toEqual([[], [], [], ['open']]);
  });

  it('flatten without a halt', () => {
    const { engine, commands } = play([minute(1), ...filling(at(1)), operator(1, 'flatten')]);

    expect(commands).toEqual([['open'], [], ['close']]);
    expect(engine.halts).toEqual([]);
  });
});

describe('a degraded engine', () => {
  const health = (index: number, isDegraded: boolean): EngineEvent => ({
    kind: 'health',
    time: at(index),
    isDegraded,
    text: isDegraded ? 'spot:BTCUSDT 1min is stale' : 'a candle came',
  });

  it('refuses entries until it recovers, and still sends exits', () => {
    const { engine, commands } = play([
      minute(1),
      ...filling(at(1)),
      health(1, true),
      minute(2),
      minute(6),
      ...filling(at(6), { id: 'test-3-0-0', action: 'close' }),
      minute(7),
      health(7, false),
      minute(8),
    ]);

    expect(commands).toEqual([['open'], [], [], [], ['close'], [], [], [], ['open']]);
    expect(engine.refusals.map(({ refusal }) => [refusal.check, refusal.text])).toEqual([
      [
        'degraded',
        'entries wait since 2025-01-01T00:01:00Z until this is resolved: spot:BTCUSDT 1min is stale',
      ],
    ]);
    expect(engine.halts).toEqual([]);
  });

  it('stays degraded after a resume', () => {
    const { commands } = play([health(1, true), operator(1, 'resume'), minute(1)]);

    expect(commands).toEqual([[], [], []]);
  });

  it('stays halted after its health recovers', () => {
    const { engine, commands } = play([
      stopAll(1, 'block'),
      health(1, true),
      health(1, false),
      minute(1),
    ]);

    expect(commands).toEqual([[], [], [], []]);
    expect(engine.refusals.map(({ refusal }) => refusal.check)).toEqual(['halted']);
  });
});

describe('the protections of an engine', () => {
  it('refuse an invalid limit, with its key', () => {
    expect(() => aStartedEngine(Eager, { protections: { maxDailyLoss: 0n } })).toThrow(
      'expected maxDailyLoss to be a limit > 0, received 0',
    );
  });
});
