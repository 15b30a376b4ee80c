import type { SearchFlags } from '../sweep/sweep-flags.js';

/** N groups of days, k of which are tested at a time. */
export interface CpcvGroups {
  readonly groups: number;
  readonly tested: number;
}

/** Options of `walk-forward` as commander parses them. Lengths are in days. */
export interface WalkForwardFlags extends SearchFlags {
  readonly train?: number;
  readonly test?: number;
  readonly step?: number;
  readonly anchored?: true;
  readonly cpcv?: CpcvGroups;
  readonly embargo?: number;
}
