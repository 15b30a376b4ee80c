import {
  amountText,
  formatFixed,
  type Fixed,
  type Refusal,
  type RefusedDecision,
} from '../domain/index.js';
import type { CheckName } from './check-names.js';

/** What would pass, and in which unit: the size's, where limit and actual are money. */
export interface Passing {
  readonly value: Fixed;
  readonly unit: string;
}

/** Writes it as the end of a sentence; nothing where there is none. */
export function advise(passing: Passing | undefined): string {
  return passing === undefined ? '' : `; ${amountText(passing.value, passing.unit)} would pass`;
}

/** What refusals are told apart by: equal ones of one instrument are counted. */
export interface RefusalGrounds {
  readonly check: CheckName;
  /** Of what nobody has read yet its number, exact. */
  readonly limit: Fixed | string;
  readonly unit: string;
}

/** The rest of a refusal with its numbers still exact; `text` is written by the check that knows what it means. */
export interface RefusalDetails {
  readonly actual: Fixed | string;
  readonly text: string;
  readonly wouldPass?: Passing | undefined;
}

/**
 * A refusal of risk. Its sentence and its figures are written when they are read, which is at once or never: what a strategy wants with every candle is
 * refused with every candle, and of those that are alike one is kept.
 */
export class Refused implements RefusedDecision, RefusalGrounds {
  readonly kind = 'refused';
  readonly check: CheckName;
  readonly limit: Fixed | string;
  readonly unit: string;
  readonly #describe: () => RefusalDetails;

  constructor({ check, limit, unit }: RefusalGrounds, describe: () => RefusalDetails) {
    this.check = check;
    this.limit = limit;
    this.unit = unit;
    this.#describe = describe;
  }

  get refusal(): Refusal {
    const { check, unit } = this;
    const { actual, text, wouldPass } = this.#describe();
    const refusal = { check, limit: written(this.limit), actual: written(actual), unit, text };
    return wouldPass === undefined
      ? refusal
      : { ...refusal, wouldPass: formatFixed(wouldPass.value), wouldPassUnit: wouldPass.unit };
  }
}

/** A number of a refusal as text. */
export function written(value: Fixed | string): string {
  return typeof value === 'string' ? value : formatFixed(value);
}

/** A refusal that is described already. */
export function createRefusal(parts: RefusalGrounds & RefusalDetails): Refused {
  return new Refused(parts, () => parts);
}

/** What a strategy wrote, shortened, for messages. Never throws, whatever a plugin hands over. */
export function describeInput(input: unknown): string {
  let text: string;
  try {
    text = typeof input === 'string' ? `"${input}"` : String(input);
  } catch {
    text = typeof input;
  }
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
