import { inspect, types } from 'node:util';
import { INTERVALS, PRODUCT_KINDS } from '../../domain/index.js';
import type { DataSource, DumpKind } from '../data-source.js';
import { VOLUME_UNITS } from '../stored/series.js';

const DUMP_KINDS = ['candles', 'mark', 'funding'] as const satisfies readonly DumpKind[];

/** The value that a member of a source must have. */
interface Member {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const TEXT: Member = { expected: 'a string', fits: (value) => typeof value === 'string' };
const FUNCTION: Member = { expected: 'a function', fits: (value) => typeof value === 'function' };
const oneOf = (known: readonly unknown[]): Member => ({
  expected: `one of ${known.join(', ')}`,
  fits: (value) => known.includes(value),
});
const listOf = (known: readonly unknown[]): Member => ({
  expected: `a list of ${known.join(', ')}`,
  fits: (value) => Array.isArray(value) && value.every((each) => known.includes(each)),
});

const MEMBERS: Readonly<Record<keyof DataSource, Member>> = {
  name: TEXT,
  url: TEXT,
  product: oneOf(PRODUCT_KINDS),
  volumeUnit: oneOf(VOLUME_UNITS),
  kinds: listOf(DUMP_KINDS),
  intervals: listOf(INTERVALS),
  symbols: { expected: 'a regular expression', fits: types.isRegExp },
  example: TEXT,
  monthly: FUNCTION,
  daily: FUNCTION,
};

/**
 * Looks for the first member of a data source that is missing or has a wrong type: a source comes from the user's own module.
 *
 * @returns its name, what was expected and what was received, as text; undefined if all members fit.
 */
export function findWrongMember(source: object): string | undefined {
  const members = source as Readonly<Record<string, unknown>>;
  const wrong = Object.entries(MEMBERS).find(([key, { fits }]) => !fits(members[key]));
  if (wrong === undefined) return undefined;
  const [key, { expected }] = wrong;
  return `${key}: expected ${expected}, received ${shown(members[key])}`;
}

/** Most characters of a wrong value in a message. */
const SHOWN = 60;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'function' ? 'a function' : inspect(value).slice(0, SHOWN);
}
