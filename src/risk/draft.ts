import type { Refusal, ResolvedRules } from '../domain/index.js';
import type { RiskAccount } from './account.js';
import { draftEntry } from './entry.js';
import { draftExit } from './exit.js';
import type { OrderDraft } from './order-draft.js';
import type { RiskPolicy } from './policy.js';
import type { OrderProposal } from './proposal.js';
import { isRefusal } from './refusal.js';
import { settleTerms } from './terms.js';

/** Turns an intent into an order on the grid, or says why it makes none. */
export function draftOrder(
  proposal: OrderProposal,
  rules: ResolvedRules,
  account: RiskAccount,
  policy: RiskPolicy,
): OrderDraft | Refusal {
  const terms = settleTerms(proposal, rules, account, policy);
  if (isRefusal(terms)) return terms;
  const fees = policy.fees(proposal.instrument.id, account.now);
  const context = { proposal, terms, rules, account, fees, policy };
  return proposal.action === 'close' ? draftExit(context) : draftEntry(context);
}
