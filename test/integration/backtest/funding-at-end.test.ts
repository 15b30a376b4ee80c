import { describe, expect, it } from 'vitest';
import { openArchive, type Archive } from '../../../src/archive/index.js';
import { replayBacktest, type BacktestConfig } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  FIXED_ONE,
  formatFixed,
  HOUR_MS,
  type AccountEvent,
  type CandleColumns,
  type EpochMs,
  type FundingPayment,
  type FundingTimes,
} from '../../../src/domain/index.js';
import { createFundingTimes } from '../../../src/assembly/market/funding-times.js';
import { readTerms } from '../../../src/assembly/market/load-terms.js';
import { openSnapshot, takeSnapshot } from '../../../src/research/index.js';
import { CandleStrategy, type StrategyClass } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');
const PAIR = createInstrumentId('margin', 'BTCUSDT');
const START = Date.UTC(2026, 0, 1);
const HOURS = 36;
const SOURCE = { source: 'test' };
/** Settlements at irregular hours. One has a late stamp, and one lies after the end of the runs. */
const SETTLED = [
  { hour: 4, rate: 0.0003 },
  { hour: 8, lateMs: 7, rate: -0.0002 },
  { hour: 13, rate: 0.00005358 },
  { hour: 21, rate: -0.00011 },
];

/** A price that falls and rises by its hour, so that no two opens are alike. */
function hours(count: number, base: number): CandleColumns {
  const row = (hour: number): number => base + ((hour * 7) % 11) + hour / 8;
  return columnsOf(
    Array.from({ length: count }, (_, hour) => {
      // It jumps at each open.
      const [open, close] = [row(hour), row(hour) + 0.5];
      const [high, low] = [Math.max(open, close) + 1, Math.min(open, close) - 1];
      return { time: START + hour * HOUR_MS, open, high, low, close, volume: 0 };
    }),
  );
}

async function anArchive(): Promise<Archive> {
  const archive = openArchive(await temporaryFolder());
  const key = { instrumentId: CONTRACT, interval: '1h' } as const;
  await archive.merge(
    { ...key, columns: hours(HOURS, 200) },
    { ...SOURCE, volumeUnit: 'contracts' },
  );
  await archive.mergeMarks({ ...key, columns: hours(HOURS, 190) }, SOURCE);
  await archive.mergeFunding(
    CONTRACT,
    {
      time: Float64Array.from(SETTLED, ({ hour, lateMs = 0 }) => START + hour * HOUR_MS + lateMs),
      rate: Float64Array.from(SETTLED, ({ rate }) => rate),
    },
    SOURCE,
  );
  return archive;
}

function configTo(to: EpochMs): BacktestConfig {
  const config = aBacktestConfig({ instrumentId: CONTRACT, interval: '1h' });
  return {
    ...config,
    equityCurrency: 'USDT',
    instruments: [
      {
        ...({ kind: 'futures', instrumentId: CONTRACT, symbol: 'E-BTC-USDT' } as const),
        ...({ base: 'BTC', quote: 'USDT', intervals: ['1h'], contract: 'linear' } as const),
        ...({ multiplier: FIXED_ONE, leverage: FIXED_ONE, marginMode: 'cross' } as const),
      },
    ],
    simulation: {
      ...config.simulation,
      to,
      balances: { futures: new Map([['USDT', 10_000n * FIXED_ONE]]) },
      rules: new Map([[CONTRACT, { tradable: true, pricePrecision: 3, quantityPrecision: 0 }]]),
    },
  };
}

/** Holds ten contracts from the first candle on, and notes its funding payments. */
function holder(paid: FundingPayment[]): StrategyClass {
  return class Holder extends CandleStrategy({}) {
    override onCandle(): void {
      this.enterLong({ quantity: '10' });
    }

    override onFunding(payment: FundingPayment): void {
      paid.push(payment);
    }
  };
}

async function paymentsTo(archive: Archive, to: EpochMs): Promise<readonly string[]> {
  const paid: FundingPayment[] = [];
  const record = await replayBacktest({
    config: configTo(to),
    archive,
    strategyClass: holder(paid),
    sourceHash: '',
  });
  expect(record.residual).toBe(0n);
  return paid.map(({ record: { eventTime, rate, markPrice, amount } }) =>
    [(eventTime - START) / HOUR_MS, ...[rate, markPrice, amount].map(formatFixed)].join(' '),
  );
}

