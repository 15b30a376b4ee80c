/** Draws of the reality check without `--draws`. */
export const DEFAULT_DRAWS = 1_000;

/** Options of `significance` as commander parses them. */
export interface SignificanceFlags {
  readonly ledger?: string;
  readonly strategy?: string;
  readonly data?: string;
  readonly blocks?: number;
  readonly draws?: number;
  readonly seed?: number;
  readonly json?: string;
}
