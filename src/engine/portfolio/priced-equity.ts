/** Equity that follows one price: `unpriced + sign × (quantity × price − entry)`. */
export interface PricedEquity {
  unpriced: number;
  /** 1 or −1. */
  sign: number;
  /** 0 if equity follows no price. */
  quantity: number;
  entry: number;
  /** Whether the price is the mark instead of last. */
  isByMark: boolean;
}
