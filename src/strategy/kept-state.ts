import { DomainError } from '../domain/index.js';
import { MAX_STATE_BYTES, writeState } from './state-text.js';

type Primitive = string | number | boolean | null;

/** The part of a type that can be kept: JSON, and nothing else. A member of type `unknown` is checked when the state is written. */
type Keepable<T> = unknown extends T
  ? T
  : T extends Primitive
    ? T
    : T extends undefined | bigint | symbol | ((...args: never[]) => unknown)
      ? never
      : { [Key in keyof T]: Keepable<T[Key]> };

/** The form of a state: a kept state of another form cannot be used without migration. */
export interface StateShape {
  /** @defaultValue 1 */
  readonly version: number;
  /** Its members with their kinds, as `{ entry: null, step: number }`. */
  readonly members: string;
}

/** Declares the state that a strategy keeps: see {@link StateOptions.state}. */
export interface StateOptions<S> {
  /**
   * The initial value of `this.state`. The strategy may change it during any event, and a restarted bot continues with it. Changes by candles of the
   * warm-up are dropped. JSON: null, booleans, finite numbers, strings, lists and plain objects; at most 64 KB.
   *
   * @defaultValue nothing is kept
   */
  readonly state?: S & object;
  /** Raise it when the same members get another meaning. @defaultValue 1 */
  readonly stateVersion?: number;
  /**
   * Converts a kept state of another form, from an earlier version of the strategy, to a state of this form.
   *
   * @defaultValue none: a bot that has kept a state of another form does not start
   */
  readonly migrateState?: (
    old: Readonly<Record<string, unknown>>,
    oldShape: StateShape,
  ) => NoInfer<S>;
}

/** The member that a strategy has if it declares a state. */
export type WithState<S> = [S] extends [object]
  ? { readonly state: [S] extends [Keepable<S>] ? S : 'a state holds JSON, and nothing else' }
  : unknown;

/** A state as it was declared. */
export interface DeclaredState {
  readonly shape: StateShape;
  /** The state that a run begins with, as JSON. */
  readonly initial: string;
  readonly migrate:
    ((old: Readonly<Record<string, unknown>>, oldShape: StateShape) => unknown) | undefined;
  /** Made at the declaration: gives its file and line to errors of a state that are found between two events. */
  readonly declaredAt: Error;
}

/**
 * Checks the state that a strategy declares. Returns undefined if it declares none.
 *
 * @throws {DomainError} `E_STATE_DECLARATION`.
 */
export function declareState(options: {
  readonly state?: unknown;
  readonly stateVersion?: number;
  readonly migrateState?: DeclaredState['migrate'];
}): DeclaredState | undefined {
  const { state, stateVersion: version = 1, migrateState: migrate } = options;
  if (state === undefined) {
    if (migrate !== undefined || options.stateVersion !== undefined)
      throw refused('state', 'nothing, beside stateVersion or migrateState');
    return undefined;
  }
  if (!Number.isSafeInteger(version) || version < 1)
    throw refused('stateVersion', String(version), 'a whole number from 1');
  if (typeof state !== 'object' || state === null || Array.isArray(state))
    throw refused('state', JSON.stringify(state), 'an object with members');
  const written = writeState(state);
  if (!written.ok) throw refused(written.problem.path, written.problem.received);
  const bytes = Buffer.byteLength(written.text);
  if (bytes > MAX_STATE_BYTES)
    throw refused('state', `${String(bytes)} bytes`, `at most ${String(MAX_STATE_BYTES)} bytes`);
  return {
    shape: { version, members: describeMembers(state) },
    initial: written.text,
    migrate,
    declaredAt: new Error('state'),
  };
}

/** Describes the kinds of an initial state, members sorted by name. It does not tell what lists hold, or what a null may become. */
function describeMembers(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'object') return typeof value;
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${key}: ${describeMembers(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function refused(
  path: string,
  received: string,
  expected = 'null, a boolean, a finite number, a string, a list or a plain object',
): DomainError {
  return new DomainError(
    'E_STATE_DECLARATION',
    `${path}: expected ${expected}, received ${received}`,
  );
}
