import {
  DomainError,
  OutcomeUnknownError,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
  type RiskApproved,
  type VenueOrderId,
} from '../domain/index.js';
import {
  INTERFACE_CAPABILITIES,
  requireOwnId,
  type CallOptions,
  type CancelOutcome,
  type ConditionalOrder,
  type ConditionalOutcome,
  type ExecutionAdapter,
  type OrderTarget,
  type SubmitOutcome,
  type SubmitRejected,
} from '../venue/index.js';
import {
  clientIdOrNone,
  decodeBatchCanceled,
  decodeBatchIds,
  decodeCanceledOrder,
  decodeCondition,
  decodeCreatedOrder,
  decodeFuturesCanceled,
  decodeFuturesCreated,
  decodeTriggerCanceled,
  encodeBatchEntry,
  encodeConditionRequest,
  encodeFuturesOrderRequest,
  encodeSpotOrderRequest,
  ENDPOINTS,
  FAMILY_ENDPOINTS,
} from '../venue/wire/index.js';
import { productOf } from './product-of.js';
import type { VenueClient } from './venue-client.js';

const PRODUCTS = ['spot', 'margin', 'futures'] as const;

/** Sends orders to the live venue: one request per call, never repeated. */
export class RestExecution implements ExecutionAdapter {
  readonly capabilities = INTERFACE_CAPABILITIES.execution;
  readonly #client: VenueClient;

  constructor(client: VenueClient) {
    this.#client = client;
  }

  async submit(
    order: RiskApproved<OrderRequest>,
    callOptions: CallOptions,
  ): Promise<SubmitOutcome> {
    const { kind } = productOf(order.instrumentId, PRODUCTS);
    const options = withPriority(callOptions, [order]);
    if (kind === 'futures') {
      const request = encodeFuturesOrderRequest(order);
      const reply = await this.#client.ask(ENDPOINTS['futures.order'], request, options);
      return reply.kind === 'answer' ? decodeFuturesCreated(reply.answer) : rejected(reply);
    }
    const request = encodeSpotOrderRequest(order);
    const endpoint = kind === 'spot' ? ENDPOINTS['spot.order'] : ENDPOINTS['margin.order'];
    const reply = await this.#client.ask(endpoint, request, options);
    if (reply.kind === 'refused') return rejected(reply);
    requireOwnId(endpoint, order.clientOrderId, clientIdOrNone(reply.answer.clientOrderId));
    return decodeCreatedOrder(reply.answer);
  }

  async submitBatch(
    orders: readonly RiskApproved<OrderRequest>[],
    options: CallOptions,
  ): Promise<readonly SubmitOutcome[]> {
    const instrumentId = this.#checkBatch(orders.map((order) => order.instrumentId));
    const { symbol } = productOf(instrumentId, ['spot']);
    const endpoint = ENDPOINTS['spot.batchOrders'];
    const request = { symbol, orders: orders.map((order) => encodeBatchEntry(order)) };
    const reply = await this.#client.ask(endpoint, request, withPriority(options, orders));
    if (reply.kind === 'refused') return orders.map(() => rejected(reply));
    const ids = decodeBatchIds(reply.answer);
    if (ids.length !== orders.length || new Set(ids).size !== ids.length) {
      throw new OutcomeUnknownError(
        'E_OUTCOME_UNKNOWN',
        `${endpoint.id}: expected ${String(orders.length)} different ids, received ${ids.join(', ') || 'none'}`,
      );
    }
    return ids.map((venueOrderId) => {
      return { kind: 'accepted', venueOrderId, status: undefined, filledQuantity: undefined };
    });
  }

