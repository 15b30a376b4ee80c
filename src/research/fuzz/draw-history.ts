import type * as FastCheck from 'fast-check';
import { RULE_CHANGES, type History, type MarketStretch } from './history.js';

/** Most stretches of one instrument: enough for several unlucky events in a row. */
const MOST_STRETCHES = 24;
/** Most candles of a stretch: without a change, in a steady move, with little volume, and missing. */
const LONGEST = { flat: 60, move: 20, thin: 10, halt: 24 } as const;
/** Farthest change of the price: 3 % per candle of a move, 30 % for a gap, 50 % for a spike. */
const FARTHEST_BPS = { move: 300, gap: 3_000, spike: 5_000 } as const;

interface DrawnMarkets {
  readonly instruments: number;
  /** Length of a candle. */
  readonly candleMs: number;
}

/** Draws histories. They shrink to fewer, shorter and flatter stretches, and to candles that are not late. */
export function drawHistory(
  fc: typeof FastCheck,
  { instruments, candleMs }: DrawnMarkets,
): FastCheck.Arbitrary<History> {
  const stretches = fc.array(drawStretch(fc), { maxLength: MOST_STRETCHES, size: 'max' });
  return fc.record({
    lateMs: fc.constantFrom(0, 0, 0, 1_000, Math.round(candleMs / 2), candleMs),
    markets: fc.array(stretches, { minLength: instruments, maxLength: instruments }),
  });
}

function drawStretch(fc: typeof FastCheck): FastCheck.Arbitrary<MarketStretch> {
  const candles = (max: number): FastCheck.Arbitrary<number> => fc.integer({ min: 1, max });
  const bps = (most: number): FastCheck.Arbitrary<number> => fc.integer({ min: -most, max: most });
  const kind = <const Kind extends string>(name: Kind): FastCheck.Arbitrary<Kind> =>
    fc.constant(name);
  return fc.oneof(
    { withCrossShrink: true },
    fc.record({ kind: kind('flat'), candles: candles(LONGEST.flat) }),
    fc.record({ kind: kind('move'), candles: candles(LONGEST.move), bps: bps(FARTHEST_BPS.move) }),
    fc.record({ kind: kind('move'), candles: candles(LONGEST.move), bps: bps(FARTHEST_BPS.move) }),
    fc.record({ kind: kind('gap'), bps: bps(FARTHEST_BPS.gap) }),
    fc.record({ kind: kind('spike'), bps: bps(FARTHEST_BPS.spike) }),
    fc.record({
      kind: kind('thin'),
      candles: candles(LONGEST.thin),
      percent: fc.integer({ min: 1, max: 100 }),
    }),
    fc.record({ kind: kind('halt'), candles: candles(LONGEST.halt) }),
    fc.record({ kind: kind('rules'), change: fc.constantFrom(...RULE_CHANGES) }),
  );
}
