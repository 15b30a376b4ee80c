/**
 * Whether anything has happened that must be seen to after a candle: something was wanted, a timer is set, something failed, somebody began
 * to listen to candles, slices or marks. One look at it takes the place of a look at each of them with every candle, which would be most of what a candle costs
 * that leads to nothing.
 */
export class FollowUp {
  isNeeded = false;
}
