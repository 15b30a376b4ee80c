import { describe, expect, it } from 'vitest';
import { replayBacktest, type FuturesInstrumentConfig } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  FIXED_ONE,
  parseFixed,
  type Candle,
  type CandleColumns,
} from '../../../src/domain/index.js';
import { buildResult } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { aSpotPair } from '../../support/hourly-run.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const HOUR = 3_600_000;

class SellsAtOnce extends CandleStrategy({}) {
  override onCandle(candle: Candle): void {
    if (candle.openTime === 0) this.exit();
  }
}

describe('starting balances', () => {
  it('count base held at the start as a position, and its sale as a trade', async () => {
    const prices = Float64Array.of(100, 120, 120);
    const columns = {
      openTime: Float64Array.of(0, HOUR, 2 * HOUR),
      open: prices,
      high: prices,
      low: prices,
      close: prices,
      volume: prices,
    };
    const balances = new Map([
      ['BTC', parseFixed('2')],
      ['USDT', parseFixed('50')],
    ]);

    const record = await replayBacktest({
      config: aBacktestConfig({
        instrumentId: ID,
        interval: '1h',
        simulation: { balances: { spot: balances } },
      }),
      archive: createMemoryArchive([{ instrumentId: ID, interval: '1h', columns }]),
      strategyClass: SellsAtOnce,
      sourceHash: '',
    });
    const result = buildResult(record);

    // 50 + 2 × 100, then 50 + 2 × 120
    expect(result.equity).toEqual({ initial: '250', final: '290', currency: 'USDT' });
    expect(result.statistics).toMatchObject({ trades: 1, winRate: 1, expectancy: '40' });
    expect(result.accounting.residual).toBe('0');
  });
});

describe('coins used as margin', () => {
  class Waits extends CandleStrategy({}) {
    override onCandle(): void {
      // Nothing: this test only values the account.
    }
  }

  const contract = (base: string): FuturesInstrumentConfig => ({
    kind: 'futures',
    instrumentId: createInstrumentId('futures', `I-${base}-USD`),
    symbol: `I-${base}-USD`,
    base,
    quote: 'USD',
    intervals: ['1h'],
    contract: 'inverse',
    multiplier: parseFixed('10'),
    leverage: FIXED_ONE,
    marginMode: 'cross',
  });

  it('are valued at the first open until the first candle of their contract closes', async () => {
    const [btc, eth] = [contract('BTC'), contract('ETH')];
    const instruments = [btc, eth];
    const coins = new Map([
      ['BTC', parseFixed('2')],
      ['ETH', parseFixed('3')],
    ]);
    const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 0 };
    const config = aBacktestConfig({ instrumentId: ID, interval: '1h' });

    const record = await replayBacktest({
      config: {
        ...config,
        instruments,
        equityCurrency: 'USD',
        simulation: {
          ...config.simulation,
          balances: { futures: coins },
          rules: new Map(instruments.map(({ instrumentId }) => [instrumentId, rules])),
        },
      },
      archive: createMemoryArchive([
        { instrumentId: btc.instrumentId, interval: '1h', columns: flat([0, 1, 2], 100) },
        { instrumentId: eth.instrumentId, interval: '1h', columns: flat([1, 2], 10) },
      ]),
      strategyClass: Waits,
      sourceHash: '',
      keepCloses: true,
    });

    // 2 × 100 + 3 × 10, from the first close on
    expect(record.initialEquity).toBe(parseFixed('230'));
    const curve = buildResult(record, { curve: 'candle' }).equityCurve;
    expect(new Set(curve.map(([, equity]) => equity))).toEqual(new Set(['230']));
  });
});

describe('a coin of one account that an instrument of another account values', () => {
  class Waits extends CandleStrategy({}) {
    override onCandle(): void {
      // Nothing: this test only values the accounts.
    }
  }

  it.each([
    ['futures', 'spot'],
    ['spot', 'margin'],
  ] as const)('counts from the start: %s, valued by %s', async (account, kind) => {
    const instrumentId = createInstrumentId(kind, 'BTCUSDT');
    const config = aBacktestConfig({ instrumentId, interval: '1h' });
    const columns = flat([0, 1, 2], 100);
    const leverage = FIXED_ONE;

    const record = await replayBacktest({
      config: {
        ...config,
        instruments: config.instruments.map((given) =>
          kind === 'margin' ? { ...given, kind, leverage } : given,
        ),
        simulation: {
          ...config.simulation,
          balances: { [account]: new Map([['BTC', parseFixed('2')]]) },
        },
      },
      archive: createMemoryArchive([{ instrumentId, interval: '1h', columns }]),
      strategyClass: Waits,
      sourceHash: '',
    });

    // 2 × 100
    expect(buildResult(record).equity).toMatchObject({ initial: '200', final: '200' });
  });
});

describe('a coin that is bought through a pair which does not value it', () => {
  class BuysAtOnce extends CandleStrategy({}) {
    override onCandle({ instrumentId, openTime }: Candle): void {
      if (openTime === 0) this.enterLong({ notional: '0.5' }, { instrument: instrumentId });
    }
  }

  it('counts before the pair that values it has a closed candle', async () => {
    const pairs = [
      { base: 'LTC', quote: 'BTC', interval: '1h', price: 0.01 },
      { base: 'BTC', quote: 'USDT', interval: '1day', price: 100 },
      { base: 'LTC', quote: 'USDT', interval: '1day', price: 2 },
    ] as const;
    const series = pairs.map(({ base, quote, interval, price }) => ({
      instrument: { ...aSpotPair(base, quote), intervals: [interval] },
      columns: {
        ...flat(interval === '1day' ? [0] : [0, 1, 2], price),
        volume: new Float64Array(interval === '1day' ? 1 : 3).fill(1_000),
      },
      interval,
    }));
    const rules = { tradable: true, pricePrecision: 5, quantityPrecision: 2 };
    const config = aBacktestConfig({ instrumentId: ID, interval: '1h' });

    const record = await replayBacktest({
      config: {
        ...config,
        instruments: series.map(({ instrument }) => instrument),
        equityCurrency: 'USDT',
        simulation: {
          ...config.simulation,
          balances: { spot: new Map([['BTC', parseFixed('1')]]) },
          rules: new Map(series.map(({ instrument }) => [instrument.instrumentId, rules])),
        },
      },
      archive: createMemoryArchive(
        series.map(({ instrument: { instrumentId }, ...one }) => ({ instrumentId, ...one })),
      ),
      strategyClass: BuysAtOnce,
      sourceHash: '',
      keepCloses: true,
    });

    // 1 × 100, then 0.5 × 100 + 50 × 2
    expect(
      buildResult(record, { curve: 'candle' }).equityCurve.map(([, equity]) => equity),
    ).toEqual(['100', '100', '150', '150', '150']);
  });
});

/** Candles of these hours that do not move. */
function flat(hours: readonly number[], price: number): CandleColumns {
  const prices = Float64Array.from(hours, () => price);
  const openTime = Float64Array.from(hours, (hour) => hour * HOUR);
  return { openTime, open: prices, high: prices, low: prices, close: prices, volume: prices };
}
