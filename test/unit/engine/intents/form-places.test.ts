import { describe, expect, it } from 'vitest';

import type { OrderIntent } from '../../../../src/domain/index.js';
import { FormPlaces } from '../../../../src/engine/intents/form-places.js';
import { KnownForms } from '../../../../src/engine/orders/forms/known-forms.js';
import { enterLong } from '../../../../src/strategy/index.js';

const misspelt = (key: string): OrderIntent => ({ ...enterLong({ quantity: '1' }), [key]: '1' });

const raise = (places: FormPlaces, intent: OrderIntent): string | undefined =>
  places.problemOfRaised(intent)?.text.slice(0, 24);

const read = (places: FormPlaces, intent: OrderIntent): string | undefined =>
  places.problemOfRecorded(intent)?.text.slice(0, 24);

describe('FormPlaces', () => {
  it('finds the place of an invalid intent once for each text', () => {
    let looks = 0;
    const places = new FormPlaces(new KnownForms(), () => {
      looks += 1;
      return `a.ts:${String(looks)}:1`;
    });

    expect(raise(places, enterLong({ quantity: '1' }, { limitPrice: '100' }))).toBeUndefined();
    for (let time = 0; time < 10; time += 1)
      expect(raise(places, misspelt('lable'))).toBe('a.ts:1:1: enter has no k');
    expect(raise(places, misspelt('limitprice'))).toBe('a.ts:2:1: enter has no k');

    expect(looks).toBe(2);
  });

  it('knows the place of a recorded intent only if its problem was raised', () => {
    const places = new FormPlaces(new KnownForms(), () => 'a.ts:1:1');

    raise(places, misspelt('lable'));

    expect(read(places, misspelt('lable'))).toBe('a.ts:1:1: enter has no k');
    expect(read(places, misspelt('zebra'))).toBe('enter has no key "zebra"');
    expect(read(places, enterLong({ quantity: '1' }))).toBeUndefined();
  });

  it('gives up if a plugin raises a different invalid intent each time', () => {
    let looks = 0;
    const places = new FormPlaces(new KnownForms(), () => {
      looks += 1;
      return 'a.ts:1:1';
    });

    for (let key = 0; key < 1_000; key += 1) raise(places, misspelt(`key${String(key)}`));

    expect(looks).toBe(50);
  });
});
