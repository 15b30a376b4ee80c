import { promiseHooks } from 'node:v8';
import type { AmbientKind, AmbientUses } from './ambient-uses.js';

/** Who hears of what is used: the engine that runs a strategy at this moment. */
let listener: AmbientUses | undefined;
let stopHook: (() => void) | undefined;
let isInstalled = false;

/**
 * Has the clock and chance of this process tell who uses them while an engine runs a strategy; outside of an engine they are as they were.
 * To be called before a plugin is loaded: a name that it gives to `Date.now` then is a name of what tells.
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

/** Has `uses` hear from now on. Returns who heard before, to be given back. Promises are heard of only while somebody hears. */
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
  // Looking for the place must not be heard in turn.
  listener = undefined;
  heard.note(kind, what, caller);
  listener = heard;
}

type AnyFunction = (this: unknown, ...given: readonly unknown[]) => unknown;

/** Puts a function that tells before it does the same in the place of one. */
function watch(owner: object, name: string, kind: AmbientKind, what: string): void {
  const described = findDescriptor(owner, name);
  const real = described?.value as AnyFunction | undefined;
  if (typeof real !== 'function') return;
  const told = function (this: unknown, ...given: readonly unknown[]): unknown {
    if (listener !== undefined) tell(kind, what, told);
    return Reflect.apply(real, this, given);
  };
  // What else it has: its name, and `bigint` of hrtime.
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

/** `Date()` and `new Date()` look at the clock, too; with arguments they do not. */
function watchDate(): void {
  const Real = Date;
  const Told = function (this: unknown, ...given: readonly [] | readonly [number]): unknown {
    const made: unknown = new.target;
    if (listener !== undefined && (made === undefined || given.length === 0))
      tell('clock', made === undefined ? 'Date()' : 'new Date()', Told);
    if (made === undefined) return Real();
    // Most dates are made of a time: without a list it takes as long as before.
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
