/**
 * The cost of a queue and its bounds: combinations per second of a coordinator whose workers have nothing to do, processor time of coordinator and server,
 * two workers of one thread beside a pool of two threads on the same work, and a simulation of 1,000 workers with these figures. It needs Debian's package
 * redis-server. TRIALS=N empty combinations (20,000), RUNS=N real combinations (600), CHEAP=N combinations that cost little (20,000).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { queueClock } from '../../src/cli/queue/queue-clock.js';
import { createTrialPool } from '../../src/cli/sweep/trial-pool.js';
import { systemTime } from '../../src/engine/system-time.js';
import { ENGINE_VERSION, prepareMarket } from '../../src/assembly/index.js';
import {
  openQueueServer,
  parseAddress,
  QueueRunner,
  Seal,
  SearchBoard,
} from '../../src/queue/index.js';
import {
  groundSweep,
  openSnapshot,
  planSweep,
  runCombinations,
  TrialLedger,
  type SweepPlan,
  type TrialRun,
  type TrialRunner,
} from '../../src/research/index.js';
import { MOST_PER_CHUNK } from '../../src/queue/chunk-size.js';
import { parseRuns, parseTrials, writeRuns, writeTrials } from '../../src/queue/messages.js';
import { measure, milliseconds, type Figure } from './measure.js';
import { simulateQueue } from './queue-simulation.js';
import { RedisServer } from '../queue/redis-server.js';
import { createSweepSetup } from './sweep-work.js';

const TRIALS = Number(process.env['TRIALS'] ?? 20_000);
const RUNS = Number(process.env['RUNS'] ?? 600);
/** Number of candles of real combinations and of combinations that cost little. */
const ROWS = 100_000;
const CHEAP_ROWS = 2_000;
const CHEAP = Number(process.env['CHEAP'] ?? 20_000);
const ENTRY = new URL('../../dist/cli/sweep/run-trial.thread.js', import.meta.url);
const SOURCE = `import { CandleStrategy, int, sma } from 'evenkeel';

export class LongWhileAbove extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 4000, 30) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  override onCandle(): void {
    if (this.fast.value > this.slow.value) this.enterLong({ quantity: '1' });
    else this.exit();
  }
}
`;

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-queue-'));
const redis = await RedisServer.start(folder);
const children = new Set<ReturnType<typeof spawn>>();
const seal = new Seal('bench');
let searches = 0;

