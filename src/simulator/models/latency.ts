/** What a command asks of the venue; each kind may take its own time. */
export type CommandKind = 'submit' | 'cancel';

/** How long a command takes from the decision to the venue, in whole ms. */
export interface LatencyModel {
  /** Delay of the next command of a kind; asked once per command, in the order in which they are sent. */
  delayMs(command: CommandKind): number;
}

/** Whole ms, `min` ≤ `max`, both included. */
export interface LatencyRange {
  readonly min: number;
  readonly max: number;
}

/** The same delay for every command. */
export function createConstantLatency(delayMs: number): LatencyModel {
  return { delayMs: () => delayMs };
}

/**
 * Delays drawn evenly from a range of each kind. `random` gives numbers of [0, 1); it is asked only where a range is wider than one value,
 * so that equal delays do not use up a seed.
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
