/** The ledger of trials alone, for who needs no sweep. */
export { countTrials, rowsOf, type SearchCount, type TrialFilter } from './count-trials.js';
export { readLineAt } from './read-ledger.js';
export { TrialColumns, type IndexedTrial } from './trial-columns.js';
export { indexFileOf, indexTrials } from './trial-index.js';
export { parseLine, type TrialRecord } from './trial-record.js';
