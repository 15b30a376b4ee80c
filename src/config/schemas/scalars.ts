import { z } from 'zod';
import {
  DomainError,
  FIXED_ONE,
  formatFixed,
  parseDuration,
  parseFixed,
  parseUtc,
  type ErrorCode,
  type Fixed,
} from '../../domain/index.js';
import type { KeyPath } from '../yaml/key-path.js';

/** Digits as ledgers keep them: 18 decimals. No exponent, because people misread it. */
const PLAIN_DECIMAL = /^[+-]?\d+(?:\.\d{1,18})?$/;

/** Details of a custom issue besides the expectation. The rest of the message comes from the YAML. */
export interface IssueDetails {
  readonly code: ErrorCode;
  readonly received?: string;
  readonly suggestion?: string | undefined;
  /** Another key that the expectation refers to. The message also shows the value of that key. */
  readonly beside?: KeyPath;
}

/** Reports a problem at the value now being parsed, or at a key below it. */
export function addProblem(
  context: z.RefinementCtx,
  expected: string,
  details: IssueDetails,
  path: KeyPath = [],
): void {
  context.addIssue({
    code: 'custom',
    message: expected,
    params: { ...details },
    path: [...path],
  });
}

/** Adds a problem for each entry of a list whose name an earlier entry has. `key`: the key of the entry with the name. @defaultValue the entry is the name */
export function refuseRepeats(
  context: z.RefinementCtx,
  names: readonly string[],
  { expected, key }: { readonly expected: string; readonly key?: string },
): void {
  names.forEach((name, index) => {
    if (names.indexOf(name) === index) return;
    const details = { code: 'E_CONFIG_DUPLICATE', received: `${name} a second time` } as const;
    addProblem(context, expected, details, key === undefined ? [index] : [index, key]);
  });
}

/** Reads the details back. An issue of zod's own refinements has none and gets `E_CONFIG_VALUE`. */
export function readIssueDetails(params: unknown): IssueDetails {
  return isIssueDetails(params) ? params : { code: 'E_CONFIG_VALUE' };
}

function isIssueDetails(params: unknown): params is IssueDetails {
  return typeof params === 'object' && params !== null && 'code' in params;
}

/** Bounds of a decimal; `above` and `below` exclude the bound itself. */
interface DecimalBounds {
  readonly min?: string;
  readonly above?: string;
  readonly max?: string;
  readonly below?: string;
}

const QUOTED_DECIMAL = 'a quoted decimal';

/** Figures of a run are float64, and squares of amounts among them. This bound keeps all of them finite. */
const MOST_DIGITS = 30;
const TOO_LARGE = 10n ** BigInt(MOST_DIGITS) * FIXED_ONE;

/** An amount, rate or ratio: decimal text, exact to 18 decimals. `ofMapping`: what was expected, if a mapping was written. */
export function decimalText(
  bounds: DecimalBounds = {},
  ofMapping: string = QUOTED_DECIMAL,
): z.ZodType<Fixed, string> {
  const expected = `${QUOTED_DECIMAL}${describeBounds(bounds)}`;
  return z
    .string({ error: ({ input }) => (isMapping(input) ? ofMapping : QUOTED_DECIMAL) })
    .regex(PLAIN_DECIMAL, { error: `${QUOTED_DECIMAL} of at most 18 decimals`, abort: true })
    .transform((text, context) => {
      const value = parseFixed(text);
      const isTooLarge = value >= TOO_LARGE || value <= -TOO_LARGE;
      if (!isTooLarge && isWithin(value, bounds)) return value;
      const digits = `${QUOTED_DECIMAL} of at most ${String(MOST_DIGITS)} digits before the point`;
      addProblem(context, isTooLarge ? digits : expected, { code: 'E_CONFIG_VALUE' });
      return z.NEVER;
    });
}

