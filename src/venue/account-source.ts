import type { InstrumentId } from '../domain/index.js';
import type { AccountSnapshot } from './account.js';
import type { CallOptions, PageOptions } from './call-options.js';
import type { AccountCapabilities } from './capabilities.js';
import type { OrderTarget, ProfitRecord, VenueOrder, VenueTrade, VenueTrigger } from './orders.js';

/**
 * Reads what an account holds and has done.
 *
 * Order and duplicates: {@link AccountSource.orderHistory}, {@link AccountSource.trades} and {@link AccountSource.profits} yield each
 * id once; pages overlap by one row and are de-duplicated. No order over pages is promised: sort by id or time where it matters.
 * Visibility: an order the venue accepted may be missing from every list for a while; absence proves nothing until it has been read twice
 * after a bound. Idempotency: every call may be repeated. Iterators send a request only when a page is used up, and end when a page
 * brings no new id; leaving a `for await` loop sends nothing more.
 *
 * Errors of every call: as {@link MarketDataSource}, and {@link AuthError} when key, signature or permission is refused.
 */
export interface AccountSource {
  readonly capabilities: AccountCapabilities;
  /** Balances (spot) or margin accounts with their positions (futures). */
  account(product: 'spot' | 'futures', options: CallOptions): Promise<AccountSnapshot>;
  /** One order; undefined when the venue knows none with this id. */
  order(target: OrderTarget, options: CallOptions): Promise<VenueOrder | undefined>;
  /** All working orders of one instrument, at most 1,000. */
  openOrders(instrumentId: InstrumentId, options: CallOptions): Promise<readonly VenueOrder[]>;
  /** Our executions. */
  trades(instrumentId: InstrumentId, options: PageOptions): AsyncIterable<VenueTrade>;
  /** Ended and working orders, futures only. */
  orderHistory(instrumentId: InstrumentId, options: PageOptions): AsyncIterable<VenueOrder>;
  /**
   * Waiting conditional orders of a contract. The interface does not have this call: a deployment without it refuses it. The method is undefined
   * if the source cannot send the call at all.
   */
  triggers?(instrumentId: InstrumentId, options: CallOptions): Promise<readonly VenueTrigger[]>;
  /** Results of closed positions, futures only. */
  profits(instrumentId: InstrumentId, options: PageOptions): AsyncIterable<ProfitRecord>;
}
