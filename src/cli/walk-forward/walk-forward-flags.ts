import type { SweepFlags } from '../sweep/sweep-flags.js';

/** Options of `walk-forward` as commander parses them. Lengths are in days. */
export interface WalkForwardFlags extends SweepFlags {
  readonly train?: number;
  readonly test?: number;
  readonly step?: number;
  readonly anchored?: true;
}
