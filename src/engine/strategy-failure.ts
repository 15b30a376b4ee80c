/** Why an engine goes on without its strategy. */
export interface StrategyFailure {
  readonly code: string;
  /** What was thrown, with the place in the strategy's text where that is known, and the event. */
  readonly message: string;
}
