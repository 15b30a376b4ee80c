import { describe, expect, it } from 'vitest';
import { openArchive, type Archive } from '../../../src/archive/index.js';
import { replayBacktest, type BacktestConfig } from '../../../src/assembly/index.js';
import {
  FIXED_ONE,
  formatFixed,
  parseFixed,
  present,
  type InstrumentId,
} from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { CandleStrategy, type StrategyClass } from '../../../src/strategy/index.js';
import { holdContract, type Bars, type Outcome } from '../../brute-force/hold-contract.js';
import {
  contractBacktest,
  faceOf,
  hourlyContracts,
  isInverse,
} from '../../support/stored-contracts.js';

/** EVENKEEL_ARCHIVE names another archive, to compare on real candles by hand. */
const stored = openArchive(process.env['EVENKEEL_ARCHIVE'] ?? 'backtest/data');
/** This test sets its own terms, whatever the archive stores. */
const archive: Archive = {
  ...stored,
  rules: () => Promise.resolve([]),
  tiers: () => Promise.resolve([]),
};
const contracts = await hourlyContracts(archive);

const KEEP_RATE = parseFixed('0.005');
const FORCED_FEE = parseFixed('0.0006');
/** Part of the money that becomes margin. */
const STAKE = 0.4;

const CASES = [1, 3, 10, 50].flatMap((leverage) =>
  (['long', 'short'] as const).flatMap((direction) =>
    (['cross', 'isolated'] as const).map((marginMode) => ({ leverage, direction, marginMode })),
  ),
);
type Case = (typeof CASES)[number];

describe.each(contracts)('$instrumentId held', ({ instrumentId }) => {
  it.each(CASES)(
    '$direction at leverage $leverage, $marginMode: funding and liquidation match an independent script',
    async (terms) => {
      const record = await run(instrumentId, terms);
      const expected = await workOut(instrumentId, terms, record);
      const forced = [...record.fills].find(({ cause }) => cause === 'liquidation');

      expect(formatFixed(record.costs.funding)).toBe(expected.funding);
      expect(forced && Math.floor(forced.record.eventTime / 3_600_000) * 3_600_000).toBe(
        expected.liquidatedIn,
      );
      expect(record.residual).toBe(0n);
    },
  );
});

describe('the cases of held contracts', () => {
  it('include liquidated positions and others', async () => {
    const [first] = contracts;
    const { instrumentId } = present(first, 'a contract with candles of 1h');
    const ends = await Promise.all(
      CASES.map(async (terms) => {
        const { fills } = await run(instrumentId, terms);
        return [...fills].some(({ cause }) => cause === 'liquidation');
      }),
    );

    expect(new Set(ends)).toEqual(new Set([true, false]));
  });
});

/** Opens once, at the first candle, and holds. A limit with IOC, because risk refuses a MARKET order that opens an inverse contract sized in equity. */
function holder({ direction, leverage }: Case): StrategyClass {
  return class Holder extends CandleStrategy({}) {
    #hasEntered = false;

    override onCandle({ close }: { readonly close: number }): void {
      if (this.#hasEntered) return;
      this.#hasEntered = true;
      const isLong = direction === 'long';
      const size = { equity: String(STAKE * leverage) };
      const terms = {
        limitPrice: (close * (isLong ? 1.01 : 0.99)).toFixed(1),
        timeInForce: 'IOC' as const,
      };
      if (isLong) this.enterLong(size, terms);
      else this.enterShort(size, terms);
    }
  };
}

function run(instrumentId: InstrumentId, terms: Case): Promise<RunRecord> {
  return replayBacktest({
    config: configOf(instrumentId, terms),
    archive,
    strategyClass: holder(terms),
    sourceHash: 'hold-contract',
  });
}

function configOf(instrumentId: InstrumentId, { leverage, marginMode }: Case): BacktestConfig {
  return contractBacktest(instrumentId, {
    leverage,
    marginMode,
    forcedFee: FORCED_FEE,
    tiers: [{ maxValue: undefined, maxLeverage: 125n * FIXED_ONE, keepRate: KEEP_RATE }],
    balance: isInverse(instrumentId) ? '1' : '10000',
  });
}

async function workOut(
  instrumentId: InstrumentId,
  { leverage, marginMode, direction }: Case,
  { fills, initialEquity }: RunRecord,
): Promise<Outcome> {
  const { record: entry } = present([...fills][0], 'an entry');
  const inverse = isInverse(instrumentId);
  const face = faceOf(instrumentId);
  const price = Number(formatFixed(entry.price));
  const size = Number(formatFixed(entry.quantity)) * Number(face);
  const value = inverse ? size / price : size * price;
  const balance = inverse ? '1' : formatFixed(initialEquity);
  return holdContract(
    await archive.read(instrumentId, '1h'),
    (await archive.marks(instrumentId, '1h')) ?? NO_BARS,
    (await archive.funding(instrumentId)) ?? { time: [], rate: [] },
    {
      isLong: direction === 'long',
      isInverse: inverse,
      contracts: formatFixed(entry.quantity),
      face,
      entryTime: entry.eventTime,
      entryPrice: formatFixed(entry.price),
      money: marginMode === 'cross' ? balance : String(value / leverage),
      keep: formatFixed(KEEP_RATE + FORCED_FEE),
    },
  );
}

const NO_BARS: Bars = { openTime: [], open: [], high: [], low: [], close: [] };
