/** Timers of the transport's clock. */
export interface Timers {
  /** Runs an action later. Returns what cancels it. */
  after(delayMs: number, action: () => void): () => void;
}
