import type { KeyFlags, VenueFlags } from '../venue/venue-options.js';

/** Options of `call`. */
export interface CallFlags extends VenueFlags, KeyFlags {
  readonly list?: true;
  readonly raw?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: string;
}
