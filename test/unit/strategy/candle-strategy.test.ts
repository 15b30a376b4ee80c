import { describe, expect, it } from 'vitest';

import { createInstrumentId } from '../../../src/domain/index.js';
import {
  CandleStrategy,
  type EntryTerms,
  type ExitTerms,
  type PlainWish,
  type StrategyContext,
} from '../../../src/strategy/index.js';
import { FakeStrategyContext } from '../../support/fake-strategy-context.js';

const SIZE = { quantity: '1' };
const INSTRUMENT = createInstrumentId('spot', 'BTCUSDT');

class Wishing extends CandleStrategy({}) {
  override onCandle(): void {
    // What is wanted is said by the tests.
  }

  long(terms?: EntryTerms): number {
    return this.enterLong(SIZE, terms);
  }

  short(terms?: EntryTerms): number {
    return this.enterShort(SIZE, terms);
  }

  out(terms?: ExitTerms): number {
    return this.exit(terms);
  }
}

/** A context that knows one wish to change nothing, as number 7. */
class KnowingContext extends FakeStrategyContext {
  override readonly repeat: StrategyContext['repeat'];

  constructor(known: PlainWish) {
    super(Wishing, { instruments: [{ instrumentId: INSTRUMENT, intervals: ['1min'] }] });
    this.repeat = (wish) => (wish === known ? 7 : undefined);
  }
}

const WISHES = {
  long: (strategy: Wishing) => strategy.long(),
  short: (strategy: Wishing) => strategy.short(),
  exit: (strategy: Wishing) => strategy.out(),
} as const;

describe('CandleStrategy', () => {
  it.each(['long', 'short', 'exit'] as const)(
    'makes no intent of "%s" where that is known to change nothing',
    (known) => {
      const context = new KnowingContext(known);
      const strategy = new Wishing(context);

      expect(WISHES[known](strategy)).toBe(7);
      expect(context.intents).toEqual([]);
    },
  );

  it('raises the other wishes', () => {
    const context = new KnowingContext('exit');
    const strategy = new Wishing(context);
    strategy.long();
    strategy.short();

    expect(context.intents).toEqual([
      { kind: 'enter', direction: 'long', size: SIZE },
      { kind: 'enter', direction: 'short', size: SIZE },
    ]);
  });

  it('raises what has terms', () => {
    const context = new KnowingContext('exit');
    new Wishing(context).out({ direction: 'long' });

    expect(context.intents).toEqual([{ kind: 'exit', direction: 'long' }]);
  });
});
