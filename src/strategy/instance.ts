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

/** What the engine needs of a strategy. */
export interface StrategyInstance {
  /** Candles each stream delivers before intents count; the longest lookback of a stream's indicators is added by itself. */
  readonly warmup: number;
  intents(market: Market): Observable<OrderIntent>;
  onVerdict?(verdict: Verdict): void;
  onOrder?(order: Order): void;
  onFill?(fill: Fill): void;
  onHalt?(halt: Halt): void;
  onFunding?(payment: FundingPayment): void;
  onAccountEvent?(event: AccountEvent): void;
}
