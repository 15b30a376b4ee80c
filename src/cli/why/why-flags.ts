import type { RunFlags } from '../replay/run-options.js';

/** Options of `why` as commander parses them. */
export interface WhyFlags extends RunFlags {
  readonly at: string;
  readonly instrument?: string;
}
