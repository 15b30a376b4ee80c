import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { writeState } from '../../../src/strategy/index.js';

class Level {
  readonly price = '1';
}

const SHARED = { price: '1' };
const ROUND: { self?: unknown } = {};
ROUND.self = ROUND;
const HOLED: number[] = [1];
HOLED[2] = 3;

/** A state as it is kept. */
function textFromState(state: unknown): string {
  const written = writeState(state);
  if (!written.ok) throw new Error(`expected a state, received ${written.problem.received}`);
  return written.text;
}

describe('the state of a strategy', () => {
  it('is read back exactly, with its members in the same order', () => {
    const plain = fc.jsonValue({ noUnicodeString: false });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), plain, { noNullPrototype: true }), (state) => {
        const text = textFromState(state);
        const read: unknown = JSON.parse(text);

        expect(read).toEqual(state);
        expect(listKeys(read)).toEqual(listKeys(state));
        expect(textFromState(read)).toBe(text);
      }),
    );
  });

  it('keeps a negative zero and half of a surrogate pair', () => {
    const read = JSON.parse(textFromState({ zero: -0, half: '\ud800' })) as Record<string, unknown>;

    expect(Object.is(read['zero'], -0)).toBe(true);
    expect(read['half']).toBe('\ud800');
  });

  it.each([
    ['state.at', { at: undefined }, 'undefined'],
    ['state.levels[1].price', { levels: [{ price: '1' }, { price: Number.NaN }] }, 'NaN'],
    ['state.by["spot:BTCUSDT"]', { by: { 'spot:BTCUSDT': Number.POSITIVE_INFINITY } }, 'Infinity'],
    ['state.size', { size: 5n }, 'the bigint 5'],
    ['state.next', { next: () => 1 }, 'function'],
    ['state.since', { since: new Date(0) }, 'an instance of Date'],
    ['state.by', { by: new Map() }, 'an instance of Map'],
    ['state.level', { level: new Level() }, 'an instance of Level'],
    ['state.bare', { bare: Object.create(null) as object }, 'an object without a prototype'],
    ['state.list', { list: HOLED }, 'a list with holes, or with names'],
    ['state.named', { named: { [Symbol('a')]: 1 } }, 'a symbol as a key'],
    ['state.b', { a: SHARED, b: SHARED }, 'the same object as at state.a'],
    ['state.self', ROUND, 'the same object as at state'],
  ])('is refused if %s is not a JSON value', (path, state, received) => {
    expect(writeState(state)).toEqual({ ok: false, problem: { path, received } });
  });
});

/** Member names of all nested objects, in their order. */
function listKeys(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [Object.keys(value), ...Object.values(value).map(listKeys)];
}
