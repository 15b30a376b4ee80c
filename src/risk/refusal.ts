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

/** A refusal with its numbers still exact; `text` is written by the check that knows what it means. */
export interface RefusalParts {
  readonly check: CheckName;
  readonly limit: Fixed | string;
  readonly actual: Fixed | string;
  readonly unit: string;
  readonly text: string;
  readonly wouldPass?: Passing | undefined;
}

const written = (value: Fixed | string): string =>
  typeof value === 'string' ? value : formatFixed(value);

export function createRefusal(parts: RefusalParts): Refusal {
  const { check, unit, text, wouldPass } = parts;
  const refusal = { check, limit: written(parts.limit), actual: written(parts.actual), unit, text };
  return wouldPass === undefined
    ? refusal
    : { ...refusal, wouldPass: formatFixed(wouldPass.value), wouldPassUnit: wouldPass.unit };
}

export function refused(refusal: Refusal): RefusedDecision {
  return { kind: 'refused', refusal };
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
