import type { z } from 'zod';
import { describeValue, ownMember } from './body.js';

/** Where a check failed, and what it expected. */
interface Complaint {
  readonly path: readonly PropertyKey[];
  readonly expected: string;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  tuple: 'a list of at least 2 entries',
};

/** A value that does not fit its schema, for people. */
interface Mismatch {
  /** As {@link formatPath} writes it; empty for the whole value. */
  readonly place: string;
  readonly expected: string;
  readonly received: string;
}

/** Describes what {@link mostTelling} picks. Of unknown keys it gives the names alone, because their values may be secret. */
export function describeMismatch(issues: readonly z.core.$ZodIssue[], value: unknown): Mismatch {
  const [first] = issues;
  if (first?.code === 'unrecognized_keys')
    return {
      place: formatPath(first.path),
      expected: 'known keys',
      received: first.keys.map(describeValue).join(', '),
    };
  const { path, expected } = mostTelling(issues);
  const received = describeValue(
    first?.code === 'invalid_key' ? path.at(-1) : path.reduce<unknown>(ownMember, value),
  );
  return { place: formatPath(path), expected, received };
}

/** Picks the first complaint; in a union that of the branch that failed at the deepest path. */
export function mostTelling(issues: readonly z.core.$ZodIssue[]): Complaint {
  const [first] = issues;
  if (first === undefined) return { path: [], expected: 'a valid value' };
  if (first.code !== 'invalid_union') return { path: first.path, expected: expectedBy(first) };
  const branches = first.errors.map(mostTelling);
  const furthest = branches.reduce<Complaint | undefined>(
    (best, branch) => (best === undefined || branch.path.length > best.path.length ? branch : best),
    undefined,
  );
  if (furthest === undefined) return { path: first.path, expected: 'a valid value' };
  return { path: [...first.path, ...furthest.path], expected: furthest.expected };
}

function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message;
    case 'invalid_type':
      return isOwn(issue.message) ? issue.message : (TYPE_NAMES[issue.expected] ?? issue.expected);
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${String(issue.maximum)}${unitOf(issue.origin)}`;
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${String(issue.minimum)}${unitOf(issue.origin)}`;
    case 'unrecognized_keys':
      return `no key ${issue.keys.join(', ')}`;
    // Each pattern of the tables has a message that says what it expects.
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
      return issue.message;
  }
}

/** Whether a schema has a message of its own for a wrong type. The library's begin all alike. */
function isOwn(message: string): boolean {
  return !message.startsWith('Invalid input: ');
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

/** Writes a key path: `data.list[3].orderId`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${String(key)}]`;
      return `${index === 0 ? '' : '.'}${String(key).slice(0, 40)}`;
    })
    .join('');
}
