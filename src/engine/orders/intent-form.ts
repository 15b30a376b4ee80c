import {
  suggestWord,
  type DecimalInput,
  type EnterIntent,
  type ExitIntent,
  type OrderIntent,
  type Refusal,
  type TargetIntent,
} from '../../domain/index.js';
import { readAmount } from '../../risk/index.js';
import { findWorkProblem, isLifetime } from './work-terms.js';

/** A problem by its check, and what is said of it. */
type Problem = Pick<Refusal, 'check' | 'limit' | 'actual' | 'unit' | 'text'>;

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

const KEYS: Readonly<Partial<Record<string, ReadonlySet<string>>>> &
  Record<OrderIntent['kind'], ReadonlySet<string>> = {
  enter: new Set(['kind', 'direction', 'size', 'protection', 'bracket', 'add', ...ORDER_TERMS]),
  exit: new Set(['kind', 'direction', 'size', 'cancelEntries', ...ORDER_TERMS]),
  protect: new Set(['kind', 'instrument', 'direction', 'protection']),
  cancel: new Set(['kind', 'target']),
  replace: new Set(['kind', 'target', 'limitPrice', 'quantity']),
  flatten: new Set(['kind', 'instrument']),
  target: new Set(['kind', 'targets', 'tolerance', 'minimumTrade', 'label']),
};

const SIZES = new Set(['quantity', 'notional', 'equity', 'risk']);
const PARTS = new Set(['quantity', 'share']);
const LEVELS = new Set(['price', 'ratio', 'distance']);
const TARGETS = new Set(['intentId', 'label']);
const GUARDS = new Set(['stopLoss', 'takeProfit', 'trailingStop']);
const BRACKETS = new Set(['stopLoss', 'takeProfit']);
const TERMS: ReadonlySet<string> = new Set([...KEYS.enter].filter((key) => key !== 'kind'));

/** Words of which a term is one. */
const WORDS = {
  direction: ['long', 'short'],
  timeInForce: ['GTC', 'IOC', 'FOK', 'POST_ONLY'],
  priceRounding: ['never-worse', 'nearest'],
} as const;

/**
 * What is wrong with an intent as it is written: a key that there is not, two sizes or none, a word that means nothing. The types say the same, but
 * a plugin may be JavaScript, and what is misspelt would be as if it had not been said. Values are for others to check; an intent of a kind that
 * there is not is none of ours.
 */
export function findFormProblem(intent: OrderIntent): Refusal | undefined {
  const keys = KEYS[intent.kind as string];
  if (keys === undefined) return undefined;
  // Plain ones have no key that there is not, which takes less to find out than a look into a set for each.
  const unknown = isPlain(intent) ? undefined : unknownKey(intent.kind, intent, keys);
  if (unknown !== undefined) return unknown;
  switch (intent.kind) {
    case 'enter':
      return (
        sizeProblem(intent.size, SIZES) ??
        wordProblem('direction', intent.direction) ??
        termProblem(intent) ??
        (intent.protection === undefined
          ? undefined
          : levelsProblem('protection', intent.protection, GUARDS)) ??
        (intent.bracket === undefined ? undefined : bracketProblem(intent))
      );
    case 'exit':
      return (
        (intent.size === undefined ? undefined : sizeProblem(intent.size, PARTS)) ??
        sideProblem(intent) ??
        termProblem(intent)
      );
    case 'protect':
      return sideProblem(intent) ?? levelsProblem('protection', intent.protection, GUARDS);
    case 'cancel':
    case 'replace':
      return choiceProblem('target', intent.target, TARGETS, 'invalid-target');
    case 'flatten':
      return undefined;
    case 'target':
      return targetProblem(intent);
  }
}

/**
 * Whether an entry says no more than its side and its size, or an exit nothing. Said again where it changes nothing, which many strategies do with every
 * candle, it is nothing, whatever its size: it is not looked at then, in no mode.
 */
export function isPlain(intent: OrderIntent): boolean {
  const { kind } = intent;
  if (kind !== 'enter' && kind !== 'exit') return false;
  for (const key in intent)
    if (key !== 'kind' && (kind === 'exit' || (key !== 'direction' && key !== 'size')))
      return false;
  return true;
}

function unknownKey(where: string, said: object, keys: ReadonlySet<string>): Problem | undefined {
  for (const key in said) if (!keys.has(key)) return describeUnknown(where, key, keys);
  return undefined;
}

function describeUnknown(where: string, key: string, keys: ReadonlySet<string>): Problem {
  const known = [...keys].sort();
  const similar = suggestWord(key, known);
  const advice =
    where === 'size' && TERMS.has(key)
      ? 'it belongs beside the size, among the terms'
      : similar === undefined
        ? `its keys are ${known.join(', ')}`
        : `did you mean "${similar}"?`;
  return {
    check: 'unknown-key',
    limit: known.join(', '),
    actual: key,
    unit: 'key',
    text: `${where} has no key "${key}": ${advice}`,
  };
}

const TARGET_SIZES = new Set(['quantity', 'notional', 'weight']);

