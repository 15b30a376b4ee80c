/** Why an engine goes on without its strategy. */
export interface StrategyFailure {
  readonly code: string;
  /** Message of the error, with the event, and with the place in the strategy's text if it is known. */
  readonly message: string;
}
