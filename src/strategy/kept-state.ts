import { DomainError } from '../domain/index.js';
import { MAX_STATE_BYTES, writeState } from './state-text.js';

type Primitive = string | number | boolean | null;

/** What of a type can be kept: JSON, and nothing else. What is not known is looked at when it is there. */
export type Keepable<T> = unknown extends T
  ? T
  : T extends Primitive
    ? T
    : T extends undefined | bigint | symbol | ((...args: never[]) => unknown)
      ? never
      : { [Key in keyof T]: Keepable<T[Key]> };

/** The form of a state: a state of another form is not taken up. */
export interface StateShape {
  /** @defaultValue 1 */
  readonly version: number;
  /** Its members with their kinds, as `{ entry: null, step: number }`. */
  readonly members: string;
}

/** What a strategy says of what it keeps: see {@link StateOptions.state}. */
export interface StateOptions<S> {
  /**
   * What `this.state` begins with. It may be changed at any time; a bot that is started again goes on with it as it was. JSON: null, booleans,
   * finite numbers, strings, lists and plain objects; at most 64 KB.
   *
   * @defaultValue nothing is kept
   */
  readonly state?: S & object;
  /** To be raised where the same members mean something else. @defaultValue 1 */
  readonly stateVersion?: number;
  /**
   * Makes a state of this form of one of another, which an earlier version of the strategy has left.
   *
   * @defaultValue none: a bot that has kept a state of another form does not start
   */
  readonly migrateState?: (
    old: Readonly<Record<string, unknown>>,
    oldShape: StateShape,
  ) => NoInfer<S>;
}

/** What a strategy has beside its base where it keeps a state. */
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
  /** Made where it was declared: says file and line of what is wrong with a state between two events. */
  readonly declaredAt: Error;
}

/**
 * Reads what a strategy declares.
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

/** Kinds of what a state begins with, members sorted. What lists hold, and what a null becomes, is not known of it. */
export function describeMembers(value: unknown): string {
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
