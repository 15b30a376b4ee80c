/** How long a command takes from the decision to the venue, in ms. */
export interface LatencyModel {
  delayMs(command: 'submit' | 'cancel'): number;
}

/** The same delay for every command. */
export function createConstantLatency(delayMs: number): LatencyModel {
  return { delayMs: () => delayMs };
}
