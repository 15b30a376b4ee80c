import type { RiskCheck } from './checks/risk-check.js';
import type { RiskPolicy } from './policy.js';

/** The owner's choices with the owner's protections. */
export interface GuardedPolicy extends RiskPolicy {
  /** Asked of entries only, after the venue's minimums and the balance. @defaultValue none */
  readonly guards?: readonly RiskCheck[];
}
