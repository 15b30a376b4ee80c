import type { RiskCheck } from './checks/risk-check.js';
import type { RiskPolicy } from './policy.js';

/** The operator's choices, together with the operator's protections. */
export interface GuardedPolicy extends RiskPolicy {
  /** Run for entries only, after the venue's minimums and the balance. @defaultValue no guards */
  readonly guards?: readonly RiskCheck[];
}
