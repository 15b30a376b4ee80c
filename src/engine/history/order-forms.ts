import {
  createOrderRequest,
  type ClientOrderId,
  type Fixed,
  type InstrumentId,
  type MarginMode,
  type OrderCause,
  type OrderRequest,
  type OrderStatus,
  type PositionAction,
  type QuantityUnit,
  type Side,
  type TimeInForce,
} from '../../domain/index.js';
import type { RecordedOrder } from '../records.js';
import { FormList } from './form-list.js';

/** Values that many ended orders have in common. */
export interface OrderForm {
  readonly status: OrderStatus;
  readonly cause: OrderCause;
  readonly type: OrderRequest['type'];
  readonly instrumentId: InstrumentId;
  readonly side: Side;
  readonly action: PositionAction;
  readonly unit: QuantityUnit;
  readonly marginMode: MarginMode | undefined;
  /** Set for LIMIT orders only. */
  readonly timeInForce: TimeInForce | undefined;
}

/** Values of a request that are not part of its form. */
interface RequestTerms {
  readonly clientOrderId: ClientOrderId;
  readonly intentId: number;
  readonly quantity: Fixed;
  /** Ignored for MARKET orders. */
  readonly limitPrice: Fixed;
}

/** The forms of ended orders. A bot has few, however many orders it sends. */
export class OrderForms {
  readonly #forms = new FormList<OrderForm>();

  /** Returns the number of an order's form, from 1 on; adds the form if it is new. */
  of({ request, status, cause }: Pick<RecordedOrder, 'request' | 'status' | 'cause'>): number {
    for (const { number, form } of this.#forms.of(request.instrumentId))
      if (form.status === status && form.cause === cause && isOf(form, request)) return number;
    const { type, instrumentId, side, action, unit, marginMode } = request;
    const timeInForce = type === 'limit' ? request.timeInForce : undefined;
    const form = { type, instrumentId, side, action, unit, marginMode, timeInForce, status, cause };
    return this.#forms.add(form);
  }

  at(number: number): OrderForm {
    return this.#forms.at(number);
  }
}

/** Whether a request has a form of its instrument. */
function isOf(form: OrderForm, request: OrderRequest): boolean {
  return (
    form.side === request.side &&
    form.type === request.type &&
    form.action === request.action &&
    form.unit === request.unit &&
    form.marginMode === request.marginMode &&
    form.timeInForce === (request.type === 'limit' ? request.timeInForce : undefined)
  );
}

/** Rebuilds the request. */
export function formRequest(form: OrderForm, terms: RequestTerms): OrderRequest {
  const { type, instrumentId, side, action, unit, marginMode, timeInForce = 'GTC' } = form;
  const { clientOrderId, intentId, quantity, limitPrice: price } = terms;
  const instrument = { id: instrumentId, marginMode };
  const sent = { type, unit, price, timeInForce };
  return createOrderRequest(clientOrderId, quantity, { intentId, instrument, side, action }, sent);
}
