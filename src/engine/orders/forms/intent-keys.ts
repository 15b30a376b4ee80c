import {
  suggestWord,
  type EnterIntent,
  type ExitIntent,
  type OrderIntent,
  type Refusal,
} from '../../../domain/index.js';

// The known keys of intents, and the problems of unknown keys.

/** A failed check, with the fields that describe it. */
export type Problem = Pick<Refusal, 'check' | 'limit' | 'actual' | 'unit' | 'text'>;

const ORDER_TERMS = [
  'instrument',
  'limitPrice',
  'timeInForce',
  'goodForMs',
  'expireAfter',
  'oco',
  'work',
  'priceRounding',
  'label',
] as const satisfies readonly (keyof EnterIntent & keyof ExitIntent)[];

export const KEYS: Readonly<Partial<Record<string, ReadonlySet<string>>>> &
  Record<OrderIntent['kind'], ReadonlySet<string>> = {
  enter: new Set(['kind', 'direction', 'size', 'protection', 'bracket', 'add', ...ORDER_TERMS]),
  exit: new Set(['kind', 'direction', 'size', 'cancelEntries', ...ORDER_TERMS]),
  protect: new Set(['kind', 'instrument', 'direction', 'protection']),
  cancel: new Set(['kind', 'target']),
  replace: new Set(['kind', 'target', 'limitPrice', 'quantity']),
  flatten: new Set(['kind', 'instrument']),
  target: new Set(['kind', 'targets', 'tolerance', 'minimumTrade', 'label']),
};

export const SIZES = new Set(['quantity', 'notional', 'equity', 'risk']);
export const PARTS = new Set(['quantity', 'share']);
export const LEVELS = new Set(['price', 'ratio', 'distance']);
export const TARGETS = new Set(['intentId', 'label']);
export const GUARDS = new Set(['stopLoss', 'takeProfit', 'trailingStop']);
export const BRACKETS = new Set(['stopLoss', 'takeProfit']);
const TERMS: ReadonlySet<string> = new Set([...KEYS.enter].filter((key) => key !== 'kind'));

export function unknownKey(
  where: string,
  said: object,
  keys: ReadonlySet<string>,
): Problem | undefined {
  for (const key in said) if (!keys.has(key)) return describeUnknown(where, key, keys);
  return undefined;
}

export function describeUnknown(where: string, key: string, keys: ReadonlySet<string>): Problem {
  // The function that makes the intent sets `kind` and `target`, so they are not suggested.
  const known = [...keys].filter((one) => one !== 'kind' && one !== 'target').sort();
  return {
    check: 'unknown-key',
    limit: known.join(', '),
    actual: key,
    unit: 'key',
    text: `${where} has no key "${key}": ${placeOf(where, key) ?? adviseKey(key, known)}`,
  };
}

function adviseKey(key: string, known: readonly string[]): string {
  const similar = suggestWord(key, known);
  return similar === undefined ? `its keys are ${known.join(', ')}` : `did you mean "${similar}"?`;
}

/** Describes where a misplaced key belongs; undefined for a key that is known nowhere. */
function placeOf(where: string, key: string): string | undefined {
  if (where === 'size' && TERMS.has(key)) return 'it belongs beside the size, among the terms';
  const isEntry = where === 'enter';
  if (isEntry && SIZES.has(key)) return 'it belongs in the size, which comes before the terms';
  if (isEntry && GUARDS.has(key)) return `it belongs in protection: { ${key} }`;
  if (where === 'exit' && PARTS.has(key)) return `it belongs in size: { ${key} }`;
  if (where === 'exit' && GUARDS.has(key)) return `protect({ ${key} }) guards what is held`;
  return undefined;
}

/** Checks that exactly one of the keys is given. Nearly all input is valid, so a description is built only for invalid input. */
export function choiceProblem(
  where: string,
  said: unknown,
  keys: ReadonlySet<string>,
  check: string,
): Problem | undefined {
  return isOneOf(said, keys) ? undefined : describeChoice(where, said, keys, check);
}

function isOneOf(said: unknown, keys: ReadonlySet<string>): boolean {
  if (typeof said !== 'object' || said === null) return false;
  let given = 0;
  for (const key in said) {
    if (!keys.has(key)) return false;
    if ((said as Record<string, unknown>)[key] !== undefined) given += 1;
  }
  return given === 1;
}

function describeChoice(
  where: string,
  said: unknown,
  keys: ReadonlySet<string>,
  check: string,
): Problem {
  const [last = '', ...others] = [...keys].reverse();
  const limit = others.length === 0 ? last : `one of ${others.reverse().join(', ')} and ${last}`;
  const problem = (actual: string): Problem => ({
    check,
    limit,
    actual,
    unit: 'key',
    text: `${where}: expected ${limit}, received ${actual}`,
  });
  if (typeof said !== 'object' || said === null) return problem(describeSaid(said));
  const unknown = Object.keys(said).find((key) => !keys.has(key));
  if (unknown !== undefined)
    return where === 'size' && (SIZES.has(unknown) || PARTS.has(unknown))
      ? problem(unknown)
      : describeUnknown(where, unknown, keys);
  const given = Object.entries(said).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  return problem(given.length === 0 ? 'none of them' : given.join(' and '));
}

/** The input of a plugin as text, shortened. Never throws, whatever a plugin passes. */
export function describeSaid(said: unknown): string {
  if (said === undefined) return 'nothing';
  // JSON writes NaN as null, and refuses a bigint and an object within itself.
  if (typeof said === 'number') return String(said);
  if (typeof said === 'bigint') return `${String(said)}n`;
  try {
    return (JSON.stringify(said) as string | undefined)?.slice(0, 60) ?? typeof said;
  } catch {
    return typeof said;
  }
}
