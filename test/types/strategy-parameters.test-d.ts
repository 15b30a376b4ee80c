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

  it('are typed so in RxJS style, too', () => {
    class Streams extends Strategy({ mode: choice(['a', 'b'], { defaultValue: 'b' }) }) {
      override intents(): Observable<OrderIntent> {
        return of();
      }
    }

    expectTypeOf<Streams['parameters']>().toEqualTypeOf<{ readonly mode: 'a' | 'b' }>();
  });

  it('reach the fields of a class without a cast', () => {
    class Averaged extends CandleStrategy({ fast: int(2, 200, 10) }) {
      readonly fast = this.indicator(sma(this.parameters.fast));

      override onCandle(): void {
        expectTypeOf(this.fast.value).toEqualTypeOf<number>();
      }
    }

    expectTypeOf<Averaged>().toHaveProperty('fast');
  });

  it('that are not declared do not compile', () => {
    // @ts-expect-error: `fest` is not declared
    type Misspelled = Parameters['fest'];

    expectTypeOf<Parameters>().not.toHaveProperty('fest');
    expectTypeOf<Misspelled>().toBeAny();
  });

  it('cannot be written, or be used as another type', () => {
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

  it('are declared with what their kind takes', () => {
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
  it('in candle style has to say what it does with a candle', () => {
    // @ts-expect-error: onCandle is missing
    class Idle extends CandleStrategy({}) {}

    expectTypeOf<Idle>().toExtend<object>();
  });

  it('in RxJS style has to say what it wants', () => {
    // @ts-expect-error: intents is missing
    class Idle extends Strategy({}) {}

    expectTypeOf<Idle>().toExtend<object>();
  });

  it('says `override` where it changes what it inherits', () => {
    class Shadows extends Declared {
      // @ts-expect-error: `override` is missing
      onCandle(): void {
        // Only its declaration matters.
      }
    }

    expectTypeOf<Shadows>().toExtend<Declared>();
  });

  it('is given candles in float64 and money in decimals', () => {
    expectTypeOf<Candle['close']>().toEqualTypeOf<number>();
    expectTypeOf<Declared['equity']>().toEqualTypeOf<Decimal>();
    expectTypeOf<Parameters['fast']>().not.toExtend<Decimal>();
    expectTypeOf<Candle['instrumentId']>().toEqualTypeOf<InstrumentId>();
  });

  it('may not change what it is given', () => {
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
  it('takes amounts as text or Decimal, never as a number', () => {
    // @ts-expect-error: 0.1 is not what it shows
    enterLong({ quantity: 0.1 });
    // @ts-expect-error: neither is 95.5
    enterLong({ quantity: '0.1' }, { limitPrice: 95.5 });

    expectTypeOf(enterLong({ quantity: '0.1' })).toExtend<OrderIntent>();
  });

  it('has one size, and no terms that do not exist', () => {
    // @ts-expect-error: a size says what it counts
    enterLong({});
    // @ts-expect-error: stop-losses stand under `protection`
    enterLong({ equity: '0.5' }, { stopLoss: { ratio: '0.02' } });
    // @ts-expect-error: the venue knows no such time in force
    enterLong({ equity: '0.5' }, { timeInForce: 'GTD' });
  });
});
