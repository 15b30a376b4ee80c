import { promiseHooks } from 'node:v8';
import type { AmbientKind, AmbientUses } from './ambient-uses.js';

/** Receiver of uses, of the engine that runs a strategy at this moment; undefined outside of engines. */
let listener: AmbientUses | undefined;
let stopHook: (() => void) | undefined;
let isInstalled = false;

/**
 * Makes the clock and the random functions of this process report their use while an engine runs a strategy. Outside of an engine they work as before.
 * Call before a plugin is loaded, so that an alias that the plugin makes, for example of `Date.now`, is of the reporting function.
 */
export function watchAmbient(): void {
  if (isInstalled) return;
  isInstalled = true;
  watchDate();
  watch(Math, 'random', 'random', 'Math.random');
  // eslint-disable-next-line no-restricted-globals -- not used here: whoever uses it is to be noticed
  watch(performance, 'now', 'clock', 'performance.now');
  watch(process, 'hrtime', 'clock', 'process.hrtime');
  watch(globalThis.crypto, 'getRandomValues', 'random', 'crypto.getRandomValues');
  watch(globalThis.crypto, 'randomUUID', 'random', 'crypto.randomUUID');
}

/** Makes `uses` the receiver from now on. Returns the receiver before, to restore it. Promises are watched only while there is a receiver. */
export function hearAmbient(uses: AmbientUses | undefined): AmbientUses | undefined {
  const before = listener;
  listener = uses;
  if (uses === undefined) {
    stopHook?.();
    stopHook = undefined;
  } else stopHook ??= promiseHooks.onInit(onPromise) as () => void;
  return before;
}

function onPromise(): void {
  tell('promise', 'a promise', onPromise);
}

function tell(kind: AmbientKind, what: string, caller: (...given: never[]) => unknown): void {
  const heard = listener;
  if (heard === undefined) return;
  // The search for the place must not be reported itself.
  listener = undefined;
  heard.note(kind, what, caller);
  listener = heard;
}

type AnyFunction = (this: unknown, ...given: readonly unknown[]) => unknown;

/** Replaces a function by one that reports its use and then does the same. */
function watch(owner: object, name: string, kind: AmbientKind, what: string): void {
  const described = findDescriptor(owner, name);
  const real = described?.value as AnyFunction | undefined;
  if (typeof real !== 'function') return;
  const told = function (this: unknown, ...given: readonly unknown[]): unknown {
    if (listener !== undefined) tell(kind, what, told);
    return Reflect.apply(real, this, given);
  };
  // Other members of the function: its name, and `bigint` of hrtime.
  const members = Object.getOwnPropertyDescriptors(real);
  const { bigint } = members as { readonly bigint?: PropertyDescriptor };
  Object.defineProperties(told, members);
  if (bigint !== undefined) watch(told, 'bigint', kind, `${what}.bigint`);
  Object.defineProperty(owner, name, { ...described, configurable: true, value: told });
}

function findDescriptor(owner: object, name: string): PropertyDescriptor | undefined {
  for (
    let at: object | null = owner;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `Date()` and `new Date()` also read the clock; `new Date(...)` with arguments does not. */
function watchDate(): void {
  const Real = Date;
  const Told = function (this: unknown, ...given: readonly [] | readonly [number]): unknown {
    const made: unknown = new.target;
    if (listener !== undefined && (made === undefined || given.length === 0))
      tell('clock', made === undefined ? 'Date()' : 'new Date()', Told);
    if (made === undefined) return Real();
    // Most dates are made from a time. Without an argument list, this takes as long as before.
    if (made === Told && given.length === 1) return new Real(given[0]);
    return Reflect.construct(Real, given, made as NewableFunction) as Date;
  };
  Object.defineProperties(Told, Object.getOwnPropertyDescriptors(Real));
  watch(Told, 'now', 'clock', 'Date.now');
  Object.defineProperty(Real.prototype, 'constructor', {
    configurable: true,
    writable: true,
    value: Told,
  });
  Object.defineProperty(globalThis, 'Date', {
    configurable: true,
    writable: true,
    value: Told,
  });
}
