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
  /** Of LIMIT orders. */
  readonly limitPrice: Fixed | undefined;
}

/** Finds the form of a request: a bot has few, however many orders it sends. */
export class RequestForms {
  readonly #forms: RequestForm[] = [];

  of(request: OrderRequest): RequestForm {
    for (const form of this.#forms) if (isOf(form, request)) return form;
    const { type, instrumentId, side, action, unit, marginMode } = request;
    const timeInForce = type === 'limit' ? request.timeInForce : undefined;
    const form = { type, instrumentId, side, action, unit, marginMode, timeInForce };
    this.#forms.push(form);
    return form;
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

/** The request again. */
export function formRequest(form: RequestForm, terms: RequestTerms): OrderRequest {
  const { type, instrumentId, side, action, unit, marginMode, timeInForce = 'GTC' } = form;
  const { clientOrderId, intentId, quantity, limitPrice = 0n } = terms;
  const common = { clientOrderId, intentId, instrumentId, side, action, quantity, unit };
  const whole = marginMode === undefined ? common : { ...common, marginMode };
  return type === 'market' ? { type, ...whole } : { type, ...whole, limitPrice, timeInForce };
}
