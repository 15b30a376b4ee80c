import fc from 'fast-check';

import { MINUTE_MS, type FuturesInstrument } from '../../../src/domain/index.js';
import { aContract, aFuturesVenue, aTier, type ObservedFutures } from '../futures-venue.js';
import type { NaiveContractTerms } from '../naive/naive-contracts.js';
import { NaiveFutures } from '../naive/naive-futures.js';
import { isHighNearer } from '../naive/naive-path.js';
import { feesOf, START, type VenueCandle } from '../spot-venue.js';

/** Shifts of the marks against the candles. Marks also move on their own. */
const marks = fc.array(
  fc.record({ shift: fc.integer({ min: -8, max: 8 }), widen: fc.nat({ max: 4 }) }),
  { minLength: 4, maxLength: 4 },
);

/** Tiers with steep steps: a position reduced by a tier or two can survive. */
const STEEP_TIERS: NaiveContractTerms['tiers'] = [
  { max: '40', keep: '0.0004', leverage: '1000' },
  { max: '150', keep: '0.005', leverage: '150' },
  { max: undefined, keep: '0.025', leverage: '35' },
];

/** Possible terms of a contract, its account and its venue. */
export const contractTerms = fc.record({
  isInverse: fc.boolean(),
  // Isolated is more frequent, because isolated positions are liquidated more often.
  isCross: fc.constantFrom(true, false, false),
  leverage: fc.constantFrom(
    '3',
    '33',
    '33',
    '33',
    '100',
    '100',
    '100',
    '333',
    '333',
    '700',
    '1000',
  ),
  fees: fc.constantFrom(
    feesOf('0', '0', 'quote'),
    feesOf('0.0002', '0.0006', 'quote'),
    feesOf('0.000333333333333333', '0.000777777777777777', 'quote'),
    feesOf('0.000777777777777777', '0.0002', 'quote'),
  ),
  maxFeeRate: fc.constantFrom('0', '0.0006', '0.000777777777777777'),
  halfSpread: fc.constantFrom('0', '0', '0.0003'),
  participation: fc.constantFrom(undefined, undefined, '0.1', '1'),
  fillOnTouch: fc.boolean(),
  tiers: fc.constantFrom<NaiveContractTerms['tiers']>(
    [{ max: undefined, keep: '0', leverage: '1000' }],
    [
      { max: '40', keep: '0.0004', leverage: '1000' },
      { max: '150', keep: '0.0008', leverage: '700' },
      { max: undefined, keep: '0.0016', leverage: '400' },
    ],
    STEEP_TIERS,
    STEEP_TIERS,
    STEEP_TIERS,
  ),
  balance: fc.constantFrom('0.5', '10', '10', '25', '25', '500'),
  funding: fc.array(fc.constantFrom('0.0001', '-0.0003', '0.000123456789'), { maxLength: 3 }),
  marks: fc.option(marks, { nil: undefined }),
});

export type ContractTerms = typeof contractTerms extends fc.Arbitrary<infer T> ? T : never;

function markOf({ path, minute }: VenueCandle, shift: number, widen: number): VenueCandle {
  const [open, high, low, close] = path.map((at) => Math.round(at * 100) + shift);
  return {
    ...(minute !== undefined && { minute }),
    path: [
      (open ?? 0) / 100,
      ((high ?? 0) + widen) / 100,
      ((low ?? 0) - widen) / 100,
      (close ?? 0) / 100,
    ],
  };
}

/** A simulated venue for one contract, and a naive venue on the same terms. */
export function createContractTwins(
  candles: readonly VenueCandle[],
  setup: ContractTerms,
): {
  readonly instrument: FuturesInstrument;
  readonly observed: ObservedFutures;
  readonly naive: NaiveFutures;
} {
  const { isInverse, leverage, isCross, tiers } = setup;
  const multiplier = isInverse ? '100' : '0.01';
  const instrument = aContract(isInverse ? 'inverse' : 'linear', {
    multiplier,
    leverage,
    marginMode: isCross ? 'cross' : 'isolated',
  });
  const funding = new Map(setup.funding.map((rate, index) => [index + 1, rate]));
  const marked = setup.marks;
  const ownMarks =
    marked &&
    candles.map((candle, index) => {
      const { shift, widen } = marked[index % marked.length] ?? { shift: 0, widen: 0 };
      return markOf(candle, shift, widen);
    });
  const naive = new NaiveFutures({
    ...setup,
    candles,
    marks: ownMarks,
    funding,
    multiplier,
    isHighFirst: isHighNearer,
  });
  const observed = aFuturesVenue({
    contracts: [
      {
        instrument,
        candles,
        ...(ownMarks && { mark: { candles: ownMarks } }),
        funding: {
          stored: {
            time: Float64Array.from(funding.keys(), (minute) => START + minute * MINUTE_MS),
            rate: Float64Array.from(funding.values(), Number),
          },
        },
        tiers: tiers.map(({ max, keep, leverage: most }) => aTier(keep, most, max)),
      },
    ],
    balances: { [instrument.marginAsset]: setup.balance },
    fees: setup.fees,
    maxFeeRate: setup.maxFeeRate,
    halfSpread: setup.halfSpread,
    ...(setup.participation !== undefined && { participation: setup.participation }),
    fillOnTouch: setup.fillOnTouch,
  });
  return { instrument, observed, naive };
}
