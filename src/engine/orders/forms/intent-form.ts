import type {
  DecimalInput,
  EnterIntent,
  ExitIntent,
  OrderIntent,
  Refusal,
  TargetIntent,
} from '../../../domain/index.js';
import { readAmount } from '../../../risk/index.js';
import {
  BRACKETS,
  choiceProblem,
  describeSaid,
  describeUnknown,
  GUARDS,
  KEYS,
  LEVELS,
  PARTS,
  SIZES,
  TARGETS,
  unknownKey,
  type Problem,
} from './intent-keys.js';
import { refuseKind } from '../order-refusals.js';
import { findWorkProblem, isLifetime } from '../worked/work-terms.js';

/** The allowed words of each term. */
const WORDS = {
  direction: ['long', 'short'],
  timeInForce: ['GTC', 'IOC', 'FOK', 'POST_ONLY'],
  priceRounding: ['never-worse', 'nearest'],
} as const;

/** @throws {DomainError} `E_INTENT_UNKNOWN` when its kind is unknown, or when it is not an intent at all. */
export function requireKind(intent: OrderIntent): void {
  const said: unknown = intent;
  if (typeof said !== 'object' || said === null) refuseKind(said);
  const { kind } = intent;
  // The two most frequent kinds are compared first: looking a text up in a record is slower.
  if (kind !== 'enter' && kind !== 'exit' && KEYS[kind as string] === undefined) refuseKind(said);
}

/**
 * Finds a problem in the form of an intent: an unknown key, two sizes or none, an unknown word. The types rule these out, but a plugin may be
 * JavaScript, and a misspelt key would have no effect. Values are checked elsewhere. Returns undefined for an intent of unknown kind.
 */
export function findFormProblem(intent: OrderIntent): Refusal | undefined {
  const keys = KEYS[intent.kind as string];
  if (keys === undefined) return undefined;
  const unknown = unknownKey(intent.kind, intent, keys);
  if (unknown !== undefined) return unknown;
  switch (intent.kind) {
    case 'enter':
      return (
        entryProblem(intent) ??
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
      return choiceProblem('target', intent.target, TARGETS, 'invalid-target');
    case 'replace':
      return (
        choiceProblem('target', intent.target, TARGETS, 'invalid-target') ??
        (intent.limitPrice === undefined && intent.quantity === undefined
          ? invalidTerm('replace', 'a limitPrice or a quantity', undefined)
          : undefined)
      );
    case 'flatten':
      return undefined;
    case 'target':
      return targetProblem(intent);
  }
}

/**
 * Whether an entry has only a direction and a size, or an exit has no terms. Many strategies repeat such an intent with every candle. If it changes
 * nothing, its size is not checked, in any mode.
 */
export function isPlain(intent: OrderIntent): boolean {
  const { kind } = intent;
  if (kind !== 'enter' && kind !== 'exit') return false;
  for (const key in intent)
    if (key !== 'kind' && (kind === 'exit' || (key !== 'direction' && key !== 'size')))
      return false;
  return true;
}

const TARGET_KEYS = new Set(['instrument', 'to']);
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
  for (const one of targets) {
    const said: unknown = one;
    if (typeof said !== 'object' || said === null)
      return invalidTerm('targets', '{ instrument, to }', said);
    const { to } = one;
    const problem =
      unknownKey('targets', one, TARGET_KEYS) ??
      choiceProblem('to', to, TARGET_SIZES, 'invalid-size');
    if (problem !== undefined) return problem;
    const [amount] = Object.values<unknown>(to).filter((value) => value !== undefined);
    if (readAmount(amount as DecimalInput) === undefined)
      return invalidTerm('to', 'decimal text, below 0 for short', amount);
  }
  for (const [name, said] of Object.entries({ tolerance, minimumTrade })) {
    const amount = said === undefined ? 0n : readAmount(said);
    if (typeof amount !== 'bigint' || amount < 0n)
      return invalidTerm(name, 'decimal text of at least 0', said);
  }
  return label === undefined || typeof label === 'string'
    ? undefined
    : invalidTerm('label', 'a text', label);
}

/** Finds a problem in the size or the direction of an entry. A plain entry can have no other. */
export function entryProblem({ size, direction }: EnterIntent): Problem | undefined {
  const problem = sizeProblem(size, SIZES);
  if (problem !== undefined || direction === 'long') return problem;
  return wordProblem('direction', direction);
}

/** Ignores a size that is not an object: risk refuses it and describes the form of a size. */
function sizeProblem(size: unknown, known: ReadonlySet<string>): Problem | undefined {
  return typeof size === 'object' && size !== null
    ? choiceProblem('size', size, known, 'invalid-size')
    : undefined;
}

/** An entry has either a bracket or a protection. A bracket has no trailing stop, because a trailing stop follows a position, not a single entry. */
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
  for (const name in said) {
    if (!known.has(name)) return describeUnknown(where, name, known);
    const level = (said as Record<string, unknown>)[name];
    // Many strategies send this with each candle, so a description is built only for an invalid level.
    if (level !== undefined && !isLevel(level)) return describeLevel(`${where}.${name}`, level);
  }
  return undefined;
}

/** Whether a level has exactly one known key, and its amount is not a number. */
function isLevel(said: unknown): boolean {
  if (typeof said !== 'object' || said === null) return false;
  let given = 0;
  for (const kind in said) {
    const amount = (said as Record<string, unknown>)[kind];
    if (!LEVELS.has(kind) || typeof amount === 'number') return false;
    if (amount !== undefined) given += 1;
  }
  return given === 1;
}

/** Describes the problem of a level. A text that is not a decimal is reported later, when the level is computed. */
function describeLevel(where: string, level: unknown): Problem | undefined {
  const problem = choiceProblem(where, level, LEVELS, 'invalid-protection');
  if (problem !== undefined) return problem;
  const number = Object.entries(level as object).find(([, amount]) => typeof amount === 'number');
  return (
    number &&
    invalidProtection(
      `${where}.${number[0]}`,
      `decimal text such as "${String(number[1])}"`,
      number[1],
    )
  );
}

function invalidProtection(unit: string, limit: string, said: unknown): Problem {
  const actual = describeSaid(said);
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
  if (terms.goodForMs !== undefined && typeof terms.goodForMs !== 'number')
    return invalidTerm('goodForMs', 'milliseconds as a number', terms.goodForMs);
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
  const actual = describeSaid(said);
  return {
    check: 'invalid-term',
    limit,
    actual,
    unit: name,
    text: `${name}: expected ${limit}, received ${actual}`,
  };
}

/** Whether an entry is sized by the level of its stop. The size of an entry that changes nothing may be written wrong. */
export function isByRisk({ size }: { readonly size: unknown }): boolean {
  return typeof size === 'object' && size !== null && 'risk' in size;
}
