/**
 * Settled funding of one contract, oldest first, columns of equal length. `time`: the boundary in epoch ms, on the minute; `rate`: a
 * ratio per period, longs pay shorts when positive.
 */
export interface FundingColumns {
  readonly time: Float64Array;
  readonly rate: Float64Array;
}
