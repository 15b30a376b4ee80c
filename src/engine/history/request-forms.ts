import type {
  ClientOrderId,
  Fixed,
  InstrumentId,
  MarginMode,
  OrderRequest,
  PositionAction,
  QuantityUnit,
  Side,
  TimeInForce,
} from '../../domain/index.js';

/** What many requests have in common. */
export interface RequestForm {
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

/** The forms of requests: a bot has few, however many orders it sends. */
export class RequestForms {
  readonly #forms: RequestForm[] = [];

  /** The number of a request's form. */
  of(request: OrderRequest): number {
    const known = this.#forms.length;
    for (let number = 0; number < known; number += 1)
      if (isOf(this.at(number), request)) return number;
    const { type, instrumentId, side, action, unit, marginMode } = request;
    const timeInForce = type === 'limit' ? request.timeInForce : undefined;
    this.#forms.push({ type, instrumentId, side, action, unit, marginMode, timeInForce });
    return known;
  }

  /** The form with a number. */
  at(number: number): RequestForm {
    return this.#forms[number] as RequestForm;
  }
}

function isOf(form: RequestForm, request: OrderRequest): boolean {
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
export function formRequest(form: RequestForm, terms: RequestTerms): OrderRequest {
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
