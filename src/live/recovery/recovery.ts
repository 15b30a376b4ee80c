// Used by sessions: the search for lost orders, the comparison of books and venue, and the resulting updates for the engine.
export {
  believe,
  type Belief,
  type BelievedBalance,
  type BelievedOrder,
  type BelievedPosition,
  type VenueView,
} from './belief.js';
export { compareTerms, type AssertedTerms, type TermsView } from './compare-terms.js';
export {
  DISAGREEMENTS,
  resolutionOf,
  RESOLUTIONS,
  type Disagreement,
  type DisagreementKind,
  type ExternalPolicy,
  type Resolution,
} from './disagreements.js';
export {
  OutcomeSearch,
  VISIBILITY_MS,
  type OutcomeSearchOptions,
  type SearchVerdict,
} from './outcome-search.js';
export { newsOfAbsence, newsOfOrder, type OrderFindings, type OrderNews } from './order-updates.js';
export { reconcile } from './reconcile.js';
export { lastTradeBefore, resumeFills, type ToldFills } from './resume-fills.js';
