// Used by sessions: the search for lost orders, the comparison of books and venue, and the resulting updates for the engine.
export {
  believe,
  type Belief,
  type BelievedBalance,
  type BelievedOrder,
  type BelievedPosition,
  type VenueView,
} from './belief.js';
export { compareTerms, type AssertedTerms } from './compare-terms.js';
export {
  DISAGREEMENTS,
  resolutionOf,
  RESOLUTIONS,
  type Disagreement,
  type DisagreementKind,
  type ExternalPolicy,
} from './disagreements.js';
export {
  OutcomeSearch,
  VISIBILITY_MS,
  type OutcomeSearchOptions,
  type SearchVerdict,
} from './outcome-search.js';
export { newsOfAbsence, newsOfOrder } from './order-updates.js';
export { reconcile } from './reconcile.js';
export { lastTradeBefore, resumeFills } from './resume-fills.js';