function targetProblem({
  targets,
  tolerance,
  minimumTrade,
  label,
}: TargetIntent): Problem | undefined {
  const list: unknown = targets;
  if (!Array.isArray(list) || list.length === 0)
    return invalidTerm('targets', 'at least one instrument', list);
  for (const { to } of targets) {
    const problem = choiceProblem('to', to, TARGET_SIZES, 'invalid-size');
    if (problem !== undefined) return problem;
    const [amount] = Object.values<unknown>(to).filter((value) => value !== undefined);
    if (readAmount(amount as DecimalInput) === undefined)
      return invalidTerm('to', 'a decimal, below 0 for short', amount);
  }
  for (const [name, said] of Object.entries({ tolerance, minimumTrade })) {
    const amount = said === undefined ? 0n : readAmount(said);
    if (typeof amount !== 'bigint' || amount < 0n)
      return invalidTerm(name, 'a decimal of at least 0', said);
  }
  return label === undefined || typeof label === 'string'
    ? undefined
    : invalidTerm('label', 'a text', label);
}

/** A size that is no object is for risk to refuse, which says what one looks like. */
function sizeProblem(size: unknown, known: ReadonlySet<string>): Problem | undefined {
  return typeof size === 'object' && size !== null
    ? choiceProblem('size', size, known, 'invalid-size')
    : undefined;
}

/** Something of which exactly one key is given. Nearly everything is well written: what is said of the rest is put together for it alone. */
function choiceProblem(
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
  if (typeof said !== 'object' || said === null) return problem(describe(said));
  const unknown = Object.keys(said).find((key) => !keys.has(key));
  if (unknown !== undefined)
    return where === 'size' && (SIZES.has(unknown) || PARTS.has(unknown))
      ? problem(unknown)
      : describeUnknown(where, unknown, keys);
  const given = Object.entries(said).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  return problem(given.length === 0 ? 'none of them' : given.join(' and '));
}

/** One of both guards the entry; and what trails follows a position, not one entry of it. */
function bracketProblem({ bracket, protection }: EnterIntent): Problem | undefined {
  if (protection !== undefined)
    return invalidProtection('bracket', 'no protection beside it', protection);
  const levels: unknown = bracket;
  if (
    typeof levels === 'object' &&
    levels !== null &&
    'trailingStop' in levels &&
    levels.trailingStop !== undefined
  )
    return invalidProtection(
      'bracket.trailingStop',
      'none: a trailing stop guards the whole position, by protection',
      levels.trailingStop,
    );
  return levelsProblem('bracket', bracket, BRACKETS);
}

function levelsProblem(
  where: 'protection' | 'bracket',
  said: unknown,
  known: ReadonlySet<string>,
): Problem | undefined {
  if (typeof said !== 'object' || said === null)
    return invalidProtection(where, `{ ${[...known].join(', ')} }`, said);
  for (const [name, level] of Object.entries(said)) {
    if (!known.has(name)) return describeUnknown(where, name, known);
    if (level === undefined) continue;
    const problem = choiceProblem(`${where}.${name}`, level, LEVELS, 'invalid-protection');
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function invalidProtection(unit: string, limit: string, said: unknown): Problem {
  const actual = describe(said);
  const text = `${unit}: expected ${limit}, received ${actual}`;
  return { check: 'invalid-protection', limit, actual, unit, text };
}

function termProblem(terms: EnterIntent | ExitIntent): Problem | undefined {
  const { timeInForce, priceRounding, label, expireAfter, oco } = terms;
  if (timeInForce !== undefined) {
    const problem = wordProblem('timeInForce', timeInForce);
    if (problem !== undefined) return problem;
  }
  if (priceRounding !== undefined) {
    const problem = wordProblem('priceRounding', priceRounding);
    if (problem !== undefined) return problem;
  }
  if (expireAfter !== undefined) {
    if (!isLifetime(expireAfter))
      return invalidTerm(
        'expireAfter',
        'a duration above 0 such as 90s, 15min, 3h or 2d',
        expireAfter,
      );
    if (terms.goodForMs !== undefined)
      return invalidTerm('expireAfter', 'no goodForMs beside it', terms.goodForMs);
  }
  if (oco !== undefined && typeof oco !== 'string') return invalidTerm('oco', 'a text', oco);
  if (terms.work !== undefined) {
    const problem = findWorkProblem(terms);
    if (problem !== undefined) return invalidTerm(problem.at, problem.expected, problem.received);
  }
  return label === undefined || typeof label === 'string'
    ? undefined
    : invalidTerm('label', 'a text', label);
}

function sideProblem({ direction }: { readonly direction?: unknown }): Problem | undefined {
  return direction === undefined ? undefined : wordProblem('direction', direction);
}

function wordProblem(name: keyof typeof WORDS, said: unknown): Problem | undefined {
  const words: readonly unknown[] = WORDS[name];
  if (words.includes(said)) return undefined;
  const [last, ...others] = WORDS[name].toReversed();
  return invalidTerm(name, `${others.reverse().join(', ')} or ${String(last)}`, said);
}

function invalidTerm(name: string, limit: string, said: unknown): Problem {
  const actual = describe(said);
  return {
    check: 'invalid-term',
    limit,
    actual,
    unit: name,
    text: `${name}: expected ${limit}, received ${actual}`,
  };
}

function describe(said: unknown): string {
  if (said === undefined) return 'nothing';
  return (JSON.stringify(said) as string | undefined)?.slice(0, 60) ?? typeof said;
}
