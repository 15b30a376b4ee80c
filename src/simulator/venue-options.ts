import type { AccountBalances, CashWatch, Fixed } from '../domain/index.js';
import type { FuturesTerms, MarginTerms } from './accounts/accounts.js';
import type { OnPositionEnded } from './futures/futures-account.js';
import type { MarketSource } from './market-source.js';
import type { MatchingTerms } from './orders/order-matcher.js';

export interface VenueOptions extends MatchingTerms {
  /** Instruments with their candles, in the order of the config. */
  readonly markets: readonly MarketSource[];
  /** Starting balances of each account. */
  readonly balances: AccountBalances;
  readonly futures?: FuturesTerms | undefined;
  readonly margin?: MarginTerms | undefined;
  /** Is called with the result of a futures position when its last contract is closed. @defaultValue no call */
  readonly onPositionEnded?: OnPositionEnded | undefined;
  /** Share of a candle's volume that orders may take, or no limit (DESIGN R6). */
  readonly participation: Fixed | 'off';
  /** Is notified when a decision depends on the balance. @defaultValue no watch */
  readonly cashWatch?: CashWatch | undefined;
}
