import type { OrderIntent, Refusal } from '../../../domain/index.js';
import { entryProblem, findFormProblem, isPlain } from './intent-form.js';

/** Keys whose values have keys of their own. Any other object, such as a `Decimal`, counts as a value. */
const NESTED = new Set([
  'size',
  'protection',
  'bracket',
  'stopLoss',
  'takeProfit',
  'trailingStop',
  'target',
]);
/** Keys whose values are part of the form: another value makes another form. */
const WORDS = new Set(['kind', 'direction', 'timeInForce', 'priceRounding', 'expireAfter']);
/** A key whose value has rules of its own, so that it is checked each time. */
const ALWAYS_LOOKED_AT = 'work';
/** Number of forms to remember: strategies repeat a few forms of intents. */
const MOST = 8;

/** The form of an object: its keys in order, and the part of each value that the form depends on. */
interface Form {
  readonly keys: readonly string[];
  /** A nested form, the word itself, or undefined if the type is enough. */
  readonly values: readonly unknown[];
  readonly types: readonly string[];
  /** The last object that had this form; of an intent, the terms with which it was written again. */
  seen: unknown;
}

/** Number of keys before the terms, in an intent that a method of a strategy made. */
const BEFORE_TERMS = { enter: 3, exit: 1 } as const;
const SIZE = 2;

/**
 * Finds problems in the form of intents, like {@link findFormProblem}, and remembers valid forms. Nearly every intent has the form of an earlier one,
 * and comparing it with that form takes a fraction of the time.
 */
export class KnownForms {
  readonly #forms: Form[] = [];
  #last: Form | undefined;

  findProblem(intent: OrderIntent): Refusal | undefined {
    // Checking a plain intent takes less time than comparing it.
    if (isPlain(intent)) return intent.kind === 'enter' ? entryProblem(intent) : undefined;
    // The values of a target are looked at each time.
    if (intent.kind === 'target') return findFormProblem(intent);
    for (const form of this.#forms) {
      if (!isWrittenAs(intent, form, 0, false)) continue;
      this.#last = form;
      return undefined;
    }
    const problem = findFormProblem(intent);
    if (problem === undefined && this.#forms.length < MOST) this.#learn(intent);
    return problem;
  }

  /** Whether an intent that changes nothing passes without a refusal: its form is valid, or it is plain and not checked. */
  isWritten(intent: OrderIntent): boolean {
    return isPlain(intent) || this.findProblem(intent) === undefined;
  }

  /**
   * Whether an entry or exit that changes nothing, and has terms, has the form of the last checked intent. An object identical to the last one is not
   * checked again: a change inside it is found when an intent changes something.
   */
  isWrittenAgain(kind: 'enter' | 'exit', size: unknown, terms: object): boolean {
    const last = this.#last;
    if (last === undefined || last.values[0] !== kind) return false;
    if (kind === 'enter' && !isValueAs(size, last, SIZE, true)) return false;
    if (last.seen === terms) return true;
    if (!isWrittenAs(terms, last, BEFORE_TERMS[kind], true)) return false;
    last.seen = terms;
    return true;
  }

  #learn(intent: OrderIntent): void {
    const form = formOf(intent);
    if (form === undefined) return;
    this.#forms.push(form);
    this.#last = form;
  }
}

/** Whether an object has the keys of a form from index `from` on. `trustsSeen`: an object identical to the last one counts as unchanged. */
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
  if (known === undefined) {
    const type = form.types[at];
    // The type is usually `string`. Compiled code compares fast with a type that is written here as a literal, and makes a call for any other.
    return type === 'string' ? typeof value === 'string' : typeof value === type;
  }
  if (value === known) return true;
  if (typeof value !== 'object' || value === null || typeof known !== 'object') return false;
  const nested = known as Form;
  if (trustsSeen && nested.seen === value) return true;
  if (!isWrittenAs(value, nested, 0, trustsSeen)) return false;
  nested.seen = value;
  return true;
}

/** Undefined if the intent has values that must be checked each time. */
function formOf(said: object): Form | undefined {
  const keys: string[] = [];
  const values: unknown[] = [];
  const types: string[] = [];
  for (const key in said) {
    const value = (said as Record<string, unknown>)[key];
    const isNested = NESTED.has(key) && typeof value === 'object';
    const known = isNested ? value && formOf(value) : WORDS.has(key) ? value : undefined;
    if (key === ALWAYS_LOOKED_AT || (isNested && !known)) return undefined;
    keys.push(key);
    values.push(known);
    types.push(typeof value);
  }
  return { keys, values, types, seen: said };
}
