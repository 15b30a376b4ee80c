import { describe, expect, it } from 'vitest';
import { openArchive, type Archive } from '../../../src/archive/index.js';
import { replayBacktest, type BacktestConfig } from '../../../src/assembly/index.js';
import {
  FIXED_ONE,
  formatFixed,
  parseFixed,
  type InstrumentId,
} from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { liquidationsOf } from '../../brute-force/isolated-liquidation.js';
import type { Bars } from '../../brute-force/hold-contract.js';
import {
  contractBacktest,
  faceOf,
  hourlyContracts,
  isInverse,
} from '../../support/stored-contracts.js';

/** EVENKEEL_ARCHIVE names another archive, to compare on real candles by hand. */
const named = process.env['EVENKEEL_ARCHIVE'];
const stored = openArchive(named ?? 'backtest/data');
const instruments = await hourlyContracts(stored);

const TICK = '0.01';
const FORCED_FEE = '0.0006';
const SLIPPAGE = '0.0003';
/** The size limit of the smaller tier, in the margin asset, and the maintenance rates of both tiers. */
const TIERS = { linear: '50000', inverse: '2', keep: ['0.004', '0.012'] } as const;

const LEVERAGES = process.env['EVENKEEL_LONG'] === '1' ? [20, 50, 100] : [50];
const CASES = LEVERAGES.flatMap((leverage) =>
  (['long', 'short'] as const).flatMap((direction) =>
    ([true, false] as const).map((hasMarks) => ({ leverage, direction, hasMarks })),
  ),
);
type Case = (typeof CASES)[number];

describe.each(instruments)('$instrumentId isolated, on two tiers', ({ instrumentId }) => {
  it.each(CASES)(
    '$direction at leverage $leverage, marks stored: $hasMarks: time, price and size match an independent script',
    async (terms) => {
      const record = await run(instrumentId, terms);
      const fills = [...record.fills];
      const forced = fills.filter(({ cause }) => cause === 'liquidation');

      expect(forced.map(lineOf)).toEqual(await workOut(instrumentId, terms, fills));
      expect(record.residual).toBe(0n);
      // More than one position. On the shipped candles some are liquidated in steps; on other candles one step may close each position.
      const entries = fills.length - forced.length;
      expect(forced.length).toBeGreaterThan(named === undefined ? entries : 1);
    },
  );
});

type FillRow = RunRecord['fills'] extends Iterable<infer T> ? T : never;

const lineOf = ({ record }: FillRow): string =>
  `${String(record.eventTime)} ${formatFixed(record.quantity)} @ ${formatFixed(record.price)}`;

/** Enters whenever it holds nothing. The venue ends its positions. */
function enters({ direction }: Case, contracts: string) {
  return class Entering extends CandleStrategy({}) {
    override onCandle({ close }: { readonly close: number }): void {
      const isLong = direction === 'long';
      const limitPrice = (close * (isLong ? 1.01 : 0.99)).toFixed(1);
      const terms = { limitPrice, timeInForce: 'IOC' as const };
      if (isLong) this.enterLong({ quantity: contracts }, terms);
      else this.enterShort({ quantity: contracts }, terms);
    }
  };
}

/** This test sets its own terms, whatever the archive stores. */
function archiveFor({ hasMarks }: Case): Archive {
  return {
    ...stored,
    rules: () => Promise.resolve([]),
    tiers: () => Promise.resolve([]),
    funding: () => Promise.resolve(undefined),
    markIntervals: () => Promise.resolve(hasMarks ? (['1h'] as const) : []),
  };
}

/** A size above the smaller tier at any stored price. */
const contractsOf = (id: InstrumentId): string => (isInverse(id) ? '4000' : '1500');

function run(instrumentId: InstrumentId, terms: Case): Promise<RunRecord> {
  return replayBacktest({
    config: configOf(instrumentId, terms),
    archive: archiveFor(terms),
    strategyClass: enters(terms, contractsOf(instrumentId)),
    sourceHash: 'isolated-liquidation',
  });
}

function configOf(instrumentId: InstrumentId, { leverage }: Case): BacktestConfig {
  const maxLeverage = 125n * FIXED_ONE;
  const [small, large] = TIERS.keep;
  const maxValue = parseFixed(isInverse(instrumentId) ? TIERS.inverse : TIERS.linear);
  const config = contractBacktest(instrumentId, {
    leverage,
    marginMode: 'isolated',
    forcedFee: parseFixed(FORCED_FEE),
    tiers: [
      { maxValue, maxLeverage, keepRate: parseFixed(small) },
      { maxValue: undefined, maxLeverage, keepRate: parseFixed(large) },
    ],
    balance: '1000000000',
  });
  const slippage = { model: 'fixed', bps: parseFixed('3') } as const;
  return { ...config, simulation: { ...config.simulation, slippage } };
}

/** The liquidations after each entry of a run, worked out from the stored candles and the entries. */
async function workOut(
  instrumentId: InstrumentId,
  { leverage, direction, hasMarks }: Case,
  fills: readonly FillRow[],
): Promise<readonly string[]> {
  const candles = await stored.read(instrumentId, '1h');
  const marks = hasMarks ? await stored.marks(instrumentId, '1h') : undefined;
  const inverse = isInverse(instrumentId);
  const [small, large] = TIERS.keep;
  return fills
    .filter(({ cause }) => cause === undefined)
    .flatMap(({ record: entry }) =>
      liquidationsOf(candles, marks ?? NO_BARS, {
        isLong: direction === 'long',
        isInverse: inverse,
        contracts: formatFixed(entry.quantity),
        face: faceOf(instrumentId),
        entryTime: entry.eventTime,
        entryPrice: formatFixed(entry.price),
        leverage: String(leverage),
        tiers: [
          { max: inverse ? TIERS.inverse : TIERS.linear, keep: small },
          { max: undefined, keep: large },
        ],
        maxFeeRate: FORCED_FEE,
        cost: SLIPPAGE,
        tick: TICK,
      }).map(({ time, contracts, price }) => `${String(time)} ${contracts} @ ${price}`),
    );
}

const NO_BARS: Bars = { openTime: [], open: [], high: [], low: [], close: [] };
