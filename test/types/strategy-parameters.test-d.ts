import { of, type Observable } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';

import {
  bool,
  CandleStrategy,
  choice,
  enterLong,
  int,
  number,
  sma,
  Strategy,
  type Candle,
  type Decimal,
  type InstrumentId,
  type Market,
  type OrderIntent,
} from '#src/index.js';

const declared = {
  fast: int(2, 200, 10),
  ratio: number(0, 1, 0.5),
  isOn: bool(true),
  mode: choice(['long', 'flat']),
};

class Declared extends CandleStrategy(declared) {
  override onCandle(): void {
    // Only its types matter.
  }
}

type Parameters = Declared['parameters'];

describe('parameters', () => {
  it('are typed from their declaration', () => {
    expectTypeOf<Parameters>().toEqualTypeOf<{
      readonly fast: number;
      readonly ratio: number;
      readonly isOn: boolean;
      readonly mode: 'long' | 'flat';
    }>();
  });

  it('are typed in the same way in RxJS style', () => {
    class Streams extends Strategy({ mode: choice(['a', 'b'], { defaultValue: 'b' }) }) {
      override intents(): Observable<OrderIntent> {
        return of();
      }
    }

    expectTypeOf<Streams['parameters']>().toEqualTypeOf<{ readonly mode: 'a' | 'b' }>();
  });

  it('can be used in the fields of a class without a cast', () => {
    class Averaged extends CandleStrategy({ fast: int(2, 200, 10) }) {
      readonly fast = this.indicator(sma(this.parameters.fast));

      override onCandle(): void {
        expectTypeOf(this.fast.value).toEqualTypeOf<number>();
      }
    }

    expectTypeOf<Averaged>().toHaveProperty('fast');
  });

  it('do not compile if they are not declared', () => {
    // @ts-expect-error: `fest` is not declared
    type Misspelled = Parameters['fest'];

    expectTypeOf<Parameters>().not.toHaveProperty('fest');
    expectTypeOf<Misspelled>().toBeAny();
  });

  it('cannot be changed, or used as another type', () => {
    class Writes extends CandleStrategy({ fast: int(2, 200, 10) }) {
      override onCandle(): void {
        // @ts-expect-error: parameters are readonly
        this.parameters.fast = 5;
        // @ts-expect-error: a number is no word
        this.exit({ label: this.parameters.fast });
      }
    }

    expectTypeOf<Writes>().toExtend<object>();
  });

  it('are declared only with values of their kind', () => {
    // @ts-expect-error: bounds are numbers
    int('2', 200, 10);
    // @ts-expect-error: a whole number has a default
    int(2, 200);
    // @ts-expect-error: a default is one of the options
    choice(['a', 'b'], { defaultValue: 'c' });
    // @ts-expect-error: a bare number declares nothing
    CandleStrategy({ fast: 10 });
  });
});

describe('a strategy', () => {
  it('in candle style must define onCandle', () => {
    // @ts-expect-error: onCandle is missing
    class Idle extends CandleStrategy({}) {}

    expectTypeOf<Idle>().toExtend<object>();
  });

  it('in RxJS style must define intents', () => {
    // @ts-expect-error: intents is missing
    class Idle extends Strategy({}) {}

    expectTypeOf<Idle>().toExtend<object>();
  });

  it('must write `override` to change an inherited method', () => {
    class Shadows extends Declared {
      // @ts-expect-error: `override` is missing
      onCandle(): void {
        // Only its declaration matters.
      }
    }

    expectTypeOf<Shadows>().toExtend<Declared>();
  });

  it('receives candles in float64 and money in decimals', () => {
    expectTypeOf<Candle['close']>().toEqualTypeOf<number>();
    expectTypeOf<Declared['equity']>().toEqualTypeOf<Decimal>();
    expectTypeOf<Parameters['fast']>().not.toExtend<Decimal>();
    expectTypeOf<Candle['instrumentId']>().toEqualTypeOf<InstrumentId>();
  });

  it('cannot change candles or the market', () => {
    const change = (candle: Candle, market: Market): void => {
      // @ts-expect-error: candles are readonly
      candle.close = 5;
      // @ts-expect-error: and so is the market
      market.slices$ = of();
    };

    expectTypeOf(change).returns.toBeVoid();
  });
});

describe('an intent', () => {
  it('accepts amounts as text or Decimal, never as a number', () => {
    // @ts-expect-error: 0.1 is not what it shows
    enterLong({ quantity: 0.1 });
    // @ts-expect-error: neither is 95.5
    enterLong({ quantity: '0.1' }, { limitPrice: 95.5 });

    expectTypeOf(enterLong({ quantity: '0.1' })).toExtend<OrderIntent>();
  });

  it('needs a size, and accepts no unknown terms', () => {
    // @ts-expect-error: a size says what it counts
    enterLong({});
    // @ts-expect-error: stop-losses stand under `protection`
    enterLong({ equity: '0.5' }, { stopLoss: { ratio: '0.02' } });
    // @ts-expect-error: the venue knows no such time in force
    enterLong({ equity: '0.5' }, { timeInForce: 'GTD' });
  });
});
