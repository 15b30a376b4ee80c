import {
  amountText,
  formatFixed,
  type Fixed,
  type InstrumentId,
  type Refusal,
  type RefusedDecision,
} from '../domain/index.js';
import type { CheckName } from './check-names.js';

/** A value that would pass, and its unit: that of the size, even if limit and actual are money. */
export interface Passing {
  readonly value: Fixed;
  readonly unit: string;
}

/** Writes it as the end of a sentence; an empty text for undefined. */
export function advise(passing: Passing | undefined): string {
  return passing === undefined ? '' : `; ${amountText(passing.value, passing.unit)} would pass`;
}

/** The identity of a refusal: equal refusals of one instrument are counted together. */
export interface RefusalGrounds {
  readonly check: CheckName;
  /** An exact number becomes text only when the refusal is read. */
  readonly limit: Fixed | string;
  readonly unit: string;
}

/** The rest of a refusal, with exact numbers. The check writes `text`. */
interface RefusalDetails {
  readonly actual: Fixed | string;
  readonly text: string;
  readonly wouldPass?: Passing | undefined;
}

/**
 * A refusal of risk. Its sentence and its figures are written when they are read, which is at once or never. A strategy may send the same intent with
 * every candle and is refused each time; only one of the equal refusals is kept.
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

/** A refusal whose details are known already. */
export function createRefusal(parts: RefusalGrounds & RefusalDetails): Refused {
  return new Refused(parts, () => parts);
}

/** Why nothing of an instrument can be traded whose rules are not known. */
export function unknownRules(
  id: InstrumentId,
): Pick<Refusal, 'limit' | 'actual' | 'unit' | 'text'> & { readonly check: CheckName } {
  return {
    check: 'no-rules',
    limit: 'rules of the venue',
    actual: 'none',
    unit: 'record',
    text: `no trading rules of ${id} are known: give them under simulation.rules, or load the venue's records`,
  };
}

/** The input of a strategy, shortened for messages. Never throws, whatever a plugin passes. */
export function describeInput(input: unknown): string {
  let text: string;
  try {
    text = typeof input === 'string' ? `"${input}"` : String(input);
  } catch {
    text = typeof input;
  }
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
