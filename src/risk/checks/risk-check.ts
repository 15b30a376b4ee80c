import type { ResolvedRules } from '../../domain/index.js';
import type { RiskAccount } from '../account.js';
import type { CheckName } from '../check-names.js';
import type { OrderDraft } from '../order-draft.js';
import type { RiskPolicy } from '../policy.js';
import type { Refused } from '../refusal.js';

/** A named check of an order on the grid. Pure. Its refusal says which size would pass, if there is one. */
export interface RiskCheck {
  /** Stable: it appears in configs, reports and journals, and is listed in docs/risk.md. */
  readonly name: CheckName;
  check(
    draft: OrderDraft,
    rules: ResolvedRules,
    account: RiskAccount,
    policy: RiskPolicy,
  ): Refused | undefined;
}
