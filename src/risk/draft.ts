import type { ResolvedRules } from '../domain/index.js';
import type { RiskAccount } from './account.js';
import { draftEntry } from './entry.js';
import { draftExit } from './exit.js';
import type { OrderDraft } from './order-draft.js';
import type { RiskPolicy } from './policy.js';
import type { OrderProposal } from './proposal.js';
import { settleTerms } from './terms.js';
import type { Refused } from './refusal.js';

/** Turns an intent into an order on the grid, or into a refusal. */
export function draftOrder(
  proposal: OrderProposal,
  rules: ResolvedRules,
  account: RiskAccount,
  policy: RiskPolicy,
): OrderDraft | Refused {
  const terms = settleTerms(proposal, rules, account, policy);
  if ('check' in terms) return terms;
  return proposal.action === 'close'
    ? draftExit(terms, account, policy)
    : draftEntry(terms, account, policy);
}
