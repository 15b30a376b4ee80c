/** ExchangeTimers of the transport's clock. */
export interface ExchangeTimers {
  /** Runs an action later. Returns what cancels it. */
  after(delayMs: number, action: () => void): () => void;
}
