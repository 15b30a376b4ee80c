// What the session takes from here: the search for lost orders, and the comparison of what is believed with what the venue shows.
export {
  believe,
  type Belief,
  type BelievedBalance,
  type BelievedOrder,
  type BelievedPosition,
  type VenueView,
} from './belief.js';
export {
  DISAGREEMENTS,
  resolutionOf,
  RESOLUTIONS,
  type Disagreement,
  type DisagreementKind,
  type ForeignPolicy,
  type Resolution,
} from './disagreements.js';
export {
  OutcomeSearch,
  VISIBILITY_MS,
  type OutcomeSearchOptions,
  type SearchVerdict,
} from './outcome-search.js';
export type { ReadingStart } from './read-strangers.js';
export { reconcile } from './reconcile.js';