try {
  const setup = await createSweepSetup(folder, SOURCE);
  writeFileSync(path.join(folder, 'source.ts'), SOURCE);
  const market = await prepareMarket(setup.config, openSnapshot(setup.snapshot));
  const ground = groundSweep({
    ...{ config: setup.config, market, strategy: 'LongWhileAbove' },
    ...{ sourceHash: setup.sourceHash, engine: ENGINE_VERSION },
  });
  const planOf = (count: number): SweepPlan =>
    planSweep(
      Array.from({ length: count }, (_, index) => ({
        parameters: { fast: 2 + (index % 100), slow: 110 + Math.floor(index / 100) },
        places: [index],
      })),
      ground,
    );
  const pool = await createTrialPool({ entry: ENTRY, jobs: 1, setup });
  const first = await pool.run({ parameters: { fast: 10, slow: 30 } });
  await pool.close();
  // The answer for an empty combination has the size of a real answer without daily returns.
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify({ outcome: first.outcome }));

  const empty = planOf(TRIALS);
  const local = { jobs: 2, run: () => Promise.resolve(first), close: () => Promise.resolve() };
  await measure(
    [
      {
        name: 'sweep and ledger without a queue, nothing to run: processor time',
        unit: 'us per trial',
        better: 'less',
        run: () => processorUs(TRIALS, () => play(empty, local)),
      },
      {
        name: 'messages of chunks of 100, written, signed and read: processor time',
        unit: 'us per trial',
        better: 'less',
        run: () => processorUs(TRIALS, () => passMessages(empty, first)),
      },
    ],
    { rounds: 5 },
  );
  const figures = { processorUs: NaN, serverUs: NaN, chunkUs: NaN };
  await startWorkers('empty', 2);
  await measure(
    [
      {
        name: 'empty combinations through a queue, 2 workers',
        unit: 'trials/s',
        better: 'more',
        run: async () => {
          const [own, server] = [process.cpuUsage(), await serverUs()];
          const ms = await milliseconds(() => onQueue(empty));
          const { user, system } = process.cpuUsage(own);
          figures.processorUs = (user + system) / TRIALS;
          figures.serverUs = ((await serverUs()) - server) / TRIALS;
          return (1_000 * TRIALS) / ms;
        },
      },
      {
        name: 'coordinator, by its processor time alone',
        unit: 'trials/s',
        better: 'more',
        run: () => 1e6 / figures.processorUs,
      },
      {
        name: 'server, processor time',
        unit: 'us per trial',
        better: 'less',
        run: () => figures.serverUs,
      },
    ],
    { rounds: 5 },
  );
  await stopWorkers();

  const rounds = 5;
  await compare({ name: 'real combinations', plan: planOf(RUNS), rows: ROWS, rounds });
  const cheap = { plan: planOf(CHEAP), rows: CHEAP_ROWS, rounds: 4 };
  const [threads, queue] = await compare({ name: 'cheap combinations', ...cheap });
  const us = (figure?: Figure): number => 2e6 / (figure?.median ?? NaN);
  console.log(
    `overhead per combination, of a thread's time, in searches of ${String(CHEAP)}: ${(us(queue) - us(threads)).toFixed(0)} us beside ${us(threads).toFixed(0)} us`,
  );
  console.log(
    '# simulated: workers of one thread, combinations of 5 ms and of 50 ms, 100,000 of them',
  );
  // By measured chunks of 100 and of 10: four fifths of the server's time per combination are the cost of the chunk, one fifth is for its length.
  const costs = {
    coordinatorPerTrial: figures.processorUs,
    serverPerChunk: 80 * figures.serverUs,
    serverPerTrial: figures.serverUs / 5,
    serverPerLook: 60,
  };
  for (const ms of [5, 50])
    for (const workers of [1, 10, 100, 300, 1_000]) {
      const end = simulateQueue({
        workers,
        threads: 1,
        trialUs: 1_000 * ms,
        trials: 100_000,
        costs,
      });
      const share = (value: number): string => `${(100 * value).toFixed(0).padStart(3)} %`;
      console.log(
        `${String(ms).padStart(2)} ms ${String(workers).padStart(5)} workers ${end.trialsPerSecond.toFixed(0).padStart(7)} trials/s, busy: threads ${share(end.threadsBusy)}, coordinator ${share(end.coordinatorBusy)}, server ${share(end.serverBusy)}`,
      );
    }
} finally {
  await stopWorkers();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The same combinations, in turns, by a pool of two threads and by two workers of one thread. */
async function compare({
  name,
  plan,
  rows,
  rounds,
}: {
  readonly name: string;
  readonly plan: SweepPlan;
  readonly rows: number;
  readonly rounds: number;
}): Promise<readonly Figure[]> {
  const setup = await createSweepSetup(folder, SOURCE, rows);
  const pool = await createTrialPool({ entry: ENTRY, jobs: 2, setup });
  await startWorkers(String(rows), 2);
  // One search serves all rounds, because workers that begin must first load plugin and candles.
  let ledger = await newLedger();
  const runner = await startSearch(plan.ids.length, () => ledger.flush());
  const one = { ...plan, combinations: plan.combinations.slice(0, 1), ids: plan.ids.slice(0, 1) };
  const start = await milliseconds(() => play(one, runner, ledger));
  console.log(`${name}: the first one of a search is back after ${start.toFixed(0)} ms`);
  const rate = async (work: () => Promise<unknown>): Promise<number> =>
    (1_000 * plan.ids.length) / (await milliseconds(work));
  const threads = `${name}, 2 threads`;
  const figures = await measure(
    [
      {
        ...{ name: threads, unit: 'runs/s', better: 'more' },
        run: () => rate(() => play(plan, pool)),
      },
      {
        ...{ name: `${name}, 2 workers of one thread`, unit: 'runs/s', better: 'more' },
        reference: threads,
        run: async () => {
          ledger = await newLedger();
          return rate(() => play(plan, runner, ledger));
        },
      },
    ],
    { rounds },
  );
  await runner.close();
  await stopWorkers();
  await pool.close();
  return figures;
}

/** Processor time of all threads of this process, in microseconds per trial. */
async function processorUs(trials: number, work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / trials;
}

/** The work of both sides on the messages of chunks and of their results: write, sign, verify, read. */
function passMessages({ combinations }: SweepPlan, run: TrialRun): void {
  for (let from = 0; from < combinations.length; from += MOST_PER_CHUNK) {
    const jobs = combinations.slice(from, from + MOST_PER_CHUNK);
    const trials = writeTrials(jobs.map(({ parameters }) => ({ parameters })));
    const signature = seal.sign('chunk', trials);
    if (!seal.verifies(signature, 'chunk', trials)) throw new Error('a signature is wrong');
    const read = parseTrials(trials) ?? [];
    const runs = writeRuns(read.map(() => run));
    const signed = seal.sign('result', runs);
    if (!seal.verifies(signed, 'result', runs)) throw new Error('a signature is wrong');
    if (parseRuns(runs, jobs.length) === undefined) throw new Error('no runs');
  }
}

/** The complete work of a coordinator, with its own ledger if none is given. */
async function play(plan: SweepPlan, runner: TrialRunner, ledger?: TrialLedger): Promise<void> {
  const own = ledger ?? (await newLedger());
  await runCombinations({
    ...{ plan, runner, ledger: own, known: { get: () => undefined } },
    now: () => systemTime.now(),
  });
  await own.close();
}

function newLedger(): Promise<TrialLedger> {
  searches += 1;
  return TrialLedger.open({ file: path.join(folder, `${String(searches)}.jsonl`) });
}

async function onQueue(plan: SweepPlan): Promise<void> {
  const ledger = await newLedger();
  const runner = await startSearch(plan.ids.length, () => ledger.flush());
  await play(plan, runner, ledger);
  await runner.close();
}

async function startSearch(count: number, synced: () => Promise<void>): Promise<QueueRunner> {
  searches += 1;
  const hash = 'a'.repeat(64);
  const server = await openQueueServer(parseAddress(redis.url, 'bench'), {
    time: queueClock,
    say: () => undefined,
  });
  const board = new SearchBoard(server);
  const text = JSON.stringify({
    ...{ version: 1, owner: hash, engine: String(searches), node: 20, config: '', holdings: [] },
    plugin: { hash, entry: 'a.ts', files: {} },
    inputs: { strategy: 'a', source: hash, ground: hash, data: hash, engine: '1' },
  });
  const search = await board.post(text, seal.sign('search', text), 100);
  return QueueRunner.start({
    ...{ server, board, search, seal, count, synced, time: queueClock },
    say: (line) => {
      console.log(line);
    },
  });
}

async function serverUs(): Promise<number> {
  const { redis: client, close } = await openQueueServer(parseAddress(redis.url, 'bench'), {
    time: queueClock,
    say: () => undefined,
  });
  const info = await client.info('cpu');
  close();
  const read = (name: string): number =>
    Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1] ?? NaN);
  return 1e6 * (read('used_cpu_sys') + read('used_cpu_user'));
}

async function startWorkers(kind: string, count: number): Promise<void> {
  for (let worker = 0; worker < count; worker += 1) {
    const child = spawn(
      process.execPath,
      [
        ...['--import', fileURLToPath(new URL('../../.ci/bench-loader.mjs', import.meta.url))],
        ...[fileURLToPath(new URL('queue-child.ts', import.meta.url)), redis.url, kind, folder],
      ],
      { stdio: ['pipe', 'inherit', 'inherit'] },
    );
    children.add(child);
  }
  await queueClock.sleep(3_000);
}

async function stopWorkers(): Promise<void> {
  for (const child of children) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    children.delete(child);
  }
}
