/** Options of `new strategy` as commander parses them. */
export interface NewStrategyFlags {
  readonly archive?: string;
}
