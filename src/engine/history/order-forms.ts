import type {
  ClientOrderId,
  Fixed,
  InstrumentId,
  MarginMode,
  OrderCause,
  OrderRequest,
  OrderStatus,
  PositionAction,
  QuantityUnit,
  Side,
  TimeInForce,
} from '../../domain/index.js';
import type { RecordedOrder } from '../records.js';

/** What many orders that have ended have in common. */
export interface OrderForm {
  readonly status: OrderStatus;
  readonly cause: OrderCause;
  readonly type: OrderRequest['type'];
  readonly instrumentId: InstrumentId;
  readonly side: Side;
  readonly action: PositionAction;
  readonly unit: QuantityUnit;
  readonly marginMode: MarginMode | undefined;
  /** Of LIMIT orders. */
  readonly timeInForce: TimeInForce | undefined;
}

/** What a request has for itself. */
export interface RequestTerms {
  readonly clientOrderId: ClientOrderId;
  readonly intentId: number;
  readonly quantity: Fixed;
  /** Of LIMIT orders; else not looked at. */
  readonly limitPrice: Fixed;
}

/** The forms of orders that have ended: a bot has few, however many orders it sends. */
export class OrderForms {
  readonly #forms: OrderForm[] = [];

  /** The number of an order's form, from 1 on. */
  of({ request, status, cause }: Pick<RecordedOrder, 'request' | 'status' | 'cause'>): number {
    const known = this.#forms.length;
    for (let number = 1; number <= known; number += 1) {
      const form = this.at(number);
      if (form.status === status && form.cause === cause && isOf(form, request)) return number;
    }
    const { type, instrumentId, side, action, unit, marginMode } = request;
    const timeInForce = type === 'limit' ? request.timeInForce : undefined;
    const form = { type, instrumentId, side, action, unit, marginMode, timeInForce, status, cause };
    this.#forms.push(form);
    return known + 1;
  }

  /** The form with a number. */
  at(number: number): OrderForm {
    return this.#forms[number - 1] as OrderForm;
  }
}

function isOf(form: OrderForm, request: OrderRequest): boolean {
  return (
    form.side === request.side &&
    form.type === request.type &&
    form.action === request.action &&
    form.instrumentId === request.instrumentId &&
    form.unit === request.unit &&
    form.marginMode === request.marginMode &&
    form.timeInForce === (request.type === 'limit' ? request.timeInForce : undefined)
  );
}

type Unfinished = OrderRequest & { marginMode?: MarginMode };

/** The request again, with its members in the order in which risk writes them. */
export function formRequest(form: OrderForm, terms: RequestTerms): OrderRequest {
  const { type, instrumentId, side, action, unit, marginMode, timeInForce = 'GTC' } = form;
  const { clientOrderId, intentId, quantity, limitPrice } = terms;
  // Written out: a copy of one part into another takes several times as long.
  const whole: Unfinished =
    type === 'market'
      ? { type, clientOrderId, intentId, instrumentId, side, action, quantity, unit }
      : {
          type,
          clientOrderId,
          intentId,
          instrumentId,
          side,
          action,
          quantity,
          unit,
          limitPrice,
          timeInForce,
        };
  if (marginMode !== undefined) whole.marginMode = marginMode;
  return whole;
}
