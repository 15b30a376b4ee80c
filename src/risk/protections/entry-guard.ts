import type { RiskCheck } from '../checks/risk-check.js';

/** A protection of the operator: a check of entries only, with its limit as text. */
export interface EntryGuard extends RiskCheck {
  /** With unit, for example `5000 per position`. */
  readonly limit: string;
}
