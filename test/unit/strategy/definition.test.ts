import { NEVER, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import type { OrderIntent } from '../../../src/domain/index.js';
import {
  CandleStrategy,
  int,
  isStrategyClass,
  Strategy,
  STRATEGY,
} from '../../../src/strategy/index.js';

class Quiet extends Strategy({ fast: int(2, 200, 10) }, { instruments: 2 }) {
  override intents(): Observable<OrderIntent> {
    return NEVER;
  }
}

class Quieter extends Quiet {}

describe('a strategy class', () => {
  it('carries its declared parameters and requirements, and passes them on to a subclass', () => {
    expect(Quiet[STRATEGY]).toEqual({
      parameters: { fast: int(2, 200, 10) },
      requirements: { instruments: 2 },
    });
    expect(Quieter[STRATEGY]).toBe(Quiet[STRATEGY]);
  });

  it('can declare nothing', () => {
    expect(Strategy()[STRATEGY]).toEqual(Strategy({})[STRATEGY]);
    expect(CandleStrategy()[STRATEGY]).toEqual(CandleStrategy({})[STRATEGY]);
  });

  it('is recognized by its symbol, also if another copy of the package made it', () => {
    const Foreign = Object.assign(function Foreign() {}, {
      [Symbol.for('evenkeel.strategy')]: { parameters: {}, requirements: {} },
    });

    expect([Quiet, Quieter, CandleStrategy({}), Foreign].map(isStrategyClass)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it.each([undefined, null, {}, Date, () => undefined, 'Quiet'])(
    '%o is not a strategy class',
    (value) => {
      expect(isStrategyClass(value)).toBe(false);
    },
  );
});
