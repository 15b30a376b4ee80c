import type { Fixed, ResolvedRules, RiskChange } from '../domain/index.js';
import { quantityUnitName, QUOTE_STEP } from './size/money.js';
import type { OrderProposal } from './proposal.js';
import type { OrderTerms } from './terms.js';

/** An order on the venue's grid, before any limit is checked. */
export interface OrderDraft {
  readonly proposal: OrderProposal;
  readonly terms: OrderTerms;
  /** Amount to send, in `terms.unit`. */
  readonly sent: Fixed;
  /** In base or contracts: `sent`, or the quantity that a quote amount buys at the last price, rounded down to the step. */
  readonly quantity: Fixed;
  /** Exits: the part of the position that no other exit works on, on the step grid. Entries: 0. */
  readonly closable: Fixed;
  readonly changes: readonly RiskChange[];
  /** Entries: funds that `sent` needs as one order, costs included, in the asset that pays for it. Exits: 0. */
  readonly needed: Fixed;
}

/** The orders of an intent: the amount of each, and the changes that led to them. */
export interface Legs {
  readonly sent: readonly Fixed[];
  readonly changes: readonly RiskChange[];
}

const NO_CHANGES: readonly RiskChange[] = [];

/** Drops undefined changes. Allocates no array in the usual case without any change. */
export function collectChanges(
  first?: RiskChange,
  second?: RiskChange,
  third?: RiskChange,
  fourth?: RiskChange,
): readonly RiskChange[] {
  if ((first ?? second ?? third ?? fourth) === undefined) return NO_CHANGES;
  return [first, second, third, fourth].filter((change) => change !== undefined);
}

/** Name of the unit of `sent`, for messages. */
export function sentUnitName({ proposal, terms }: OrderDraft): string {
  return terms.unit === 'quote' ? proposal.instrument.quote : quantityUnitName(proposal.instrument);
}

/** Grid of `sent`. */
export function sentStep(terms: OrderTerms, rules: ResolvedRules): Fixed {
  return terms.unit === 'quote' ? QUOTE_STEP : rules.step;
}