  async submitConditional(
    condition: ConditionalOrder,
    options: CallOptions,
  ): Promise<ConditionalOutcome> {
    productOf(condition.order.instrumentId, ['futures']);
    const reply = await this.#client.ask(
      ENDPOINTS['futures.conditionOrder'],
      encodeConditionRequest(condition),
      withPriority(options, [condition.order]),
    );
    return reply.kind === 'answer' ? decodeCondition(reply.answer) : rejected(reply);
  }

  async cancelConditional(
    {
      instrumentId,
      triggerId: orderId,
    }: { readonly instrumentId: InstrumentId; readonly triggerId: string },
    options: CallOptions,
  ): Promise<CancelOutcome> {
    const { symbol: contractName } = productOf(instrumentId, ['futures']);
    const endpoint = FAMILY_ENDPOINTS['futures.cancelTrigger'];
    const reply = await this.#client.ask(endpoint, { contractName, orderId }, options);
    return reply.kind === 'answer' ? decodeTriggerCanceled(reply.answer) : refused(reply);
  }

  async test(
    order: RiskApproved<OrderRequest>,
    options: CallOptions,
  ): Promise<SubmitRejected | undefined> {
    productOf(order.instrumentId, ['spot']);
    const request = encodeSpotOrderRequest(order);
    const reply = await this.#client.ask(ENDPOINTS['spot.orderTest'], request, options);
    return reply.kind === 'answer' ? undefined : rejected(reply);
  }

  async cancel(target: OrderTarget, options: CallOptions): Promise<CancelOutcome> {
    const { kind, symbol } = productOf(target.instrumentId, PRODUCTS);
    const { venueOrderId: orderId, clientOrderId: newClientOrderId } = target;
    if (kind === 'futures') {
      const request = { contractName: symbol, orderId };
      const reply = await this.#client.ask(ENDPOINTS['futures.cancel'], request, options);
      return reply.kind === 'answer' ? decodeFuturesCanceled() : refused(reply);
    }
    const request = { symbol, orderId, newClientOrderId };
    const reply =
      kind === 'spot'
        ? await this.#client.ask(ENDPOINTS['spot.cancel'], request, options)
        : await this.#client.ask(ENDPOINTS['margin.cancel'], request, options);
    return reply.kind === 'answer' ? decodeCanceledOrder(reply.answer) : refused(reply);
  }

  async cancelBatch(
    instrumentId: InstrumentId,
    venueOrderIds: readonly VenueOrderId[],
    options: CallOptions,
  ): Promise<readonly (CancelOutcome | undefined)[]> {
    this.#checkBatch(venueOrderIds.map(() => instrumentId));
    const { symbol } = productOf(instrumentId, ['spot']);
    const request = { symbol, orderIds: [...venueOrderIds] };
    const reply = await this.#client.ask(ENDPOINTS['spot.batchCancel'], request, options);
    return reply.kind === 'answer'
      ? decodeBatchCanceled(reply.answer, venueOrderIds)
      : venueOrderIds.map(() => undefined);
  }

  #checkBatch(instrumentIds: readonly InstrumentId[]): InstrumentId {
    const [first, ...others] = instrumentIds;
    const { maxBatchSize } = this.capabilities;
    if (first === undefined || instrumentIds.length > maxBatchSize) {
      throw new DomainError(
        'E_BATCH',
        `expected a batch of 1 to ${String(maxBatchSize)}, received one of ${String(instrumentIds.length)}`,
      );
    }
    const external = others.find((other) => other !== first);
    if (external !== undefined) {
      throw new DomainError(
        'E_BATCH',
        `a batch is for one instrument, and this one for ${first} and ${external}`,
      );
    }
    return first;
  }
}

/** Adds a priority, unless the caller sets one. Orders that only reduce have that of cancels. */
function withPriority(options: CallOptions, orders: readonly OrderRequest[]): CallOptions {
  const standard = orders.every(({ action }) => action === 'close') ? 'exit' : 'entry';
  return { ...options, priority: options.priority ?? standard };
}

function reasonOf({ code, text }: OrderReason): OrderReason {
  return { code, text };
}

function rejected(refusal: OrderReason): SubmitRejected {
  return { kind: 'rejected', reason: reasonOf(refusal) };
}

function refused(refusal: OrderReason): CancelOutcome {
  return { kind: 'refused', reason: reasonOf(refusal) };
}
