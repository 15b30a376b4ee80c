/** Exports of the trial ledger alone, for code that needs no sweep. */
export { addTrial } from './add-trial.js';
export {
  countTrials,
  newestRows,
  rowsOf,
  type SearchCount,
  type TrialFilter,
} from './count-trials.js';
export { readLineAt } from './read-ledger.js';
export { TrialColumns } from './trial-columns.js';
export { ledgerOf } from './ledger-of.js';
export { indexFileOf, indexTrials, openLedger, type OpenLedger } from './trial-index.js';
export { parseLine, type TrialRecord } from './trial-record.js';
