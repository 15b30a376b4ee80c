import { describe, expect, it } from 'vitest';

import type { OrderIntent } from '../../../src/domain/index.js';
import { FormPlaces } from '../../../src/engine/form-places.js';
import { KnownForms } from '../../../src/engine/orders/known-forms.js';
import { findFormProblem } from '../../../src/engine/orders/intent-form.js';
import { enterLong } from '../../../src/strategy/index.js';

const misspelt = (key: string): OrderIntent => ({ ...enterLong({ quantity: '1' }), [key]: '1' });

const textOf = (places: FormPlaces, intent: OrderIntent): string | undefined => {
  const problem = findFormProblem(intent);
  return problem && places.placed(problem).text.slice(0, 24);
};

describe('FormPlaces', () => {
  it('finds the place of an invalid intent once for each text', () => {
    let looks = 0;
    const places = new FormPlaces(new KnownForms(), () => {
      looks += 1;
      return `a.ts:${String(looks)}:1`;
    });

    places.note(enterLong({ quantity: '1' }, { limitPrice: '100' }));
    for (let time = 0; time < 10; time += 1) places.note(misspelt('lable'));
    places.note(misspelt('limitprice'));

    expect(looks).toBe(2);
    expect(textOf(places, misspelt('lable'))).toBe('a.ts:1:1: enter has no k');
    expect(textOf(places, misspelt('limitprice'))).toBe('a.ts:2:1: enter has no k');
    expect(textOf(places, misspelt('zebra'))).toBe('enter has no key "zebra"');
  });

  it('gives up if a plugin raises a different invalid intent each time', () => {
    let looks = 0;
    const places = new FormPlaces(new KnownForms(), () => {
      looks += 1;
      return 'a.ts:1:1';
    });

    for (let key = 0; key < 1_000; key += 1) places.note(misspelt(`key${String(key)}`));

    expect(looks).toBe(50);
  });
});
