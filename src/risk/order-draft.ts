import type { Fixed, ResolvedRules, RiskChange } from '../domain/index.js';
import { quantityUnitName, QUOTE_STEP } from './money.js';
import type { OrderProposal } from './proposal.js';
import type { OrderTerms } from './terms.js';

/** An order on the venue's grid that has not been checked against any limit. */
export interface OrderDraft {
  readonly proposal: OrderProposal;
  readonly terms: OrderTerms;
  /** What would be sent, in `terms.unit`. */
  readonly sent: Fixed;
  /** In base or contracts: `sent`, or for a quote amount what it buys at last, rounded down to the step. */
  readonly quantity: Fixed;
  /** Exits: what of the position no other exit works on, on the step grid. Entries: 0. */
  readonly closable: Fixed;
  readonly changes: readonly RiskChange[];
  /** Entries: what `sent` needs as one order, costs included, in what pays for it. Exits: 0. */
  readonly needed: Fixed;
}

/** The orders an intent becomes: what each sends, and what was changed to get there. */
export interface Legs {
  readonly sent: readonly Fixed[];
  readonly changes: readonly RiskChange[];
}

const NO_CHANGES: readonly RiskChange[] = [];

/** Drops the absent ones, without making an array for the usual case of none. */
export function collectChanges(
  first?: RiskChange,
  second?: RiskChange,
  third?: RiskChange,
  fourth?: RiskChange,
): readonly RiskChange[] {
  if ((first ?? second ?? third ?? fourth) === undefined) return NO_CHANGES;
  return [first, second, third, fourth].filter((change) => change !== undefined);
}

/** What `sent` is counted in, for messages. */
export function sentUnitName({ proposal, terms }: OrderDraft): string {
  return terms.unit === 'quote' ? proposal.instrument.quote : quantityUnitName(proposal.instrument);
}

/** Grid of `sent`. */
export function sentStep(terms: OrderTerms, rules: ResolvedRules): Fixed {
  return terms.unit === 'quote' ? QUOTE_STEP : rules.step;
}
