export { parseAddress, requireClosed, type QueueAddress } from './address.js';
export { MOST_DESCRIBED, nameOfSearch, QUEUE_VERSION, type SearchDescription } from './messages.js';
export { QueueRunner } from './queue-runner.js';
export { QueueWorker, type Trust } from './queue-worker.js';
export {
  DEFAULT_PRIORITY,
  SearchBoard,
  type ChunkCounts,
  type QueuedSearchProgress,
  type WorkerState,
} from './search-board.js';
export type { QueueTime } from './queue-time.js';
export { Seal } from './seal.js';
export { openQueueServer, type QueueServer } from './server.js';
