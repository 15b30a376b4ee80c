import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';

import { Decimal, type OrderIntent } from '../../../../src/domain/index.js';
import { findFormProblem } from '../../../../src/engine/orders/forms/intent-form.js';
import { KnownForms } from '../../../../src/engine/orders/forms/known-forms.js';

const amount = fc.constantFrom<unknown>('1', '2', new Decimal(1), 1, undefined, null, {}, []);
const keyed = (keys: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 2 }) },
    { weight: 1, arbitrary: amount },
  );
const size = keyed(['quantity', 'notional', 'equity', 'risk', 'share', 'quantty'], amount);
const level = keyed(['price', 'ratio', 'distance', 'prize'], amount);
const levels = keyed(['stopLoss', 'takeProfit', 'trailingStop', 'stoploss'], level);
const term = (key: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: value.map((said) => ({ [key]: said })) },
  );
/** Few values of each term, right and wrong, so that most are drawn again in another combination. */
const intents = fc
  .tuple(
    fc.record({
      kind: fc.constantFrom('enter', 'exit', 'protect', 'cancel', 'replace', 'flatten', 'buy'),
    }),
    term('direction', fc.constantFrom('long', 'short', 'up', undefined)),
    term('size', size),
    term('protection', levels),
    term('bracket', levels),
    term('target', keyed(['label', 'intentId'], amount)),
    term('limitPrice', amount),
    term('timeInForce', fc.constantFrom('GTC', 'gtc')),
    term('expireAfter', fc.constantFrom<unknown>('90s', '90 s', 5)),
    term('goodForMs', fc.constantFrom<unknown>(5, '5')),
    term('label', fc.constantFrom<unknown>('a', 'b', 5)),
    term('work', fc.constantFrom<unknown>({ limitFor: '30s', then: 'market' }, { chaze: {} })),
    term('lable', fc.constant('a')),
  )
  .map((parts) => Object.assign({}, ...parts) as OrderIntent);

const findOf = (find: (intent: OrderIntent) => unknown, intent: OrderIntent): unknown => {
  try {
    return find(intent);
  } catch (error) {
    return String(error);
  }
};

describe('KnownForms', () => {
  test.prop([fc.array(intents, { minLength: 20, maxLength: 60 })], { numRuns: 400 })(
    'finds the problem of each intent, whatever the intents before it',
    (said) => {
      const forms = new KnownForms();
      const find = (intent: OrderIntent): unknown => forms.findProblem(intent);
      for (const intent of [...said, ...said])
        expect(findOf(find, intent)).toEqual(findOf(findFormProblem, intent));
    },
  );

  it('checks an object again that has changed since', () => {
    const forms = new KnownForms();
    const protection: Record<string, unknown> = { stopLoss: { ratio: '0.01' } };
    const intent = { kind: 'enter', direction: 'long', size: { quantity: '1' }, protection };
    expect(forms.findProblem(intent as OrderIntent)).toBeUndefined();

    protection['takeprofit'] = { ratio: '0.01' };

    expect(forms.findProblem(intent as OrderIntent)?.actual).toBe('takeprofit');
  });

  test.prop([fc.array(fc.tuple(size, intents), { minLength: 10, maxLength: 40 })])(
    'recognizes repeated terms only if the whole intent is valid',
    (said) => {
      const forms = new KnownForms();
      for (const [amounts, intent] of said as unknown as [object, Record<string, unknown>][]) {
        const { kind, direction, size: ofIntent, ...others } = intent;
        if (kind !== 'enter' && kind !== 'exit') continue;
        const isEntry = kind === 'enter';
        const terms = isEntry || ofIntent === undefined ? others : { size: ofIntent, ...others };
        const whole = isEntry ? { kind, direction, size: amounts, ...terms } : { kind, ...terms };
        if (forms.isWrittenAgain(kind, amounts, terms))
          expect(findOf(findFormProblem, whole as OrderIntent)).toBeUndefined();
        findOf((one) => forms.findProblem(one), whole as OrderIntent);
      }
    },
  );

  it('trusts the same object, and checks another object', () => {
    const forms = new KnownForms();
    const size = { quantity: '1' };
    const protection = { stopLoss: { ratio: '0.01' } };
    forms.findProblem({ kind: 'enter', direction: 'long', size, protection });

    expect(forms.isWrittenAgain('enter', size, { protection })).toBe(true);
    expect(
      forms.isWrittenAgain('enter', size, { protection: { stopLoss: { ratio: '0.02' } } }),
    ).toBe(true);
    expect(
      forms.isWrittenAgain('enter', size, { protection: { stoploss: { ratio: '0.02' } } }),
    ).toBe(false);
    expect(forms.isWrittenAgain('enter', { quantty: '1' }, { protection })).toBe(false);
    expect(forms.isWrittenAgain('exit', undefined, { protection })).toBe(false);
  });
});
