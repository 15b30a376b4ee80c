/** Timers on the transport's clock. */
export interface ExchangeTimers {
  /** Runs an action later. Returns a function that cancels it. */
  after(delayMs: number, action: () => void): () => void;
}
