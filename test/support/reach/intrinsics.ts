/** The objects of the language itself. Other members of the global object are left out: a test runner keeps the modules under test there. */
const LANGUAGE = [
  'Object Function Array Number Boolean String Symbol BigInt Date RegExp Math JSON Reflect Proxy Intl Atomics WebAssembly Promise',
  'Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator ArrayBuffer SharedArrayBuffer DataView Float32Array Float64Array',
  'Int8Array Int16Array Int32Array BigInt64Array BigUint64Array Uint8Array Uint8ClampedArray Uint16Array Uint32Array',
  'Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError',
  'parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape eval',
]
  .join(' ')
  .split(' ');

let intrinsics: ReadonlySet<unknown> | undefined;

/** Every object of the language, found through properties and prototypes without calls. The process object is included. */
export function listIntrinsics(): ReadonlySet<unknown> {
  intrinsics ??= collect([
    ...LANGUAGE.map((name) => (globalThis as Record<string, unknown>)[name]),
    // No property of the objects above leads to these.
    Object.getPrototypeOf(function* () {
      yield 0;
    }),
    Object.getPrototypeOf(async () => Promise.resolve()),
    Object.getPrototypeOf([][Symbol.iterator]()),
    Object.getPrototypeOf(new Map()[Symbol.iterator]()),
    Object.getPrototypeOf(new Set()[Symbol.iterator]()),
    Object.getPrototypeOf(''[Symbol.iterator]()),
    Object.getPrototypeOf(''.matchAll(/a/g)),
  ]);
  return intrinsics;
}

function collect(roots: readonly unknown[]): ReadonlySet<unknown> {
  const found = new Set<unknown>([globalThis, process]);
  const waiting = [...roots];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if ((typeof next !== 'object' && typeof next !== 'function') || next === null) continue;
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(Object.getPrototypeOf(next));
    for (const { value, get, set } of Object.values(Object.getOwnPropertyDescriptors(next)))
      waiting.push(value, get, set);
    for (const symbol of Object.getOwnPropertySymbols(next)) {
      const { value, get } = Object.getOwnPropertyDescriptor(next, symbol) ?? {};
      waiting.push(value, get);
    }
  }
  return found;
}
