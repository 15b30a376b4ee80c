import { afterEach, describe, expect, it, vi } from 'vitest';

import type { SimulationConfig } from '../../../src/assembly/index.js';
import { decimal, decimalFromFixed, formatFixed, parseFixed } from '../../../src/domain/index.js';
import { WorkingOrderList } from '../../../src/engine/orders/working/working-order-list.js';
import { WorkingOrder } from '../../../src/engine/orders/working/working-order.js';
import type { RunRecord } from '../../../src/report/index.js';
import {
  CandleStrategy,
  type OrderHandle,
  type StrategyClass,
} from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { aContract, aSpotPair, runHours, type Hours } from '../../support/hourly-run.js';

const PER_CANDLE = 1_000;
const COUNT = 4_000;
const QUANTITY = '0.001';
/** The limit price of the first bid. Each further bid is a tick above the one before. */
const LOWEST = '50';

const limitOf = (place: number): string =>
  decimal(LOWEST).add(decimal('0.01').mul(place)).toFixed();

/** Places thousands of bids far below the market, moves some of them, and cancels the rest: half by their label, half one by one. */
class ManyBids extends CandleStrategy({}) {
  readonly #bids: OrderHandle[] = [];
  #candles = 0;

  override onCandle(): void {
    this.#candles += 1;
    if (this.#candles <= COUNT / PER_CANDLE) this.#place();
    else if (this.#candles === 6) this.#move();
    else if (this.#candles === 10) this.cancel({ label: 'even' });
    else if (this.#candles >= 12 && this.#candles < 16) this.#cancelOneByOne();
  }

  #place(): void {
    for (let order = 0; order < PER_CANDLE; order += 1) {
      const place = this.#bids.length;
      const label = place % 2 === 0 ? 'even' : 'odd';
      const terms = { add: true, limitPrice: limitOf(place), label };
      this.#bids.push(this.enterLong({ quantity: QUANTITY }, terms));
    }
  }

  #move(): void {
    for (const bid of this.#bids.slice(0, 100)) bid.replace({ limitPrice: '40' });
  }

  #cancelOneByOne(): void {
    const from = (this.#candles - 12) * PER_CANDLE;
    for (const bid of this.#bids.slice(from, from + PER_CANDLE))
      if (bid.orders.length > 0) bid.cancel();
  }
}

/** In the ninth hour the price falls to 80, so limits at least a tick above 80 fill. */
const HOURS: Hours = Object.fromEntries(
  Array.from({ length: 24 }, (_, hour) => [hour, hour === 8 ? [100, 100, 80, 100] : 100]),
);

function count({ orders }: RunRecord): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of orders) counts[state.status] = (counts[state.status] ?? 0) + 1;
  return counts;
}

const PAIR = aSpotPair('BTC', 'USDT');
const CONTRACT = aContract('BTC', 'USDT');
const MONEY = new Map([['USDT', parseFixed('1000000')]]);
const inHedgeMode: Partial<SimulationConfig> = {
  futures: {
    ...aBacktestConfig({ instrumentId: CONTRACT.instrumentId, interval: '1h' }).simulation.futures,
    positionMode: 'hedge',
  },
};

const askOf = (place: number): string => decimal('150').add(decimal('0.01').mul(place)).toFixed();

/** Buys, offers the position in thousands of parts far above the market, moves some of the asks, and cancels the rest. */
function manyAsks(by: {
  readonly part: string;
  readonly position: string;
  readonly count: number;
}): StrategyClass {
  return class ManyAsks extends CandleStrategy({}) {
    readonly #asks: OrderHandle[] = [];
    #candles = 0;

    override onCandle(): void {
      this.#candles += 1;
      if (this.#candles === 1) this.enterLong({ quantity: by.position });
      else if (this.#asks.length < by.count) this.#offer();
      else if (this.#candles === 7)
        for (const ask of this.#asks.slice(0, 100)) ask.replace({ limitPrice: '400' });
      else if (this.#candles === 12) this.cancel({ label: 'ask' });
    }

    #offer(): void {
      const upTo = Math.min(by.count, this.#asks.length + PER_CANDLE);
      while (this.#asks.length < upTo) {
        const limitPrice = askOf(this.#asks.length);
        const size = { quantity: by.part };
        this.#asks.push(this.exit({ size, limitPrice, direction: 'long', label: 'ask' }));
      }
    }
  };
}

/** In the tenth hour the price rises to 160, so limits at least a tick below 160 fill. */
const RISING: Hours = Object.fromEntries(
  Array.from({ length: 24 }, (_, hour) => [hour, hour === 9 ? [100, 160, 100, 100] : 100]),
);

/** Bids far below the market. The operator's limits on all positions and working orders check each of them. */
function manyBids({ count: orders }: { readonly count: number }): StrategyClass {
  return class GuardedBids extends CandleStrategy({}) {
    #placed = 0;
    #candles = 0;

    override onCandle(): void {
      this.#candles += 1;
      if (this.#candles === 12) this.cancel({ label: 'bid' });
      const upTo = Math.min(orders, this.#placed + PER_CANDLE);
      for (; this.#placed < upTo; this.#placed += 1)
        this.enterLong({ quantity: '1' }, { add: true, limitPrice: '50', label: 'bid' });
    }
  };
}

/** Pairs of bids in which one cancels the other. The price reaches the first of each pair. */
function manyPairs({ count: orders }: { readonly count: number }): StrategyClass {
  return class PairedBids extends CandleStrategy({}) {
    #placed = 0;

    override onCandle(): void {
      const upTo = Math.min(orders, this.#placed + PER_CANDLE);
      for (; this.#placed < upTo; this.#placed += 2)
        for (const limitPrice of ['90', '50'])
          this.enterLong(
            { quantity: QUANTITY },
            { add: true, limitPrice, oco: String(this.#placed) },
          );
    }
  };
}

describe('thousands of orders at once', () => {
  it('each end once: reached orders fill at their limits, the others are canceled', async () => {
    const record = await runHours({
      strategy: ManyBids,
      series: [[aSpotPair('BTC', 'USDT'), HOURS]],
    });

    const reached = Array.from({ length: COUNT }, (_, place) => limitOf(place)).filter((limit) =>
      decimal(limit).gte('80.01'),
    );
    expect(reached).toHaveLength(999);
    const prices = Array.from(record.fills, ({ record: { price } }) => formatFixed(price));
    expect(prices.toSorted()).toEqual(reached.toSorted());
    // A hundred of them were canceled once, to be moved.
    expect(count(record)).toEqual({ filled: 999, canceled: COUNT - 999 + 100 });
    expect(record.refusals).toEqual([]);
    expect(record.residual).toBe(0n);
    const paid = reached.reduce(
      (sum, limit) => sum.add(decimal(limit).mul(QUANTITY)),
      decimal('0'),
    );
    const balances = new Map(record.finalBalances.spot);
    expect(decimalFromFixed(balances.get('USDT') ?? 0n).toFixed()).toBe(
      decimal('10000').sub(paid).toFixed(),
    );
    expect(formatFixed(balances.get('BTC') ?? 0n)).toBe('0.999');
  });

  it.each([
    { what: 'a pair', instrument: PAIR, part: QUANTITY, position: '4' },
    {
      what: 'a contract of which both sides can be held',
      instrument: CONTRACT,
      part: '1',
      position: '4000',
      simulation: inHedgeMode,
    },
  ])(
    'exits of $what each end once: reached exits sell their part, the others are canceled',
    async ({ instrument, part, position, simulation }) => {
      const record = await runHours({
        strategy: manyAsks({ part, position, count: COUNT }),
        series: [[instrument, RISING]],
        simulation: { ...simulation, balances: { [instrument.kind]: MONEY } },
      });

      // One entry, and asks at 150, 150.01 and so on, of which those below 160 fill. A hundred were canceled once, to be moved away.
      expect(count(record)).toEqual({ filled: 1 + 900, canceled: COUNT - 900 + 100 });
      const sold = Array.from(record.fills, ({ record: { action, price, quantity } }) =>
        action === 'close' ? `${formatFixed(quantity)} at ${formatFixed(price)}` : '',
      ).filter((fill) => fill !== '');
      const reached = Array.from({ length: 900 }, (_, place) => askOf(100 + place));
      expect(sold.toSorted()).toEqual(reached.map((limit) => `${part} at ${limit}`).toSorted());
      expect(record.refusals).toEqual([]);
      expect(record.residual).toBe(0n);
    },
  );
});

describe('the work per order while thousands rest', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** How many orders a run looks at, per order: entries of lists that are walked, and readings of a remaining quantity. */
  async function looksOf(run: () => Promise<RunRecord>, orders: number): Promise<number> {
    let looks = 0;
    const all = getterOf(WorkingOrderList.prototype, 'all');
    vi.spyOn(WorkingOrderList.prototype, 'all', 'get').mockImplementation(function (
      this: WorkingOrderList,
    ) {
      const list = all.call(this) as readonly WorkingOrder[];
      looks += list.length;
      return list;
    });
    const remaining = getterOf(WorkingOrder.prototype, 'remaining');
    vi.spyOn(WorkingOrder.prototype, 'remaining', 'get').mockImplementation(function (
      this: WorkingOrder,
    ) {
      looks += 1;
      return remaining.call(this) as bigint;
    });
    const record = await run();
    vi.restoreAllMocks();
    expect(record.orders.length).toBeGreaterThanOrEqual(orders);
    return looks / orders;
  }

  const flat: Hours = Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [hour, 100]));
  const limits = {
    maxTotalNotional: parseFixed('100000000'),
    maxMarginUse: parseFixed('1000'),
    maxTotalOpenOrders: 1_000_000,
  };
  it.each([
    {
      what: 'exits of a pair',
      series: [[PAIR, flat]] as const,
      strategyOf: (orders: number) => manyAsks({ part: QUANTITY, position: '4', count: orders }),
      simulation: {},
    },
    {
      what: 'exits of a contract',
      series: [[CONTRACT, flat]] as const,
      strategyOf: (orders: number) => manyAsks({ part: '1', position: '4000', count: orders }),
      simulation: inHedgeMode,
    },
    {
      what: 'entries in pairs of which one cancels the other',
      series: [[PAIR, HOURS]] as const,
      strategyOf: (orders: number) => manyPairs({ count: orders }),
      simulation: {},
    },
    {
      what: 'entries of a contract that are limited all together',
      series: [[CONTRACT, flat]] as const,
      strategyOf: (orders: number) => manyBids({ count: orders }),
      simulation: inHedgeMode,
      protections: limits,
    },
  ])('does not grow with the number of orders: $what', async (by) => {
    const { series, strategyOf, simulation, protections } = by;
    const [[{ kind }]] = series;
    const runOf = (orders: number) => (): Promise<RunRecord> =>
      runHours({
        strategy: strategyOf(orders),
        series,
        simulation: { ...simulation, balances: { [kind]: MONEY } },
        ...(protections !== undefined && { protections }),
      });

    const few = await looksOf(runOf(1_000), 1_000);
    const many = await looksOf(runOf(4_000), 4_000);

    expect(many).toBeLessThan(1.5 * few);
  });
});

/** The getter of a property of a class. */
function getterOf(prototype: object, name: string): () => unknown {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  if (get === undefined) throw new Error(`expected ${name} to be read by a function`);
  return get;
}
