import { describe, expect, it } from 'vitest';

import { createInstrumentId } from '../../../src/domain/index.js';
import {
  CandleStrategy,
  type EntryTerms,
  type ExitTerms,
  PLAIN_INTENTS,
  type PlainIntent,
  type StrategyContext,
} from '../../../src/strategy/index.js';
import { FakeStrategyContext } from '../../support/fake-strategy-context.js';

const SIZE = { quantity: '1' };
const INSTRUMENT = createInstrumentId('spot', 'BTCUSDT');

class RequestMaker extends CandleStrategy({}) {
  override onCandle(): void {
    // What is wanted is said by the tests.
  }

  long(terms?: EntryTerms): number {
    return this.enterLong(SIZE, terms).intentId;
  }

  short(terms?: EntryTerms): number {
    return this.enterShort(SIZE, terms).intentId;
  }

  out(terms?: ExitTerms): number {
    return this.exit(terms).intentId;
  }
}

/** A context that knows one intent to change nothing, as number 7. */
class KnowingContext extends FakeStrategyContext {
  override readonly repeat: StrategyContext['repeat'];

  constructor(known: PlainIntent) {
    super(RequestMaker, { instruments: [{ instrumentId: INSTRUMENT, intervals: ['1min'] }] });
    this.repeat = (intent, _, terms) => (intent === known && terms === undefined ? 7 : undefined);
  }
}

const REQUESTS = {
  long: (strategy: RequestMaker) => strategy.long(),
  short: (strategy: RequestMaker) => strategy.short(),
  exit: (strategy: RequestMaker) => strategy.out(),
} as const;

describe('CandleStrategy', () => {
  it.each(['long', 'short', 'exit'] as const)(
    'makes no intent of "%s" where that is known to change nothing',
    (known) => {
      const context = new KnowingContext(PLAIN_INTENTS[known]);
      const strategy = new RequestMaker(context);

      expect(REQUESTS[known](strategy)).toBe(7);
      expect(context.intents).toEqual([]);
    },
  );

  it('raises the other intents', () => {
    const context = new KnowingContext(PLAIN_INTENTS.exit);
    const strategy = new RequestMaker(context);
    strategy.long();
    strategy.short();

    expect(context.intents).toEqual([
      { kind: 'enter', direction: 'long', size: SIZE },
      { kind: 'enter', direction: 'short', size: SIZE },
    ]);
  });

  it('raises what has terms of which nothing is known', () => {
    const context = new KnowingContext(PLAIN_INTENTS.exit);
    new RequestMaker(context).out({ direction: 'long' });

    expect(context.intents).toEqual([{ kind: 'exit', direction: 'long' }]);
  });
});
