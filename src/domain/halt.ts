import type { EpochMs } from './time.js';

export const HALT_ACTIONS = ['block', 'cancel', 'flatten'] as const;
/** What happens, beside the refusal of entries, when a loss limit is reached: nothing, cancel working entries, or leave every position. */
export type HaltAction = (typeof HALT_ACTIONS)[number];

export type HaltReason =
  | 'daily-loss'
  | 'drawdown'
  | 'consecutive-losses'
  | 'operator'
  /** The bot goes on without its strategy. */
  | 'strategy-failed';

/** Entries are refused until `until`, or until the owner resumes. */
export interface Halt {
  readonly reason: HaltReason;
  readonly since: EpochMs;
  readonly until: EpochMs | undefined;
  readonly action: HaltAction;
  /** The limit that was reached and by what, or the owner's words. */
  readonly text: string;
}
