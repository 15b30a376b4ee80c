// What the session takes from here: the search for lost orders.
export {
  OutcomeSearch,
  VISIBILITY_MS,
  type OutcomeSearchOptions,
  type SearchVerdict,
} from './outcome-search.js';
export type { ReadingStart } from './read-strangers.js';
