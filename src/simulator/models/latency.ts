/** The kinds of commands; each kind may have its own delay. */
type CommandKind = 'submit' | 'cancel';

/** How long a command takes from the decision to the venue, in whole ms. */
export interface LatencyModel {
  /** Delay of the next command of a kind. Called once per command, in the order in which they are sent. */
  delayMs(command: CommandKind): number;
}

/** Whole ms, `min` ≤ `max`, both included. */
export interface LatencyRange {
  readonly min: number;
  readonly max: number;
}

/**
 * Delays drawn evenly from a range of each kind. `random` returns numbers in [0, 1). It is called only if a range holds more than one value, so
 * constant delays do not use up random numbers.
 */
export function createDrawnLatency(
  ranges: Readonly<Record<CommandKind, LatencyRange>>,
  random: () => number,
): LatencyModel {
  return {
    delayMs: (command) => {
      const { min, max } = ranges[command];
      return min === max ? min : min + Math.floor(random() * (max - min + 1));
    },
  };
}
