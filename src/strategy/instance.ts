import type { Observable } from 'rxjs';
import type {
  AccountEvent,
  Fill,
  FundingPayment,
  Halt,
  Order,
  OrderIntent,
} from '../domain/index.js';
import type { Market, Verdict } from './context.js';

/** What the engine needs from a strategy. It ignores the results of hooks, but refuses a promise. */
export interface StrategyInstance {
  /** Fewest candles that each stream delivers before intents count. The longest lookback of a stream's indicators counts instead if it is longer. */
  readonly warmup: number;
  intents(market: Market): Observable<OrderIntent>;
  onVerdict?(verdict: Verdict): unknown;
  onOrder?(order: Order): unknown;
  onFill?(fill: Fill): unknown;
  onHalt?(halt: Halt): unknown;
  onFunding?(payment: FundingPayment): unknown;
  onAccountEvent?(event: AccountEvent): unknown;
}
