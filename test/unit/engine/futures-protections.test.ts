import { describe, expect, it } from 'vitest';

import {
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  type Candle,
  type ClientOrderId,
  type OrderIntent,
} from '../../../src/domain/index.js';
import type { ProtectionConfig } from '../../../src/risk/index.js';
import type { Command, EngineEvent } from '../../../src/engine/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { line, LINEAR } from '../../support/risk/builders.js';
import { aMinute, aStartedEngine, closing, START } from '../../support/engine/engine.js';

/** The intent of the strategy at the close of each minute. */
type Plan = Readonly<Record<number, OrderIntent>>;

const enter = (notional: string, terms: object = {}): OrderIntent => ({
  kind: 'enter',
  direction: 'long',
  size: { notional },
  add: true,
  ...terms,
});
const contracts = (quantity: string, limitPrice: string): OrderIntent => ({
  kind: 'enter',
  direction: 'long',
  size: { quantity },
  add: true,
  limitPrice,
});
const EXIT: OrderIntent = { kind: 'exit' };

const at = (minute: number): number => START + minute * MINUTE_MS;
const minute = (index: number): EngineEvent =>
  closing(aMinute(index, { instrumentId: LINEAR.id, close: 100_000 }));
const mark = (index: number, price: number): EngineEvent => ({
  kind: 'marks',
  time: at(index),
  marks: [{ instrumentId: LINEAR.id, price }],
});

/** The venue fills contracts of an order at 100,000. */
function fill(index: number, id: string, quantity: string, action: 'open' | 'close'): EngineEvent {
  const clientOrderId = id as ClientOrderId;
  return {
    kind: 'venue',
    time: at(index),
    update: {
      kind: 'fill',
      clientOrderId,
      isFilled: true,
      eventTime: at(index),
      fill: {
        clientOrderId,
        instrumentId: LINEAR.id,
        side: action === 'open' ? 'buy' : 'sell',
        action,
        price: parseFixed('100000'),
        quantity: parseFixed(quantity),
        fee: 0n,
        feeAsset: 'USDT',
        liquidity: 'taker',
        eventTime: at(index),
      },
    },
  };
}

function canceled(index: number, id: string): EngineEvent {
  const reason = { code: '0', text: 'as asked' };
  const order = { clientOrderId: id as ClientOrderId, eventTime: at(index) };
  return {
    kind: 'venue',
    time: at(index),
    update: { kind: 'ended', status: 'canceled', reason, ...order },
  };
}

/** Runs a plan on a contract of 0.001 BTC at leverage 5, with 10,000 USDT. */
function play(protections: ProtectionConfig, plan: Plan, events: readonly EngineEvent[]) {
  class Planned extends CandleStrategy({}) {
    override onCandle({ closeTime }: Candle): void {
      const wanted = plan[(closeTime - START) / MINUTE_MS];
      if (wanted !== undefined) this.raise(wanted);
    }
  }
  const engine = aStartedEngine(Planned, {
    instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    rules: { pricePrecision: 1 },
    balances: { USDT: '10000' },
    fundingTimes: (_, time) => {
      const previous = Math.floor(time / HOUR_MS) * HOUR_MS;
      return { previous, next: previous + HOUR_MS };
    },
    protections,
  });
  const sent = events.map((event) => engine.process(event).map(describeCommand));
  return { sent, checks: engine.refusals.map(({ refusal }) => refusal.check), engine };
}

function describeCommand(command: Command): string {
  return command.kind === 'cancel' ? 'cancel' : line(command.order);
}

interface Guarded {
  readonly check: string;
  readonly tight: ProtectionConfig;
  readonly loose: ProtectionConfig;
  readonly plan: Plan;
  readonly events: readonly EngineEvent[];
}

/** Buys 10 contracts for 1,000 USDT with the first minute, asks for 10 more with the second, and exits with the third. */
const TWICE: Plan = { 1: enter('1000'), 2: enter('1000'), 3: EXIT };
const HOLDING = [minute(1), fill(1, 'test-1-0-0', '10', 'open'), minute(2), minute(3)];

const GUARDED: readonly Guarded[] = [
  {
    check: 'max-margin-use',
    // 200 of 10,000 are in use, and the entry needs 200 more.
    tight: { maxMarginUse: parseFixed('0.039999') },
    loose: { maxMarginUse: parseFixed('0.04') },
    plan: TWICE,
    events: HOLDING,
  },
  {
    check: 'max-margin-use',
    // The second entry rests: 190 for 10 contracts at 95,000. The third entry needs its margin in addition.
    tight: { maxMarginUse: parseFixed('0.058999') },
    loose: { maxMarginUse: parseFixed('0.059') },
    plan: { 1: enter('1000'), 2: contracts('10', '95000'), 3: enter('1000'), 4: EXIT },
    events: [...HOLDING, minute(4), canceled(4, 'test-2-0-0')],
  },
  {
    check: 'max-leverage',
    // 2,000 of 10,000.
    tight: { maxLeverage: parseFixed('0.1999') },
    loose: { maxLeverage: parseFixed('0.2') },
    plan: TWICE,
    events: HOLDING,
  },
  {
    check: 'max-position-quantity',
    tight: { maxPositionQuantity: new Map([[LINEAR.id, parseFixed('19')]]) },
    loose: { maxPositionQuantity: new Map([[LINEAR.id, parseFixed('20')]]) },
    plan: TWICE,
    events: HOLDING,
  },
  {
    check: 'price-band',
    // Mark is 100,500: 100,000 is 0.4975 % away.
    tight: { priceBand: { mark: parseFixed('0.00497') } },
    loose: { priceBand: { mark: parseFixed('0.00498') } },
    plan: TWICE,
    events: [...HOLDING.slice(0, 2), mark(2, 100_500), minute(2), minute(3)],
  },
  {
    check: 'funding-block',
    // Funding is settled at each hour: the second minute is 58 before it and 2 after it.
    tight: { fundingBlock: { beforeMs: 58 * MINUTE_MS, afterMs: 0 } },
    loose: { fundingBlock: { beforeMs: 58 * MINUTE_MS - 1, afterMs: 0 } },
    plan: TWICE,
    events: HOLDING,
  },
];

describe.each(GUARDED)('$check of a contract', ({ check, tight, loose, plan, events }) => {
  it('refuses the entry that exceeds it, and no exit', () => {
    const { checks, sent } = play(tight, plan, events);

    expect(checks).toEqual([check]);
    expect(sent.flat().at(-1)).toBe('market sell close 10 contracts');
  });

  it('approves an entry within it', () => {
    expect(play(loose, plan, events).checks).toEqual([]);
  });

  it('refuses the same entry if a new engine gets the same events', () => {
    const [once, again] = [play(tight, plan, events), play(tight, plan, events)];

    expect(again.sent).toEqual(once.sent);
    expect(again.engine.refusals).toEqual(once.engine.refusals);
  });
});

describe('exits of a contract', () => {
  it('together close no more than the position, however many work', () => {
    const part = (quantity: string, limitPrice: string): OrderIntent => ({
      kind: 'exit',
      size: { quantity },
      limitPrice,
    });
    const plan: Plan = {
      1: enter('1000'),
      2: part('6', '101000'),
      3: part('7', '102000'),
      4: part('1', '103000'),
    };

    const { engine, checks } = play({}, plan, [...HOLDING, minute(4)]);

    expect(engine.workingOrders.map(({ request }) => line(request))).toEqual([
      'limit sell close 6 contracts at 101000 GTC',
      'limit sell close 4 contracts at 102000 GTC',
    ]);
    expect(checks).toEqual(['nothing-to-close']);
  });
});
