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
  it('carries what it declares, and passes it on', () => {
    expect(Quiet[STRATEGY]).toEqual({
      parameters: { fast: int(2, 200, 10) },
      requirements: { instruments: 2 },
    });
    expect(Quieter[STRATEGY]).toBe(Quiet[STRATEGY]);
  });

  it('may declare nothing', () => {
    expect(Strategy()[STRATEGY]).toEqual(Strategy({})[STRATEGY]);
    expect(CandleStrategy()[STRATEGY]).toEqual(CandleStrategy({})[STRATEGY]);
  });

  it('is recognized by its mark, even if another copy of the package made it', () => {
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

  it.each([undefined, null, {}, Date, () => undefined, 'Quiet'])('is not %o', (value) => {
    expect(isStrategyClass(value)).toBe(false);
  });
});
