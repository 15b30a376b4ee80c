import { VENUE_INTERVALS, type VenueInterval } from '../../domain/index.js';

/** Kline intervals of the spot market. Source: interface, spot klines. */
export const SPOT_INTERVALS = [
  '1min',
  '5min',
  '15min',
  '30min',
  '60min',
  '1day',
  '1week',
  '1month',
] as const;
type SpotInterval = (typeof SPOT_INTERVALS)[number];

/** Kline intervals of the futures market: our own names. Source: interface, futures klines. */
export const FUTURES_INTERVALS = VENUE_INTERVALS;

/** The spot market's word for an interval: an hour is `60min` there. */
export function encodeSpotInterval(interval: VenueInterval): SpotInterval {
  return interval === '1h' ? '60min' : interval;
}

/** Our word for a spot interval. */
export function decodeSpotInterval(interval: SpotInterval): VenueInterval {
  return interval === '60min' ? '1h' : interval;
}
