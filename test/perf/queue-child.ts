/** A worker for the benchmark of the queue, in its own process. Arguments: URL, work (`empty`, or the number of candles), folder. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { queueClock } from '../../src/cli/queue/queue-clock.js';
import { createTrialPool } from '../../src/cli/sweep/trial-pool.js';
import {
  openQueueServer,
  parseAddress,
  QueueWorker,
  Seal,
  SearchBoard,
} from '../../src/queue/index.js';
import type { TrialRun } from '../../src/research/index.js';
import { createSweepSetup } from './sweep-work.js';

const [url = '', kind = 'empty', folder = ''] = process.argv.slice(2);
const ENTRY = new URL('../../dist/cli/sweep/run-trial.thread.js', import.meta.url);
const say = (): void => undefined;
const server = await openQueueServer(parseAddress(url, 'bench'), { time: queueClock, say });
const finish = new AbortController();
process.once('SIGTERM', () => {
  finish.abort();
});
// The benchmark has ended.
process.stdin.once('end', () => process.exit()).resume();

const worker = new QueueWorker({
  server,
  board: new SearchBoard(server),
  name: `bench-${String(process.pid)}`,
  jobs: 1,
  trust: { seal: new Seal('bench') },
  lockMs: 30_000,
  time: queueClock,
  say,
  finish: finish.signal,
  prepare: async () => {
    if (kind !== 'empty') {
      const source = readFileSync(path.join(folder, 'source.ts'), 'utf8');
      const setup = await createSweepSetup(folder, source, Number(kind));
      return createTrialPool({ entry: ENTRY, jobs: 1, setup });
    }
    const run = JSON.parse(readFileSync(path.join(folder, 'run.json'), 'utf8')) as TrialRun;
    return { jobs: 1, run: () => Promise.resolve(run), close: () => Promise.resolve() };
  },
});
await worker.work();
server.close();
process.exit();
