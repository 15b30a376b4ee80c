import type { EpochMs } from '../time.js';

export const HALT_ACTIONS = ['block', 'cancel', 'flatten'] as const;
/** What happens when a loss limit is reached, besides the refusal of entries: nothing, cancel working entries, or exit every position. */
export type HaltAction = (typeof HALT_ACTIONS)[number];

export type HaltReason =
  | 'daily-loss'
  | 'drawdown'
  | 'consecutive-losses'
  | 'operator'
  /** The strategy has failed, and the bot goes on without it. */
  | 'strategy-failed';

/** Entries are refused until `until`; if it is undefined, until the operator resumes. */
export interface Halt {
  readonly reason: HaltReason;
  readonly since: EpochMs;
  readonly until: EpochMs | undefined;
  readonly action: HaltAction;
  /** The limit and the value that reached it, or the operator's words. */
  readonly text: string;
}