function describeBounds({ min, above, max, below }: DecimalBounds): string {
  const parts = [
    min === undefined ? undefined : `>= ${min}`,
    above === undefined ? undefined : `> ${above}`,
    max === undefined ? undefined : `<= ${max}`,
    below === undefined ? undefined : `< ${below}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}

function isWithin(value: Fixed, { min, above, max, below }: DecimalBounds): boolean {
  if (min !== undefined && value < parseFixed(min)) return false;
  if (above !== undefined && value <= parseFixed(above)) return false;
  if (max !== undefined && value > parseFixed(max)) return false;
  return below === undefined || value < parseFixed(below);
}

/** A factor such as leverage: a whole number, or a quoted decimal, from 1 to 200. */
export function leverageText(): z.ZodType<Fixed, string | number> {
  const expected = 'a whole number or a quoted decimal from 1 to 200';
  return z
    .union(
      [
        z.int().min(1, { error: expected }).max(200, { error: expected }),
        z.string().regex(PLAIN_DECIMAL),
      ],
      { error: expected },
    )
    .transform((value, context) => {
      const leverage = typeof value === 'number' ? BigInt(value) * FIXED_ONE : parseFixed(value);
      if (leverage >= FIXED_ONE && leverage <= 200n * FIXED_ONE) return leverage;
      addProblem(context, expected, {
        code: 'E_CONFIG_VALUE',
        received: formatFixed(leverage),
      });
      return z.NEVER;
    });
}

/** A whole number from `min` to `max`, written without quotes. */
export function wholeNumberSchema(min: number, max: number): z.ZodType<number, number> {
  const expected = `a whole number from ${String(min)} to ${String(max)}`;
  return z
    .int({ error: expected })
    .min(min, { error: expected, abort: true })
    .max(max, { error: expected, abort: true });
}

/** One of a list of words. */
export function word<const T extends readonly [string, ...string[]]>(
  options: T,
): z.ZodType<T[number], T[number]> {
  return z.enum(options, { error: `one of ${options.join(', ')}` });
}

/** `true` or `false`. */
export function flag(): z.ZodType<boolean, boolean> {
  return z.boolean({ error: 'true or false' });
}

/** Text that matches `pattern`. */
export function text(expected: string, pattern: RegExp): z.ZodType<string, string> {
  return z.string({ error: expected }).regex(pattern, { error: expected });
}

/** The name of a bot, which also names its files. */
export function botName(): z.ZodType<string, string> {
  return text(
    'a name of up to 64 letters, digits, ".", "_" and "-"',
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  );
}

/** The text of a path: not only spaces, and without control characters, which are mistakes of YAML. */
export function pathText(expected: string): z.ZodType<string, string> {
  return text(expected, /\S/).refine((written) => !/\p{Cc}/u.test(written), { error: expected });
}

/** A UTC date or instant, as milliseconds. */
export function utcTime(): z.ZodType<number, string> {
  return parsedText('a UTC date such as 2025-06-01 or 2025-06-01T12:00:00Z', parseUtc);
}

/** A duration such as 3h, as milliseconds. */
export function duration(): z.ZodType<number, string> {
  return parsedText('a duration such as 90s, 15min, 3h or 2d', parseDuration);
}

/** Text that a parser of the domain reads. */
export function parsedText<T>(expected: string, parse: (text: string) => T): z.ZodType<T, string> {
  return z.string({ error: expected }).transform((value, context) => {
    try {
      return parse(value);
    } catch (error: unknown) {
      if (!(error instanceof DomainError)) throw error;
      addProblem(context, expected, { code: 'E_CONFIG_VALUE' });
      return z.NEVER;
    }
  });
}

/** A mapping that allows only the keys of `shape`. */
export function mapping<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, z.core.$strict> {
  return z.strictObject(shape, { error: () => mappingText(shape) });
}

/** A mapping, with the keys that it must have. */
function mappingText(shape: z.ZodRawShape): string {
  const required = Object.keys(shape).filter((key) => {
    const schema = shape[key] as z.ZodType;
    return !schema.safeParse(undefined).success;
  });
  return required.length === 0 ? 'a mapping' : `a mapping with ${required.join(', ')}`;
}

type Renamed<T, Names extends Readonly<Record<string, string>>> = {
  [Key in keyof T as Key extends keyof Names ? Names[Key] : Key]: T[Key];
};

/** Renames keys of a file to the names of the options. */
export function rename<T extends object, const Names extends Readonly<Record<string, string>>>(
  written: T,
  names: Names & Readonly<Record<Exclude<keyof Names, keyof T>, never>>,
): Renamed<T, Names>;
export function rename(written: object, names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => [names[key] ?? key, value as unknown]),
  );
}

/** Whether a value is a mapping. If it is one, the problem is an unknown discriminator, not the type. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