describe('a run that ends at a settlement', () => {
  it.each(SETTLED)(
    'pays at hour $hour the stored rate at the open of the mark candle',
    async ({ hour, rate }) => {
      const archive = await anArchive();
      const to = START + hour * HOUR_MS;
      const longer = await paymentsTo(archive, START + HOURS * HOUR_MS);

      const payments = await paymentsTo(archive, to);

      expect(payments).toEqual(longer.filter((line) => Number(line.split(' ')[0]) <= hour));
      expect(payments.at(-1)).toMatch(new RegExp(`^${String(hour)} ${formatRate(rate)} `));
      expect(payments.at(-1)?.split(' ')[2]).toBe(String(hours(HOURS, 190).open[hour]));
    },
  );

  it('pays the same from the snapshot of a sweep', async () => {
    const archive = await anArchive();
    const to = START + 13 * HOUR_MS;
    const snapshot = await takeSnapshot(configTo(to), archive);

    expect(await paymentsTo(openSnapshot(snapshot), to)).toEqual(await paymentsTo(archive, to));
  });

  it('knows the same next funding times as a longer run', async () => {
    const archive = await anArchive();
    const timesTo = async (to: EpochMs): Promise<readonly (FundingTimes | undefined)[]> => {
      const times = createFundingTimes(
        await readTerms(configTo(to), archive),
        configTo(to).simulation.futures,
      );
      return Array.from({ length: 14 }, (_, hour) => times(CONTRACT, START + hour * HOUR_MS));
    };

    expect(await timesTo(START + 13 * HOUR_MS)).toEqual(await timesTo(START + HOURS * HOUR_MS));
  });

  it('uses the finest marks that cover the run, whatever else is stored', async () => {
    const archive = await anArchive();
    const columns = columnsOf(
      [0, 8, 16].map((hour) => ({ time: START + hour * HOUR_MS, volume: 0 })),
    );
    await archive.mergeMarks({ instrumentId: CONTRACT, interval: '8h', columns }, SOURCE);

    const { stored } = await readTerms(configTo(START + 8 * HOUR_MS), archive);

    expect(stored.get(CONTRACT)?.marks?.interval).toBe('1h');
  });
});

describe('a margin run that ends at a full hour', () => {
  it('owes the interest of that hour, as a longer run does', async () => {
    const archive = openArchive(await temporaryFolder());
    const key = { instrumentId: PAIR, interval: '1h' } as const;
    await archive.merge({ ...key, columns: hours(12, 200) }, { ...SOURCE, volumeUnit: 'base' });
    const interestTo = async (to: EpochMs): Promise<readonly string[]> => {
      const noted: string[] = [];
      await replayBacktest({
        config: marginConfigTo(to),
        archive,
        strategyClass: class Borrower extends CandleStrategy({}) {
          override onCandle(): void {
            this.enterLong({ equity: '2' });
          }

          override onAccountEvent(event: AccountEvent): void {
            const { kind, eventTime } = event;
            if (kind !== 'interest' || eventTime > END) return;
            noted.push(`${String((eventTime - START) / HOUR_MS)} ${event.amount.toFixed()}`);
          }
        },
        sourceHash: '',
      });
      return noted;
    };

    const noted = await interestTo(END);

    expect(noted.at(-1)).toMatch(/^6 0\.\d+$/);
    expect(noted).toEqual(await interestTo(END + 5 * HOUR_MS));
  });
});

const END = START + 6 * HOUR_MS;

function marginConfigTo(to: EpochMs): BacktestConfig {
  const config = aBacktestConfig({ instrumentId: PAIR, interval: '1h' });
  return {
    ...config,
    instruments: [
      {
        ...({ kind: 'margin', instrumentId: PAIR, symbol: 'BTCUSDT', base: 'BTC' } as const),
        ...({ quote: 'USDT', intervals: ['1h'], leverage: 3n * FIXED_ONE } as const),
      },
    ],
    simulation: {
      ...config.simulation,
      to,
      balances: { margin: new Map([['USDT', 10_000n * FIXED_ONE]]) },
    },
  };
}

function formatRate(rate: number): string {
  return rate.toFixed(8).replace(/0+$/, '');
}
