/**
 * Whether something has happened that needs work after a candle: an intent was raised, a timer was set, something failed, or somebody subscribed to
 * candles, slices or marks. One check of it replaces a check of each cause with every candle. Those checks would be most of the cost of a candle
 * without any effect.
 */
export class FollowUp {
  isNeeded = false;
}
