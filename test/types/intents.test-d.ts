import { describe, expectTypeOf, it } from 'vitest';

import {
  CandleStrategy,
  cancel,
  enterLong,
  enterShort,
  exit,
  protect,
  replace,
  target,
  type Candle,
  type Level,
  type OrderIntent,
} from '#src/index.js';

const none = undefined as string | undefined;
const level = undefined as Level | undefined;

describe('a term that is undefined', () => {
  it('is one that is left out, also under exactOptionalPropertyTypes, which `new strategy` sets', () => {
    const protection = { stopLoss: level, takeProfit: level, trailingStop: level };
    const terms = { label: none, instrument: none, limitPrice: none, expireAfter: none, oco: none };
    const intents: readonly OrderIntent[] = [
      enterLong({ quantity: '1' }, { ...terms, protection, add: undefined }),
      enterShort({ quantity: '1' }, { ...terms, goodForMs: undefined, bracket: protection }),
      exit({ ...terms, size: undefined, direction: undefined, cancelEntries: undefined }),
      protect(protection),
      replace({ label: 'a' }, { limitPrice: none, quantity: none }),
      target(none, { weight: '0.5' }, { label: none, tolerance: none }),
      cancel({ label: 'a' }),
    ];
    expectTypeOf(intents).toEqualTypeOf<readonly OrderIntent[]>();
  });

  it('is one that is left out in the methods, too', () => {
    class Removes extends CandleStrategy() {
      override onCandle({ close }: Candle): void {
        const isUp = close > 100;
        this.protect({ stopLoss: isUp ? { price: '90' } : undefined });
        const bid = this.enterLong({ quantity: '1' }, { label: isUp ? 'up' : undefined });
        bid.replace({ limitPrice: isUp ? '99' : undefined, quantity: '1' });
      }
    }
    expectTypeOf<Removes>().toExtend<{ onCandle: (candle: Candle) => void }>();
  });
});
