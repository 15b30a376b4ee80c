import fc from 'fast-check';

import { parseJson, type JsonValue } from '../../../src/venue/wire/index.js';

/** Values that break assumptions: wrong types, numbers beyond all bounds, names of the prototype. */
const EXTERNAL_ORDERS: readonly JsonValue[] = [
  null,
  true,
  '',
  'x',
  ' 1 ',
  '0x10',
  'NaN',
  '1e99',
  '9'.repeat(5_000),
  -1,
  0.1,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  [],
  {},
  [[[[]]]],
  parseJson('{"__proto__":{"polluted":true}}'),
  parseJson('{"constructor":{"prototype":{"polluted":true}}}'),
  parseJson('{"toString":null,"valueOf":1,"hasOwnProperty":0}'),
  nested(2_000),
];

/** Ways to damage a JSON value at one place. */
const DAMAGES: readonly ((value: JsonValue, external: JsonValue) => JsonValue | undefined)[] = [
  () => undefined,
  (_value, external) => external,
  (value) => [value],
  (value) => [value, value],
  (value) => ({ data: value }),
  (value) => ({ code: '0', data: value }),
  (value) => ({ code: -1000, msg: value }),
  (value) => ({ list: value }),
  (value) => JSON.stringify(value),
  (value) => (typeof value === 'number' ? String(value) : value),
  (value) => (typeof value === 'string' ? Number(value) : value),
  (value, external) => (isMap(value) ? { ...value, external } : value),
  (value, external) => (isMap(value) ? withOwn(value, '__proto__', external) : value),
];

/** One valid value with 0 to 3 damaged places: a key dropped, a type changed, something wrapped, nested or enlarged. */
export function mutated(valid: JsonValue): fc.Arbitrary<JsonValue> {
  const damage = fc.record({
    path: fc.array(fc.nat({ max: 40 }), { maxLength: 6 }),
    kind: fc.constantFrom(...DAMAGES),
    external: fc.constantFrom(...EXTERNAL_ORDERS),
  });
  return fc
    .array(damage, { maxLength: 3 })
    .map((damages) =>
      damages.reduce<JsonValue>(
        (value, { path, kind, external }) =>
          changeAt(value, path, (found) => kind(found, external)) ?? null,
        valid,
      ),
    );
}

/** Applies a change at the place to which the path leads, or at its last place that exists. Undefined removes the place. */
function changeAt(
  value: JsonValue,
  path: readonly number[],
  change: (found: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = path;
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const key = step === undefined ? undefined : keys[step % Math.max(1, keys.length)];
  if (key === undefined) return change(value);
  if (isMap(value)) {
    const entries = Object.entries(value).flatMap(([name, member]) => {
      const changed = name === key ? changeAt(member, rest, change) : member;
      return changed === undefined ? [] : [[name, changed] as const];
    });
    return Object.fromEntries(entries);
  }
  const entries = value as readonly JsonValue[];
  return entries.flatMap((entry, index) => {
    const changed = index === Number(key) ? changeAt(entry, rest, change) : entry;
    return changed === undefined ? [] : [changed];
  });
}

function isMap(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withOwn(
  value: { readonly [key: string]: JsonValue },
  key: string,
  member: JsonValue,
): JsonValue {
  return Object.defineProperty({ ...value }, key, { value: member, enumerable: true });
}

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level += 1) value = { a: [value] };
  return value;
}
