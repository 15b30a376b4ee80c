import { debounceTime, map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  CandleStrategy,
  crossedAbove,
  crossedBelow,
  enterLong,
  int,
  sma,
  Strategy,
  type AccountEvent,
  type Candle,
  type OrderIntent,
} from '../../../src/index.js';
import { runBacktest } from '../../../src/run/index.js';
import {
  candlesOf,
  closes,
  flat,
  GAP,
  startStrategy,
  walk,
  type CandleShape,
} from '../../../src/testing/index.js';

class Crossing extends CandleStrategy({ fast: int(1, 200, 2), slow: int(2, 400, 3) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  override onCandle(): void {
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ quantity: '2' });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}

/** Buys once, with its first candle, with a stop and a take-profit. */
class BuysOnce extends CandleStrategy({ size: int(1, 10_000, 2) }) {
  #isDone = false;

  override onCandle(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.enterLong(
      { quantity: String(this.parameters.size) },
      { protection: { stopLoss: { ratio: '0.05' }, takeProfit: { ratio: '0.1' } } },
    );
  }
}

class BuysAlways extends CandleStrategy({}) {
  override onCandle(): void {
    this.enterLong({ quantity: '1' }, { add: true });
  }
}

const UP = closes(10, 10, 10, 9, 12);

describe('startStrategy', () => {
  it('keeps the intents after the warm-up, with amounts as text', async () => {
    const test = await startStrategy(Crossing);

    expect(test.isWarm).toBe(false);
    test.play(UP);

    expect(test.isWarm).toBe(true);
    expect(test.intents).toEqual([
      { kind: 'exit' },
      { kind: 'enter', direction: 'long', size: { quantity: '2' } },
    ]);
    expect(test.marbles()).toBe('---xe');
  });

  it('fills an intent of a close at the next open', async () => {
    const test = await startStrategy(Crossing);

    test.play(UP);
    expect(test.workingOrders.map(({ status }) => status)).toEqual(['submitting']);
    test.play([{ close: 13, open: 12.5 }]);

    expect(test.fills.map(({ price }) => price.toString())).toEqual(['12.5']);
    expect(test.position().quantity.toString()).toBe('2');
    expect(test.balance('USDT').free.toString()).toBe('9975');
    expect(test.equity.toString()).toBe('10001');
  });

  it('fills the same orders at the same prices as a backtest', async () => {
    const candles = walk({ length: 400, seed: 7 });
    const start = Date.UTC(2025, 0, 1);
    const columns = candles.map(({ open = 0, high = 0, low = 0, close, volume = 0 }, index) => ({
      openTime: start + index * 3_600_000,
      ...{ open, high, low, close, volume },
    }));

    const test = (await startStrategy(Crossing)).play(candles);
    const result = await runBacktest({
      strategy: Crossing,
      candles: [{ instrument: 'spot:BTCUSDT', interval: '1h', candles: columns }],
      config: {
        name: 'test',
        instruments: [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['1h'] }],
        simulation: {
          balances: { USDT: '10000' },
          fees: { maker: '0', taker: '0' },
          participation: 'off',
          rules: { BTCUSDT: { pricePrecision: 2, quantityPrecision: 5 } },
        },
      },
    });

    const told = test.fills.map(({ side, price, quantity }) => [
      side,
      price.toString(),
      quantity.toString(),
    ]);
    expect(told.length).toBeGreaterThan(50);
    expect(told).toEqual(result.fills.map(({ side, price, quantity }) => [side, price, quantity]));
  });

  it('fills a stop when the price reaches it, and a take-profit at its limit', async () => {
    const stopped = await startStrategy(BuysOnce);
    stopped.play([...flat(2, 100), { close: 80 }]);
    const taken = await startStrategy(BuysOnce);
    taken.play([...flat(2, 100), { close: 120 }]);

    expect(stopped.fills.map(({ price }) => Number(price))).toEqual([100, expect.closeTo(95, 0)]);
    expect(taken.fills.map(({ price }) => Number(price))).toEqual([100, 110]);
    expect(stopped.position().quantity.isZero()).toBe(true);
  });

  it('fills partly if a candle has too little volume', async () => {
    const test = await startStrategy(BuysOnce, { simulation: { participation: '0.1' } });

    test.play([{ close: 100, volume: 5 }, { close: 100 }]);

    expect(test.fills.map(({ quantity }) => quantity.toString())).toEqual(['0.5']);
    expect(test.orders.map(({ status }) => status)).toContain('canceled');
  });

  it('lets time pass without candles, so that timers fire', async () => {
    class Late extends Strategy({}) {
      override intents(): Observable<OrderIntent> {
        return this.market.candles$().pipe(
          debounceTime(90 * 60_000),
          map(() => enterLong({ quantity: '1' })),
        );
      }
    }
    const test = await startStrategy(Late);

    test.play(flat(3, 100));
    expect(test.marbles()).toBe('---');
    test.play([GAP, GAP]);

    expect(test.marbles()).toBe('----e');
    expect((await startStrategy(Late)).play(flat(1, 100)).pass('2h').intents).toHaveLength(1);
  });

  it('builds candles of longer intervals from the shortest interval', async () => {
    const heard: string[] = [];
    class Hears extends CandleStrategy({}) {
      override onCandle({ interval, open, high, low, close, volume }: Candle): void {
        if (interval === '1h') heard.push([open, high, low, close, volume].join(' '));
      }
    }
    const quarters: readonly CandleShape[] = closes(4, 7, 2, 5, 6);
    const test = await startStrategy(Hears, {
      instruments: [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['15min', '1h'] }],
    });

    test.play(quarters).play([GAP, GAP, GAP]);

    expect(heard).toEqual(['4 7 2 5 4000', '5 6 5 6 1000']);
  });

  it('lists stops without orders that chase the price', async () => {
    class Chases extends CandleStrategy({}) {
      override onCandle(): void {
        const work = { chase: { every: '1h', maxBps: '500' } } as const;
        this.enterLong({ quantity: '1' }, { work });
      }
    }
    const test = await startStrategy(Chases);

    test.play([{ close: 100 }, { open: 103, high: 105, low: 102, close: 104 }]);

    expect([test.workingOrders.length, test.stops]).toEqual([1, []]);
  });
});

