import type { AccountBalances, Asset, Fixed, Instrument } from '../../domain/index.js';
import type { AccountCheckpoint } from './account-checkpoint.js';

export interface PortfolioOptions {
  /** At least one. */
  readonly instruments: readonly {
    readonly instrument: Instrument;
    readonly pricePrecision: number;
  }[];
  /** Initial balances of each account; not read if there is a checkpoint. */
  readonly balances: AccountBalances;
  readonly equityCurrency: Asset;
  /** Interest per hour on the debt of the margin account, as a ratio. @defaultValue 0 */
  readonly hourlyRate?: Fixed | undefined;
  /** Extra debt assumed on top of the known debt of the margin account, as a ratio, for venues that do not show debts. @defaultValue 0 */
  readonly owedReserve?: Fixed | undefined;
  /** @defaultValue a new account without history */
  readonly checkpoint?: AccountCheckpoint | undefined;
}
