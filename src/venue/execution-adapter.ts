import type { InstrumentId, OrderRequest, RiskApproved, VenueOrderId } from '../domain/index.js';
import type { CallOptions } from './call-options.js';
import type { ExecutionCapabilities } from './capabilities.js';
import type {
  CancelOutcome,
  ConditionalOrder,
  ConditionalOutcome,
  OrderTarget,
  SubmitOutcome,
  SubmitRejected,
} from './orders.js';

/**
 * Sends orders to a venue. It accepts nothing that risk has not approved.
 *
 * Idempotency: none. Each call sends at most one request, which is never repeated by an implementation, whatever happens. A refusal by
 * the venue is a value. {@link OutcomeUnknownError} says that the request may have worked: treat the order as working and look for it,
 * never send it again. {@link TransportError} and {@link RateLimitError} say that the request certainly did nothing: it never left, or
 * the venue turned it away before looking at it. {@link AuthError} says likewise, and ends trading. {@link WireFormatError} does not
 * occur here: an answer that cannot be understood leaves the outcome unknown.
 *
 * Order: calls awaited one after the other reach the venue in that order. Calls made at once may be reordered, cancels and exits first.
 */
export interface ExecutionAdapter {
  readonly capabilities: ExecutionCapabilities;
  submit(order: RiskApproved<OrderRequest>, options: CallOptions): Promise<SubmitOutcome>;
  /**
   * Submits 1 to 10 orders of one instrument in one request, spot only. Outcomes come in the order of the orders.
   *
   * @throws {OutcomeUnknownError} for all of them when the answer does not name exactly one id per order.
   * @throws {DomainError} `E_BATCH` when the batch is empty, larger than `maxBatchSize`, or of several instruments.
   */
  submitBatch(
    orders: readonly RiskApproved<OrderRequest>[],
    options: CallOptions,
  ): Promise<readonly SubmitOutcome[]>;
  /** Hands a condition to the venue, futures only. Through the interface it can be neither listed nor canceled; some deployments have both. */
  submitConditional(order: ConditionalOrder, options: CallOptions): Promise<ConditionalOutcome>;
  /**
   * Requests the cancel of a waiting conditional order. The interface does not have this call: a deployment without it refuses it. May be
   * repeated. The method is undefined if the adapter cannot send the call at all.
   */
  cancelConditional?(
    trigger: { readonly instrumentId: InstrumentId; readonly triggerId: string },
    options: CallOptions,
  ): Promise<CancelOutcome>;
  /** Has the venue check an order without placing it, spot only. Undefined when it would be accepted. May be repeated. */
  test(
    order: RiskApproved<OrderRequest>,
    options: CallOptions,
  ): Promise<SubmitRejected | undefined>;
  /** Requests the cancel of one order. */
  cancel(target: OrderTarget, options: CallOptions): Promise<CancelOutcome>;
  /**
   * Requests the cancel of 1 to 10 orders of one instrument, spot only. Outcomes come in the order of the ids. An id that the answer does not
   * mention has the outcome undefined, for example when the venue refuses the whole call.
   *
   * @throws {DomainError} `E_BATCH` as {@link ExecutionAdapter.submitBatch}.
   */
  cancelBatch(
    instrumentId: InstrumentId,
    venueOrderIds: readonly VenueOrderId[],
    options: CallOptions,
  ): Promise<readonly (CancelOutcome | undefined)[]>;
}
