import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { QueueTime } from '../../queue/index.js';

/** The time of this process. */
export const queueClock: QueueTime = {
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
  nextTurn: () => nextTurn(),
};
