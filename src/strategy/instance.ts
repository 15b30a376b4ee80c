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

/** What the engine needs of a strategy. What its hooks return is nobody's, but a promise is refused. */
export interface StrategyInstance {
  /** Candles each stream delivers before intents count; the longest lookback of a stream's indicators is added by itself. */
  readonly warmup: number;
  intents(market: Market): Observable<OrderIntent>;
  onVerdict?(verdict: Verdict): unknown;
  onOrder?(order: Order): unknown;
  onFill?(fill: Fill): unknown;
  onHalt?(halt: Halt): unknown;
  onFunding?(payment: FundingPayment): unknown;
  onAccountEvent?(event: AccountEvent): unknown;
}
