import {
  InvariantError,
  type ClientOrderId,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
} from '../../domain/index.js';
import type { VenueOrderRequest } from '../../venue/index.js';
import { VENUE_ERRORS, type VenueErrorCode } from '../../venue/wire/index.js';
import { refuse, type ExchangeRefusal } from '../refusal.js';

/** The order as the simulator takes it. Spot requests do not say whether they open or close. */
export function simulated(request: VenueOrderRequest, clientOrderId: ClientOrderId): OrderRequest {
  const { side, quantity, unit, instrumentId, marginMode } = request;
  const common = {
    clientOrderId,
    intentId: 0,
    instrumentId,
    side,
    action: request.action ?? (side === 'buy' ? 'open' : 'close'),
    quantity,
    unit,
    ...(marginMode === undefined ? {} : { marginMode }),
  } as const;
  return request.type === 'market'
    ? { ...common, type: 'market' }
    : {
        ...common,
        type: 'limit',
        limitPrice: request.limitPrice,
        timeInForce: request.timeInForce,
      };
}

/** Turns a refusal of the simulator into one of the exchange. */
export function refusalFor(reason: OrderReason | undefined): ExchangeRefusal {
  const code = reason?.code ?? '';
  if (!Object.hasOwn(VENUE_ERRORS, code)) {
    throw new InvariantError('E_MISSING', `"${code}" is no code of the venue`);
  }
  return refuse(code as VenueErrorCode, reason?.text ?? '');
}

/** @returns the refusal of an instrument that an account cannot trade. */
export function unlisted(instrumentId: InstrumentId): ExchangeRefusal {
  return refuse('-1121', `${instrumentId} is not listed, or not for this account`);
}
