import type { RiskCheck } from '../checks/risk-check.js';

/** A protection of the operator: a check that only entries are asked, with its limit for people to read. */
export interface EntryGuard extends RiskCheck {
  /** With unit, for example `5000 per position`. */
  readonly limit: string;
}
