/** Waits and measures time. Instants of different machines are never compared, because their clocks differ. */
export interface QueueTime {
  /** Milliseconds since a fixed but arbitrary instant; never decreases. */
  elapsed(): number;
  /** Resolves after `ms` milliseconds, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves in the next turn of the event loop, after all pending work. */
  nextTurn(): Promise<void>;
}
