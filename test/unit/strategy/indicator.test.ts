import { describe, expect, it } from 'vitest';

import type { Candle } from '../../../src/domain/index.js';
import { crossedAbove, crossedBelow, Indicator } from '../../../src/strategy/index.js';
import { aCandle } from '../../support/candles.js';

/** Shows the close from the third candle on. */
class Late extends Indicator {
  readonly lookback = 2;
  #candles = 0;

  protected override next({ close }: Candle): number {
    this.#candles += 1;
    return this.#candles > this.lookback ? close : Number.NaN;
  }
}

const line = (previous: number, value: number): { previous: number; value: number } => ({
  previous,
  value,
});

describe('Indicator', () => {
  it('has no value during its lookback, and no previous value with its first value', () => {
    const late = new Late();

    const seen = [1, 2, 3, 4].map((close) => {
      late.update(aCandle({ close }));
      return [late.previous, late.value, late.isReady];
    });

    expect(seen).toEqual([
      [NaN, NaN, false],
      [NaN, NaN, false],
      [NaN, 3, true],
      [3, 4, true],
    ]);
  });
});

describe('crossedAbove and crossedBelow', () => {
  it.each<readonly [unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['fast', 'fast'],
    [{ line: 1 }, 'an object'],
  ])('refuse %j, which is no line', (line, received) => {
    const refusal = `expected an indicator with one value, a line of one, or a number, received ${received}`;

    expect(() => crossedAbove(line as number, 1)).toThrow(refusal);
    expect(() => crossedBelow(1, line as number)).toThrow(refusal);
  });

  it.each([
    { fast: line(1, 3), slow: line(2, 2), above: true, below: false },
    { fast: line(2, 3), slow: line(2, 2), above: true, below: false },
    { fast: line(3, 1), slow: line(2, 2), above: false, below: true },
    { fast: line(2, 1), slow: line(2, 2), above: false, below: true },
    { fast: line(3, 4), slow: line(2, 2), above: false, below: false },
    { fast: line(1, 2), slow: line(2, 2), above: false, below: false },
    { fast: line(2, 2), slow: line(2, 2), above: false, below: false },
    { fast: line(NaN, 3), slow: line(2, 2), above: false, below: false },
    { fast: line(1, 3), slow: line(NaN, 2), above: false, below: false },
    { fast: line(1, 3), slow: 2, above: true, below: false },
    { fast: 2, slow: line(1, 3), above: false, below: true },
  ])('of $fast over $slow: $above, $below', ({ fast, slow, above, below }) => {
    expect([crossedAbove(fast, slow), crossedBelow(fast, slow)]).toEqual([above, below]);
  });
});
