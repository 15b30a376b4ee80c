import type { VenueOrder } from '../../orders.js';
import { symbolOf } from '../json/encoding.js';
import { JsonNumber } from '../json/json.js';

/** BASE-QUOTE of a contract E-BASE-QUOTE. */
export function pairOf({ instrumentId }: Pick<VenueOrder, 'instrumentId'>): string {
  return symbolOf(instrumentId).split('-').slice(1).join('-');
}

/** 1 limit, 2 market, 3 IOC, 4 FOK, 5 POST_ONLY. */
export function typeNumber({ type, timeInForce }: VenueOrder): number {
  if (type === 'market') return 2;
  switch (timeInForce) {
    case 'IOC':
      return 3;
    case 'FOK':
      return 4;
    case 'POST_ONLY':
      return 5;
    case 'GTC':
    case undefined:
      return 1;
  }
}

/** Statuses as the history numbers them. It has no number for a rejected order, which ends like a canceled one. */
export const STATUS_NUMBERS: Readonly<Record<VenueOrder['status'], number>> = {
  submitting: 0,
  unknown: 0,
  open: 1,
  filled: 2,
  'partially-filled': 3,
  canceled: 4,
  rejected: 4,
  canceling: 5,
  expired: 6,
};

/** 1 cross, 2 isolated. */
export function modeNumber(mode: VenueOrder['marginMode']): number | undefined {
  if (mode === undefined) return undefined;
  return mode === 'cross' ? 1 : 2;
}

/** An id as a bare number; 0 says that there is none. */
export function numberOrZero(id: string | undefined): JsonNumber {
  return new JsonNumber(id ?? '0');
}
