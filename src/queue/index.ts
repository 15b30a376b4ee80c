export { parseAddress, requireClosed, type QueueAddress } from './address.js';
export { nameOfSearch, QUEUE_VERSION, type SearchDescription } from './messages.js';
export { QueueRunner, type QueueRunnerOptions } from './queue-runner.js';
export { QueueWorker, type QueueWorkerOptions, type Trust } from './queue-worker.js';
export {
  DEFAULT_PRIORITY,
  MOST_PRIORITY,
  SearchBoard,
  type ChunkCounts,
  type PostedSearch,
  type SearchProgress,
  type WorkerState,
} from './search-board.js';
export type { QueueTime } from './queue-time.js';
export { Seal } from './seal.js';
export { openQueueServer, type QueueServer } from './server.js';
