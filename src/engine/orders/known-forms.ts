import type { OrderIntent, Refusal } from '../../domain/index.js';
import { findFormProblem, isPlain } from './intent-form.js';

/** Keys below which further keys stand. What else is an object, such as a `Decimal`, is a value. */
const NESTED = new Set([
  'size',
  'protection',
  'bracket',
  'stopLoss',
  'takeProfit',
  'trailingStop',
  'target',
]);
/** Keys whose values are words or texts of a form of their own: another value is another form. */
const WORDS = new Set(['kind', 'direction', 'timeInForce', 'priceRounding', 'expireAfter']);
/** What has rules of its own for its values. */
const ALWAYS_LOOKED_AT = new Set(['work', 'targets', 'tolerance', 'minimumTrade']);
/** Strategies write few kinds of intents, over and over. */
const MOST = 8;

/** How an object is written: its keys in their order, and of each value as much as its form depends on. */
interface Form {
  readonly keys: readonly string[];
  /** A form, a word itself, or undefined where the type is enough. */
  readonly values: readonly unknown[];
  readonly types: readonly string[];
  /** The object that was written so last. */
  seen: unknown;
}

/** Of an intent as the methods of strategies make it: so many keys come before those of its terms. */
const BEFORE_TERMS = { enter: 3, exit: 1 } as const;
const SIZE = 2;

/**
 * Finds what is wrong with the form of intents, like {@link findFormProblem}, and remembers how those were written that have nothing wrong: nearly every
 * intent is written as one before it, which takes a fraction of the time to see.
 */
export class KnownForms {
  readonly #forms: Form[] = [];
  #last: Form | undefined;

  findProblem(intent: OrderIntent): Refusal | undefined {
    for (const form of this.#forms) {
      if (!isWrittenAs(intent, form, 0, false)) continue;
      this.#last = form;
      return undefined;
    }
    const problem = findFormProblem(intent);
    // Plain ones are looked at in less time than they are compared.
    if (problem === undefined && this.#forms.length < MOST && !isPlain(intent)) this.#learn(intent);
    return problem;
  }

  /** Whether an intent that changes nothing needs no word: it is written as one, or too plain to be looked at. */
  isWritten(intent: OrderIntent): boolean {
    return isPlain(intent) || this.findProblem(intent) === undefined;
  }

  /**
   * Whether an entry or exit that changes nothing, and has terms, is written as the last that was looked at. An object that is the same as then is not looked
   * into again: what has been changed in it is seen when an intent changes something.
   */
  isWrittenAgain(kind: 'enter' | 'exit', size: unknown, terms: object): boolean {
    const last = this.#last;
    if (last === undefined || last.values[0] !== kind) return false;
    if (kind === 'enter' && !isValueAs(size, last, SIZE, true)) return false;
    return isWrittenAs(terms, last, BEFORE_TERMS[kind], true);
  }

  #learn(intent: OrderIntent): void {
    const form = formOf(intent);
    if (form === undefined) return;
    this.#forms.push(form);
    this.#last = form;
  }
}

/** Whether an object has the keys of a form from a place on. `trustsSeen`: the object of the last time is taken to be as it was. */
function isWrittenAs(said: object, form: Form, from: number, trustsSeen: boolean): boolean {
  const { keys } = form;
  let at = from;
  for (const key in said) {
    if (key !== keys[at]) return false;
    if (!isValueAs((said as Record<string, unknown>)[key], form, at, trustsSeen)) return false;
    at += 1;
  }
  return at === keys.length;
}

function isValueAs(value: unknown, form: Form, at: number, trustsSeen: boolean): boolean {
  const known = form.values[at];
  if (known === undefined) return isOfType(value, form.types[at]);
  if (value === known) return true;
  if (typeof value !== 'object' || value === null || typeof known !== 'object') return false;
  const nested = known as Form;
  if (trustsSeen && nested.seen === value) return true;
  if (!isWrittenAs(value, nested, 0, trustsSeen)) return false;
  nested.seen = value;
  return true;
}

/** Mostly it is a text: compiled code compares with a type that stands here, and calls for one that does not. */
function isOfType(value: unknown, type: string | undefined): boolean {
  return type === 'string' ? typeof value === 'string' : typeof value === type;
}

/** Undefined where more than the form has to be looked at each time. */
function formOf(said: object): Form | undefined {
  const keys: string[] = [];
  const values: unknown[] = [];
  const types: string[] = [];
  for (const key in said) {
    const value = (said as Record<string, unknown>)[key];
    const isNested = NESTED.has(key) && typeof value === 'object';
    const known = isNested ? value && formOf(value) : WORDS.has(key) ? value : undefined;
    if (ALWAYS_LOOKED_AT.has(key) || (isNested && !known)) return undefined;
    keys.push(key);
    values.push(known);
    types.push(typeof value);
  }
  return { keys, values, types, seen: said };
}
