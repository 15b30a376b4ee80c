import { describe, expect, it } from 'vitest';

import { createInstrumentId, RuleBook, type OrderIntent } from '../../../../src/domain/index.js';
import { EngineClock } from '../../../../src/engine/time/engine-clock.js';
import { IntentQueue } from '../../../../src/engine/intents/intent-queue.js';
import { KnownForms } from '../../../../src/engine/orders/forms/known-forms.js';
import { UnchangingIntent } from '../../../../src/engine/intents/unchanging-intent.js';
import { PLAIN_INTENTS } from '../../../../src/strategy/index.js';

const CHANGE = 100;
const SIZE = { quantity: '1' };

function create(): {
  readonly planned: UnchangingIntent;
  readonly clock: EngineClock;
  readonly forms: KnownForms;
  readonly isAgain: (said: keyof typeof PLAIN_INTENTS, terms?: unknown) => boolean;
} {
  const rules = new RuleBook();
  const terms = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };
  rules.set(createInstrumentId('spot', 'BTCUSDT'), [
    { from: 0, rules: terms },
    { from: CHANGE, rules: { ...terms, quantityPrecision: 2 } },
  ]);
  const clock = new EngineClock(10);
  const forms = new KnownForms();
  const intents = new IntentQueue(0);
  const planned = new UnchangingIntent({
    options: { rules },
    clock,
    intents,
    forms,
  });
  planned.begin(CHANGE - 1);
  const isAgain = (said: keyof typeof PLAIN_INTENTS, terms?: unknown): boolean =>
    (terms === undefined || planned.isWrittenAgain(PLAIN_INTENTS[said], SIZE, terms)) &&
    intents.passAgain(PLAIN_INTENTS[said]) !== undefined;
  return { planned, clock, forms, isAgain };
}

const LONG: OrderIntent = { kind: 'enter', direction: 'long', size: SIZE };
const EXIT: OrderIntent = { kind: 'exit' };

describe('UnchangingIntent', () => {
  it('covers nothing before it has learned an intent', () => {
    expect(create().planned.covers(EXIT)).toBe(false);
  });

  it('covers the same intent of any size', () => {
    const { planned } = create();
    planned.learn(LONG);

    expect(planned.covers({ ...LONG, size: { quantity: '2' } })).toBe(true);
  });

  it('holds for times before the rules change', () => {
    const { planned, isAgain } = create();
    planned.begin(50);
    planned.learn(LONG);
    planned.begin(CHANGE - 1);

    expect(planned.covers(LONG)).toBe(true);
    expect(isAgain('long')).toBe(true);
  });

  it('is forgotten if time may reach a change of the rules', () => {
    const { planned, isAgain } = create();
    planned.learn(LONG);
    planned.begin(CHANGE);

    expect(planned.covers(LONG)).toBe(false);
    expect(isAgain('long')).toBe(false);
  });

  it('learns nothing if the rules change before the next possible time', () => {
    const { planned } = create();
    planned.begin(CHANGE);
    planned.learn(LONG);

    expect(planned.covers(LONG)).toBe(false);
  });

  it('learns again after the rules have changed', () => {
    const { planned, clock } = create();
    planned.begin(CHANGE + 50);
    clock.advance(CHANGE);
    planned.learn(LONG);

    expect(planned.covers(LONG)).toBe(true);
  });

  it.each([
    ['long', LONG],
    ['short', { ...LONG, direction: 'short' }],
    ['exit', EXIT],
  ] as const)('recognizes a repeated "%s" without its intent', (plain, intent) => {
    const { planned, isAgain } = create();
    planned.learn(intent);

    expect((['long', 'short', 'exit'] as const).filter((one) => isAgain(one))).toEqual([plain]);
    planned.forget();
    expect(isAgain(plain)).toBe(false);
  });

  it.each([
    ['of an instrument by name', { ...LONG, instrument: 'BTCUSDT' }],
    ['from one side', { kind: 'exit', direction: 'long' }],
  ] as const)('does not match a plain call to an intent %s', (_, intent) => {
    const { planned, isAgain } = create();
    planned.learn(intent);

    expect((['long', 'short', 'exit'] as const).some((one) => isAgain(one))).toBe(false);
  });

  it.each([
    ['long', LONG, { protection: { stopLoss: { ratio: '0.01' } }, label: 'a' }, true],
    ['long', LONG, { add: false, instrument: undefined }, true],
    ['long', LONG, { add: true }, false],
    ['long', LONG, { instrument: 'BTCUSDT' }, false],
    ['exit', EXIT, { label: 'a' }, true],
    ['exit', EXIT, { direction: 'long' }, false],
    ['exit', EXIT, { cancelEntries: true }, false],
    ['long', LONG, null, false],
  ] as const)(
    'decides whether "%s" with terms changes nothing',
    (plain, intent, terms, isKnown) => {
      const { planned, isAgain, forms } = create();
      planned.learn(intent);

      // Checks the intent in the form in which it was last judged.
      forms.findProblem({ ...intent, ...(terms as object | undefined) });

      expect(isAgain(plain, terms)).toBe(isKnown);
    },
  );

  it('covers no intent that adds, or of another kind, side or instrument', () => {
    const { planned } = create();
    planned.learn(LONG);

    expect(planned.covers({ ...LONG, add: true })).toBe(false);
    expect(planned.covers({ ...LONG, direction: 'short' })).toBe(false);
    expect(planned.covers({ ...LONG, instrument: 'BTCUSDT' })).toBe(false);
    expect(planned.covers({ kind: 'exit', direction: 'long' })).toBe(false);
  });

  it('distinguishes an exit of one side from an exit of any held side', () => {
    const { planned } = create();
    planned.learn(EXIT);

    expect(planned.covers(EXIT)).toBe(true);
    expect(planned.covers({ kind: 'exit', direction: 'long' })).toBe(false);
  });

  it('covers nothing after forget()', () => {
    const { planned } = create();
    planned.learn(EXIT);
    planned.forget();

    expect(planned.covers(EXIT)).toBe(false);
  });

  it('learns no other kind of intent', () => {
    const { planned } = create();
    planned.learn({ kind: 'flatten' });

    expect(planned.covers({ kind: 'flatten' })).toBe(false);
  });
});