describe('events of a strategy under test', () => {
  it('changed rules and the venue refuse its orders', async () => {
    const test = await startStrategy(BuysAlways);

    test.changeRules({ tradable: false }).play(flat(1, 100));
    test.changeRules({ tradable: true, minOrderMoney: '200' }).play(flat(1, 100));
    test.changeRules({ minOrderMoney: '5' }).rejectNext('margin call').play(flat(1, 100));

    expect(test.refusals.map(({ check }) => check)).toEqual(['not-tradable', 'min-order-money']);
    expect(test.orders.map(({ status, reason }) => [status, reason?.text])).toEqual([
      ['rejected', 'margin call'],
    ]);
  });

  it('entries are refused while data is stale, and while the operator has halted', async () => {
    const test = await startStrategy(BuysAlways);

    test.degrade('tickers are 9 s old').play(flat(1, 100)).recover().play(flat(1, 100));
    test.halt().play(flat(1, 100)).resume().play(flat(1, 100));

    expect(test.refusals.map(({ text }) => text)).toEqual([
      expect.stringContaining('tickers are 9 s old'),
      expect.stringContaining('halted by the test'),
    ]);
    expect(test.orders).toHaveLength(2);
  });

  it('a position pays funding, and is liquidated when its margin runs out', async () => {
    class Holds extends CandleStrategy({}) {
      readonly told: string[] = [];

      override onCandle(): void {
        if (this.told.length === 0) this.enterLong({ quantity: '1' });
      }

      override onAccountEvent(event: AccountEvent): void {
        this.told.push(event.kind === 'forced' ? event.cause : event.kind);
      }
    }
    const test = await startStrategy(Holds, {
      instruments: [
        {
          product: 'futures',
          symbol: 'E-BTC-USDT',
          intervals: ['1h'],
          leverage: 10,
          marginMode: 'isolated',
          multiplier: '1',
        },
      ],
    });

    test.play(flat(2, 100));
    const before = test.equity;
    test.settleFunding('0.001');
    const paid = before.minus(test.equity).toString();
    test.play([{ close: 100, low: 85, mark: 85 }]).play(flat(1, 86));

    expect(paid).toBe('0.1');
    expect(test.strategy.told).toEqual(['liquidation']);
    expect(test.position().quantity.isZero()).toBe(true);
  });

  it('several instruments trade, each with its own candles', async () => {
    class BuysBoth extends CandleStrategy({}) {
      override onCandle({ instrumentId }: Candle): void {
        this.enterLong({ quantity: '1' }, { instrument: instrumentId });
      }
    }
    const instruments = ['BTCUSDT', 'ETHUSDT'].map(
      (symbol) => ({ product: 'spot', symbol, intervals: ['1h'] }) as const,
    );
    const test = await startStrategy(BuysBoth, { instruments });

    test.play([{ BTCUSDT: { close: 100 }, ETHUSDT: { close: 10 } }, { ETHUSDT: { close: 11 } }]);

    expect(test.position('ETHUSDT').quantity.toString()).toBe('1');
    expect(test.position('BTCUSDT').quantity.toString()).toBe('0');
    expect(test.marbles()).toBe('(ee)e');
  });
});

describe('errors of a test', () => {
  it.each([
    ['a high below the close', [{ close: 10, high: 9 }], 'E_TEST_CANDLE'],
    ['an unknown symbol', [{ LTCUSDT: { close: 10 } }], 'E_INSTRUMENT_UNKNOWN'],
  ])('names %s', async (_, candles, code) => {
    const test = await startStrategy(BuysOnce);

    expect(() => test.play(candles)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it('names a marble without a price', () => {
    expect(() => candlesOf('ab', { a: 1 })).toThrow(
      'marbles "ab": expected - or one of a, received "b"',
    );
  });

  it('names invalid options', async () => {
    await expect(startStrategy(Crossing, { parameters: { fast: 0 } })).rejects.toThrow(
      'strategy.parameters.fast',
    );
    await expect(
      startStrategy(BuysOnce, {
        instruments: [
          { product: 'spot', symbol: 'BTCUSDT', intervals: ['1h'] },
          { product: 'spot', symbol: 'ETHUSDT', intervals: ['15min'] },
        ],
      }),
    ).rejects.toThrow('expected the same shortest interval for each instrument');
    await expect(startStrategy(Date as never)).rejects.toThrow('a class made with Strategy');
  });

  it('throws the error of the strategy', async () => {
    class Fails extends CandleStrategy({}) {
      override onCandle(): void {
        throw new Error('no such idea');
      }
    }

    const test = await startStrategy(Fails);

    expect(() => test.play(flat(1, 10))).toThrow('no such idea');
  });
});
