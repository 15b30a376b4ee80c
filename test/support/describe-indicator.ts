import { describe, expect, it } from 'vitest';

import type { Candle } from '../../src/domain/index.js';
import type { AnyIndicator, IndicatorLine } from '../../src/strategy/index.js';
import { candlesOf } from './candles.js';

type Lines = Readonly<Record<string, IndicatorLine>>;

interface IndicatorCase<I extends AnyIndicator> {
  create: () => I;
  /** Candles before the first value. */
  readonly lookback: number;
  /** More candles than the lookback, with movement. */
  readonly candles: readonly Candle[];
  /** Every line of the indicator by its name. */
  lines: (indicator: I) => Lines;
  /** Value of each line when all candles are alike: at 100, without a range and with a volume of 10. */
  readonly atRest: Readonly<Record<string, number>>;
}

/** Registers the tests that hold for every indicator. */
export function describeIndicator<I extends AnyIndicator>(given: IndicatorCase<I>): void {
  const run = (candles: readonly Candle[], indicator = given.create()): Recording => {
    const recording: Recording = { value: [], previous: [] };
    for (const candle of candles) {
      indicator.update(candle);
      const lines = given.lines(indicator);
      recording.value.push(mapLines(lines, (line) => line.value));
      recording.previous.push(mapLines(lines, (line) => line.previous));
    }
    return recording;
  };

  describe('the indicator contract', () => {
    it(`IN-01 has its first value on candle ${String(given.lookback)}, counted from 0`, () => {
      const indicator = given.create();

      const ready = given.candles.map((candle) => {
        indicator.update(candle);
        return Object.values(given.lines(indicator)).map((line) => [
          line.isReady,
          Number.isFinite(line.value),
        ]);
      });

      const expected = (isReady: boolean): readonly (readonly boolean[])[] =>
        Object.keys(given.atRest).map(() => [isReady, isReady]);
      expect(given.candles.length).toBeGreaterThan(given.lookback + 10);
      expect(ready).toEqual(given.candles.map((_, index) => expected(index >= given.lookback)));
    });

    it('IN-02 has the given lookback', () => {
      expect(given.create().lookback).toBe(given.lookback);
    });

    it('IN-03 has the value of the candle before as its previous value', () => {
      const { value, previous } = run(given.candles);

      expect(previous.slice(1)).toEqual(value.slice(0, -1));
      expect(previous[0]).toEqual(mapLines(given.lines(given.create()), () => Number.NaN));
    });

    it('IN-04 gives the same values for the same candles', () => {
      expect(run(given.candles)).toEqual(run(given.candles));
    });

    it('IN-05 is independent of another instance that is fed between its candles', () => {
      const [subject, other] = [given.create(), given.create()];
      const mirrored = given.candles.toReversed();

      const values = given.candles.map((candle, index) => {
        subject.update(candle);
        other.update(mirrored[index] ?? candle);
        return mapLines(given.lines(subject), (line) => line.value);
      });

      expect(values).toEqual(run(given.candles).value);
    });

    it('IN-06 does not change the candles', () => {
      const frozen = given.candles.map((candle) => Object.freeze({ ...candle }));

      expect(() => run(frozen)).not.toThrow();
    });

    it('IN-07 has its value at rest if all candles are equal', () => {
      const atRest = candlesOf(Array.from({ length: given.lookback + 5 }, () => ({})));

      const { value } = run(atRest);

      expect(value.slice(given.lookback)).toEqual(Array.from({ length: 5 }, () => given.atRest));
    });
  });
}

interface Recording {
  readonly value: Readonly<Record<string, number>>[];
  readonly previous: Readonly<Record<string, number>>[];
}

function mapLines(lines: Lines, read: (line: IndicatorLine) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, read(line)]));
}
