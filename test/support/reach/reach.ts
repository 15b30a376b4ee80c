import { Decimal } from '../../../src/domain/index.js';
import { listIntrinsics } from './intrinsics.js';

/** The place of a number that is not known yet. */
export interface Leak {
  readonly path: string;
  readonly value: number;
}

export interface ReachOptions {
  /** Whether a number belongs to the future. */
  readonly isLater: (value: number) => boolean;
  /** Argument lists for the calls of functions and methods. Each function is called with every list. */
  readonly argumentLists: readonly (readonly unknown[])[];
  /** Objects that are not walked. */
  readonly leftOut?: readonly unknown[];
}

interface Callable {
  readonly path: string;
  /** The object whose method it is. */
  readonly self?: object;
  readonly call: (args: readonly unknown[]) => unknown;
}

/** Depth of calls on the results of calls. */
const MOST_DEPTH = 2;
/** Limit of objects of one kind whose methods are called: a result often has methods that return another object of its kind. */
const MOST_OF_A_KIND = 12;
const MOST_STEPS = 400;

/**
 * Walks everything that can be read from some objects: properties with any key, prototypes, getters, elements, the contents of maps, sets, iterators and weak
 * references, and the results of functions, methods and constructors for the given arguments. Objects of the language itself are not walked.
 */
export class Reach {
  readonly #options: ReachOptions;
  readonly #leftOut: ReadonlySet<unknown>;
  readonly #seen: Set<unknown>;
  readonly #leaks = new Map<string, Leak>();
  readonly #called = new Map<unknown, number>();
  /** Objects with numbers, found before the first call. A call may change them. */
  readonly #shown: [string, object][] = [];
  readonly #weakMaps: { readonly path: string; readonly map: WeakMap<object, unknown> }[] = [];
  readonly #getters = new Map<object, readonly (readonly [string, () => unknown])[]>();
  #callables: Callable[] = [];
  #objects = 0;
  #calls = 0;

  constructor(options: ReachOptions) {
    this.#options = options;
    const { leftOut = [] } = options;
    this.#leftOut = new Set([...listIntrinsics(), Decimal, Decimal.prototype, ...leftOut]);
    this.#seen = new Set(this.#leftOut);
  }

  /** How many calls were made. */
  get calls(): number {
    return this.#calls;
  }

  /** How many objects were walked. */
  get objects(): number {
    return this.#objects;
  }

  walk(roots: Readonly<Record<string, unknown>>): readonly Leak[] {
    for (const [name, root] of Object.entries(roots)) this.#visit(name, root);
    for (let depth = 0; depth < MOST_DEPTH; depth += 1) this.#callAll();
    for (const { path, map } of this.#weakMaps)
      for (const key of this.#seen)
        if (isObject(key)) this.#visit(`${path}.get(…)`, WeakMap.prototype.get.call(map, key));
    return [...this.#leaks.values()];
  }

  #visit(path: string, value: unknown): void {
    const waiting: [string, unknown][] = [[path, value]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, each] = next;
      // Some methods of decimals run almost for ever. So only the value is checked.
      if (each instanceof Decimal) this.#check(at, each.toFixed());
      else if (!isObject(each)) this.#check(at, each);
      else if (!this.#seen.has(each)) {
        this.#seen.add(each);
        this.#objects += 1;
        this.#open(at, each, (name, inner) => void waiting.push([`${at}${name}`, inner]));
      }
    }
  }

  #check(path: string, value: unknown): void {
    for (const number of numbersIn(value))
      if (this.#options.isLater(number)) this.#leaks.set(path, { path, value: number });
  }

  #open(path: string, object: object, add: (name: string, value: unknown) => void): void {
    if (ArrayBuffer.isView(object) || object instanceof ArrayBuffer) {
      for (const element of elementsOf(object)) add('[…]', element);
      if (ArrayBuffer.isView(object)) add('.buffer', object.buffer);
      return;
    }
    if (this.#calls === 0 && Object.values(object).some((value) => typeof value === 'number'))
      this.#shown.push([path, object]);
    if (object instanceof Promise) object.catch(() => undefined);
    if (object instanceof WeakMap) this.#weakMaps.push({ path, map: object });
    if (object instanceof WeakRef) add('.deref()', object.deref());
    if (object instanceof Map)
      for (const [key, value] of object as Map<unknown, unknown>) {
        add('.key', key);
        add('.value', value);
      }
    if (object instanceof Set) for (const member of object) add('.member', member);
    if (typeof object === 'function') this.#addFunction(path, object);
    this.#openProperties(path, object, add);
  }

  /** Reads the properties of an object and of its prototypes. Getters and methods are called on the object itself. */
  #openProperties(path: string, object: object, add: (name: string, value: unknown) => void): void {
    for (let holder: object | null = object; holder !== null;) {
      const isOwn = holder === object;
      if (!isOwn && this.#isLeftOut(holder)) break;
      for (const key of Reflect.ownKeys(holder)) {
        const { value, get } = Object.getOwnPropertyDescriptor(holder, key) ?? {};
        const name = `.${String(key)}`;
        if (get !== undefined)
          attempt(() => {
            add(name, get.call(object));
          });
        else if (typeof value === 'function' && key !== 'constructor')
          this.#addMethod(`${path}${name}`, object, value as () => unknown);
        if (isOwn || key === 'constructor') add(name, value);
      }
      holder = Object.getPrototypeOf(holder) as object | null;
      if (isOwn && holder !== null && !this.#isLeftOut(holder)) add('.[[Prototype]]', holder);
    }
  }

  #addMethod(path: string, object: object, method: (...args: never) => unknown): void {
    if (this.#isLeftOut(method) || isPrototype(object)) return;
    const times = this.#called.get(method) ?? 0;
    if (times >= MOST_OF_A_KIND) return;
    this.#called.set(method, times + 1);
    this.#callables.push({
      path,
      self: object,
      call: (args) => Reflect.apply(method, object, args) as unknown,
    });
  }

