export { writeExact } from './exact-json.js';
export type { Epoch, EpochHeader, EpochSource, RunMode } from './epoch.js';
export { copyJournalFile } from './copy-journal-file.js';
export {
  readJournal,
  type JournalReader,
  type KeptCheckpoint,
  type StoredEntry,
} from './journal-reader.js';
export { joinTold } from './told-candles.js';
export { keepLostCommits } from './lost-commits.js';
export { verifyJournal } from './verify-journal.js';
export { watchJournalFile } from './watch-journal.js';
export {
  compareEnding,
  divergenceError,
  findAltered,
  replayEntry,
  type Divergence,
} from './replay-entry.js';
export { takeProcessLock, type ProcessLock } from './process-lock.js';
export { openJournal, type JournalOptions, type SqliteJournal } from './sqlite-journal.js';
