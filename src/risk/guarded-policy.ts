import type { RiskCheck } from './checks/risk-check.js';
import type { RiskPolicy } from './policy.js';

/** The operator's choices with the operator's protections. */
export interface GuardedPolicy extends RiskPolicy {
  /** Asked of entries only, after the venue's minimums and the balance. @defaultValue none */
  readonly guards?: readonly RiskCheck[];
}
