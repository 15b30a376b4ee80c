/** What waits and measures. No instant is compared between machines: their clocks differ. */
export interface QueueTime {
  /** Milliseconds since some instant; never less than before. */
  elapsed(): number;
  /** Resolves after so many milliseconds, or when the signal is given. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves when what is to be done now has been done. */
  nextTurn(): Promise<void>;
}