  #addFunction(path: string, made: object): void {
    const times = this.#called.get(made) ?? 0;
    if (times > 0) return;
    this.#called.set(made, 1);
    const callee = made as (...args: unknown[]) => unknown;
    this.#callables.push(
      { path, call: (args) => Reflect.apply(callee, undefined, args) },
      {
        path: `new ${path}`,
        call: (args) => Reflect.construct<readonly unknown[], unknown>(callee as never, args),
      },
    );
  }

  #callAll(): void {
    const callables = this.#callables;
    this.#callables = [];
    for (const { path, self, call } of callables) {
      for (const args of this.#options.argumentLists) {
        const name = `${path}(${args.map(nameOf).join(', ')})`;
        this.#calls += 1;
        attempt(() => {
          const result = call(args);
          this.#visit(name, result);
          if (isIterator(result)) this.#exhaust(name, result);
        });
        this.#lookAt(self, `${path} after ${name}`);
      }
      // A call may have changed a number of another object.
      for (const [shownAt, object] of this.#shown)
        this.#lookAt(object, `${shownAt} after ${path}(…)`);
    }
  }

  #lookAt(object: object | undefined, path: string): void {
    if (object === undefined) return;
    for (const [key, value] of Object.entries(object))
      if (typeof value === 'number') this.#check(`${path}.${key}`, value);
    for (const [key, get] of this.#gettersOf(object))
      attempt(() => {
        const value: unknown = get.call(object);
        if (typeof value === 'number') this.#check(`${path}.${key}`, value);
      });
  }

  /** Getters of its prototypes, by name. */
  #gettersOf(object: object): readonly (readonly [string, () => unknown])[] {
    const prototype = Object.getPrototypeOf(object) as object | null;
    if (prototype === null || this.#isLeftOut(prototype)) return [];
    const known = this.#getters.get(prototype);
    if (known !== undefined) return known;
    const own = Reflect.ownKeys(prototype).flatMap((key) => {
      const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
      return get === undefined ? [] : [[String(key), get] as const];
    });
    const all = [...own, ...this.#gettersOf(prototype)];
    this.#getters.set(prototype, all);
    return all;
  }

  #exhaust(path: string, iterator: Iterator<unknown>): void {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const { done, value } = iterator.next();
      if (done === true) return;
      this.#visit(`${path}[${String(step)}]`, value);
    }
  }

  #isLeftOut(value: unknown): boolean {
    return this.#leftOut.has(value);
  }
}

/** Runs work that may fail. Most calls fail, because their arguments do not fit. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing was read.
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Whether an object is the prototype of a class. A method called on it would change all objects of the class, also in the next run. */
function isPrototype(object: object): boolean {
  const made: unknown = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
  return typeof made === 'function' && made.prototype === object;
}

function isIterator(value: unknown): value is Iterator<unknown> {
  return (
    isObject(value) &&
    typeof (value as { next?: unknown }).next === 'function' &&
    Symbol.iterator in value
  );
}

function nameOf(value: unknown): string {
  return isObject(value) ? '{…}' : String(value);
}

/** Numbers in a value: the number itself, digits of a text, or an integer, also read as an amount of 18 decimals. */
function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'bigint') return [Number(value), Number(value) / 1e18];
  if (typeof value === 'string') return (value.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  return [];
}

function elementsOf(view: ArrayBufferView | ArrayBuffer): Iterable<number | bigint> {
  if (view instanceof ArrayBuffer)
    return new Float64Array(view, 0, Math.floor(view.byteLength / 8));
  if (view instanceof DataView)
    return new Float64Array(view.buffer.slice(0, view.byteLength - (view.byteLength % 8)));
  return view as Float64Array;
}
