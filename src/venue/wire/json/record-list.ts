import { z } from 'zod';
import { describeValue, ownMember } from './body.js';
import { described } from './fields.js';
import { formatPath, mostTelling } from './issues.js';

/** A record of a list that has a symbol but cannot be read. */
export interface UnreadableRecord {
  readonly kind: 'unreadable';
  readonly symbol: string;
  /** Field, expected and received. */
  readonly problem: string;
}

/** For each list schema, the schema for the documentation: a list of readable records. */
const DOCUMENTED = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** Schema of a list whose records are read one by one. */
type RecordListSchema<T extends z.ZodObject> = z.ZodArray<
  z.ZodUnion<readonly [T, z.ZodPipe<z.ZodUnknown, z.ZodTransform<UnreadableRecord>>]>
>;

/**
 * A list of records, each with a `symbol`. A record that cannot be read does not fail the list: an {@link UnreadableRecord} takes its
 * place. A record without a symbol fails the whole list, because then it is unknown which one is missing.
 */
export function recordList<T extends z.ZodObject>(
  record: T,
  description: string,
): RecordListSchema<T> {
  const unreadable = z.unknown().transform((value, context): UnreadableRecord => {
    const symbol = ownMember(value, 'symbol');
    const result = z.safeParse(record, value);
    if (typeof symbol === 'string' && symbol !== '' && !result.success) {
      const { path, expected } = mostTelling(result.error.issues);
      const received = describeValue(path.reduce(ownMember, value));
      const problem = `${formatPath(path)}: expected ${expected}, received ${received}`;
      return { kind: 'unreadable', symbol, problem };
    }
    context.issues.push({ code: 'custom', message: 'a record with a symbol', input: value });
    return z.NEVER;
  });
  const list: RecordListSchema<T> = z.array(z.union([record, unreadable]));
  DOCUMENTED.set(list, described(z.array(record), 'list', description));
  return list;
}

/** The form of an answer for the documentation. */
export function documentedForm(answer: z.core.$ZodType): z.core.$ZodType {
  return DOCUMENTED.get(answer) ?? answer;
}
