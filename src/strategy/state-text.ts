/** Most bytes of a state as JSON. A state has to be small, because it is written with each event that changes it. */
export const MAX_STATE_BYTES = 65_536;

/** A value that cannot be kept, and its place in the state. */
interface StateProblem {
  /** For example `state.levels[2].price`. */
  readonly path: string;
  readonly received: string;
}

type WrittenState =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: StateProblem };

class Misfit extends Error {
  readonly problem: StateProblem;

  constructor(path: string, received: string) {
    super(received);
    this.problem = { path, received };
  }
}

/**
 * Writes a state as JSON that reads back as exactly the same state. Members keep the order in which they were added, because a strategy that
 * iterates over them sees that order.
 */
export function writeState(state: unknown): WrittenState {
  try {
    return { ok: true, text: write(state, 'state', new Map()) };
  } catch (error: unknown) {
    if (error instanceof Misfit) return { ok: false, problem: error.problem };
    throw error;
  }
}

function write(value: unknown, path: string, seen: Map<object, string>): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'number':
      if (!Number.isFinite(value)) throw new Misfit(path, String(value));
      return Object.is(value, -0) ? '-0' : String(value);
    case 'object':
      return value === null ? 'null' : writeObject(value, path, seen);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      throw new Misfit(path, describe(value));
  }
}

function writeObject(value: object, path: string, seen: Map<object, string>): string {
  const first = seen.get(value);
  // Read back, they would be two objects: a change of one would no longer show in the other.
  if (first !== undefined) throw new Misfit(path, `the same object as at ${first}`);
  seen.set(value, path);
  const members = Object.entries(value);
  if (Object.getOwnPropertySymbols(value).length > 0) throw new Misfit(path, 'a symbol as a key');
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (members.length !== items.length) throw new Misfit(path, 'a list with holes, or with names');
    const texts = items.map((item, index) => write(item, `${path}[${String(index)}]`, seen));
    return `[${texts.join(',')}]`;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Misfit(path, describe(value));
  const texts = members.map(
    ([key, member]) => `${JSON.stringify(key)}:${write(member, `${path}${nameOf(key)}`, seen)}`,
  );
  return `{${texts.join(',')}}`;
}

function nameOf(key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function describe(value: unknown): string {
  if (typeof value === 'bigint') return `the bigint ${String(value)}`;
  if (typeof value !== 'object' || value === null) return typeof value;
  const { constructor } = value as { readonly constructor?: unknown };
  const name = typeof constructor === 'function' ? constructor.name : '';
  return name === '' ? 'an object without a prototype' : `an instance of ${name}`;
}
