import {
  formatFixed,
  splitInstrumentId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderStatus,
  type Side,
} from '../../../domain/index.js';
import { JsonNumber, type JsonOutput } from './json.js';
import type { AnswerProfile } from '../profile.js';

/** An exact amount: a bare number by the interface, a text in the family's answers. */
export function encodeAmount(amount: Fixed, profile: AnswerProfile): JsonOutput {
  const text = formatFixed(amount);
  return profile === 'family' ? text : new JsonNumber(text);
}

/** An amount that has no value is 0 on the wire. */
export function encodeAmountOrZero(amount: Fixed | undefined, profile: AnswerProfile): JsonOutput {
  return encodeAmount(amount ?? 0n, profile);
}

/** An id of digits: a bare number by the interface, a text in the family's answers. */
export function encodeId(id: string, profile: AnswerProfile): JsonOutput {
  return profile === 'family' ? id : new JsonNumber(id);
}

export function encodeSide(side: Side): 'BUY' | 'SELL' {
  return side === 'buy' ? 'BUY' : 'SELL';
}

export function decodeSide(side: 'BUY' | 'SELL'): Side {
  return side === 'BUY' ? 'buy' : 'sell';
}

/**
 * Writes a status. The interface has five words: an order whose cancel is on its way still works there, and an expired one is
 * CANCELED; the family has words for both.
 */
export function encodeStatus(
  status: OrderStatus,
  filledQuantity: Fixed,
  profile: AnswerProfile,
): string {
  const isFamily = profile === 'family';
  switch (status) {
    case 'partially-filled':
      return 'PARTIALLY_FILLED';
    case 'filled':
      return 'FILLED';
    case 'rejected':
      return 'REJECTED';
    case 'canceled':
      return 'CANCELED';
    case 'expired':
      return isFamily ? 'EXPIRED' : 'CANCELED';
    case 'canceling':
      if (isFamily) return 'PENDING_CANCEL';
      return filledQuantity > 0n ? 'PARTIALLY_FILLED' : 'NEW';
    case 'submitting':
    case 'open':
    case 'unknown':
      return 'NEW';
  }
}

/** A price of 0 says that there is none. */
export function priceOrNone(price: Fixed | undefined): Fixed | undefined {
  return price === 0n ? undefined : price;
}

/** An empty text and "0" say that the sender gave no id. */
export function clientIdOrNone(id: string | undefined): string | undefined {
  return id === '' || id === '0' ? undefined : id;
}

/** The venue's name of an instrument. */
export function symbolOf(instrumentId: InstrumentId): string {
  return splitInstrumentId(instrumentId).symbol;
}

/** UTC milliseconds, or null where there is no time. */
export function encodeTime(time: EpochMs | undefined): number | null {
  return time ?? null;
}

/** The server's local text of a time; the server's zone is UTC. */
export function encodeLocalTime(time: EpochMs | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString().slice(0, 19);
}

/** Reads a time of either form. A text without a zone is the server's local time: its offset is not known, and no instant is guessed. */
export function decodeLocalTime(time: number | string | undefined): EpochMs | undefined {
  if (typeof time !== 'string') return time;
  const text = time.replace(' ', 'T');
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(19));
  const instant = hasZone ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
