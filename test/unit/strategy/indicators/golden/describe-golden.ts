import { describe, expect, it } from 'vitest';

import type { AnyIndicator } from '../../../../../src/strategy/index.js';
import { goldenCandles, goldenLine, type GoldenName } from './talib.js';

/** The recorded values have 12 digits. The rest of the tolerance is for another order of summation. */
const TRANSCRIBED = 1e-10;

interface GoldenCase<I extends AnyIndicator> {
  create: () => I;
  /** The number of the indicator for each recorded line. */
  readonly lines: Readonly<Partial<Record<GoldenName, (indicator: I) => number>>>;
  /** Candles at the start of a recorded line for which our indicator has no value yet. @defaultValue 0 */
  readonly later?: number;
  /** Allowed difference, as a fraction of the value, or of 1 if the value is smaller. @defaultValue 1e-10 */
  readonly tolerance?: number;
}

/** Registers tests that an indicator equals TA-Lib from the first value on. */
export function describeGolden<I extends AnyIndicator>(given: GoldenCase<I>): void {
  const { create, lines, later = 0, tolerance = TRANSCRIBED } = given;

  describe('comparison with TA-Lib', () => {
    for (const [name, read] of Object.entries(lines)) {
      it(`equals ${name} from the first value`, () => {
        const indicator = create();
        const recorded = goldenLine(name as GoldenName);

        const differences = goldenCandles.map((candle, index) => {
          indicator.update(candle);
          const expected = recorded[index] ?? Number.NaN;
          return (read(indicator) - expected) / Math.max(1, Math.abs(expected));
        });

        const first = recorded.findIndex((value) => !Number.isNaN(value)) + later;
        expect(differences.findIndex((difference) => !Number.isNaN(difference))).toBe(first);
        for (const [index, difference] of differences.entries()) {
          if (index >= first) expect(Math.abs(difference)).toBeLessThanOrEqual(tolerance);
        }
      });
    }
  });
}
