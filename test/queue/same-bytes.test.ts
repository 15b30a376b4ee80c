import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/engine/index.js';
import { LedgerWatch } from './ledger-watch.js';
import type { QueueProcess } from './queue-process.js';
import { SearchRig, sweepWords } from './search-rig.js';

/** Deaths of each kind: of workers, of coordinators, of the server. The full test has 20. */
const KILLS = Number(process.env['EVENKEEL_QUEUE_KILLS'] ?? '2');
const SEED = Number(process.env['EVENKEEL_SEED'] ?? '1');
/** Combinations of a sweep, in hundreds. */
const HUNDREDS = 20;
/** The maximum in one sweep. A chunk that meets three deaths would be given up. */
const MOST_WORKER_DEATHS = 4;
const CLOCK_MS = 60_000;

const ON_QUEUE = ['--queue', 'env'];

let rig: SearchRig;
let expected: string;
const random = createRandom(SEED);
const drawn = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
const oneOf = <T>(values: readonly T[]): T => values[drawn(0, values.length - 1)] as T;

beforeAll(async () => {
  rig = await SearchRig.open();
  await rig.run([...sweepWords('alone', HUNDREDS), '--jobs', '1']);
  expected = rig.read('alone.json');
});
afterAll(() => rig.close());

const watchOf = (name: string): Promise<LedgerWatch> =>
  LedgerWatch.open(path.join(rig.home, `${name}.jsonl`), path.join(rig.home, 'alone.jsonl'));

/** Runs the sweep to its end, and starts it again whenever its coordinator dies. */
async function search(
  name: string,
  plan: () => Readonly<Record<string, string>> | undefined = () => undefined,
): Promise<LedgerWatch> {
  const watch = await watchOf(name);
  for (;;) {
    const env = plan();
    const options = env === undefined ? {} : { env, preload: ['dies-at.mjs'] };
    const coordinator = rig.start([...sweepWords(name, HUNDREDS), ...ON_QUEUE], options);
    await rig.until(() => {
      watch.look();
      return !coordinator.isRunning;
    }, `the sweep ${name}`);
    const { code, signal } = await coordinator.ended;
    if (signal === 'SIGKILL') continue;
    if (code !== 0) throw new Error(`the sweep ended with ${String(code)}:\n${coordinator.output}`);
    await watch.finish();
    expect(rig.read(`${name}.json`), coordinator.output).toBe(expected);
    expect(watch.wrong).toEqual([]);
    return watch;
  }
}

/** Workers that start again when they die. `plan`: the environment that plans a death. */
class Crew {
  readonly #workers: QueueProcess[] = [];
  #isWanted = true;
  deaths = 0;
  readonly #plan: (worker: number) => Readonly<Record<string, string>> | undefined;

  constructor(
    count: number,
    plan: (worker: number) => Readonly<Record<string, string>> | undefined = () => undefined,
  ) {
    this.#plan = plan;
    for (let worker = 0; worker < count; worker += 1) this.#begin(worker, rig.workerFolder());
  }

  #begin(worker: number, folder: string): void {
    const env = this.#plan(worker);
    const preload = env === undefined ? [] : ['dies-at.mjs', 'shifted-clock.mjs'];
    const process = rig.startWorker(folder, { preload, ...(env !== undefined && { env }) });
    this.#workers[worker] = process;
    void process.ended.then(() => {
      if (!this.#isWanted) return;
      this.deaths += 1;
      this.#begin(worker, folder);
    });
  }

  /** Ends all workers in order. */
  async dismiss(): Promise<readonly (number | null)[]> {
    this.#isWanted = false;
    for (const worker of this.#workers) worker.kill('SIGTERM');
    const ends = await Promise.all(this.#workers.map(({ ended }) => ended));
    return ends.map(({ code }) => code);
  }
}

/** Where a process dies, by dies-at.mjs, and whether some time later. */
type Place = readonly [
  place: 'result' | 'append' | 'sync',
  moment: 'before' | 'after',
  late?: 'late',
];

const WITHIN_CHUNK: readonly Place[] = [['result', 'after', 'late']];
const COMMIT_OF_RESULT: readonly Place[] = [
  ['result', 'before'],
  ['result', 'after'],
];
const LINES_OF_LEDGER: readonly Place[] = [
  ['append', 'before'],
  ['append', 'after'],
  ['append', 'after', 'late'],
];
const SYNC_OF_LEDGER: readonly Place[] = [
  ['sync', 'before'],
  ['sync', 'after'],
  ['sync', 'after', 'late'],
];

/** Draws deaths in a random order, equally often of each kind. */
class Deaths {
  readonly #kinds: readonly (readonly Place[])[];
  #left: (readonly Place[])[] = [];

  constructor(...kinds: readonly (readonly Place[])[]) {
    this.#kinds = kinds;
  }

  /** `least`: a worker brings this number of chunks back before its death. Otherwise the same chunk would meet every death. */
  draw(least: number): string {
    if (this.#left.length === 0) this.#left = [...this.#kinds];
    const [kind = []] = this.#left.splice(drawn(0, this.#left.length - 1), 1);
    const [place, moment, late] = oneOf(kind);
    return [place, drawn(least, 5), moment, late === undefined ? 0 : drawn(1, 80)].join(':');
  }
}

describe(`a sweep of ${String(HUNDREDS)}00 combinations on a queue (seed ${String(SEED)})`, () => {
  it.each([2, 4])('with %i workers gives the bytes of a single process', async (count) => {
    // Clocks that are wrong by a minute, in both directions.
    const crew = new Crew(count, (worker) => ({
      EVENKEEL_SHIFT: String(worker % 2 === 0 ? CLOCK_MS : -CLOCK_MS),
    }));

    const watch = await search(`with-${String(count)}`);

    expect(watch.looks).toBeGreaterThan(3);
    expect(await crew.dismiss()).toEqual(Array.from({ length: count }, () => 0));
    expect(crew.deaths).toBe(0);
  });

  it(`gives the bytes of a single process when workers die ${String(KILLS)} times`, async () => {
    const deaths = new Deaths(WITHIN_CHUNK, COMMIT_OF_RESULT);
    await untilDead('workers-die', async (name, wanted) => {
      let planned = 0;
      const crew = new Crew(2, () => {
        if (planned >= Math.min(wanted, MOST_WORKER_DEATHS)) return undefined;
        planned += 1;
        return { EVENKEEL_DIES: deaths.draw(3) };
      });
      await search(name);
      await crew.dismiss();
      return crew.deaths;
    });
  });

  it(`gives the bytes of a single process when the coordinator dies ${String(KILLS)} times`, async () => {
    const crew = new Crew(2);
    const deaths = new Deaths(LINES_OF_LEDGER, SYNC_OF_LEDGER);
    await untilDead('coordinator-dies', async (name, wanted) => {
      let lives = 0;
      await search(name, () => {
        lives += 1;
        return lives > wanted ? undefined : { EVENKEEL_DIES: deaths.draw(1) };
      });
      return lives - 1;
    });
    expect(crew.deaths).toBe(0);
    await crew.dismiss();
  });

  it(`gives the bytes of a single process when the server dies ${String(KILLS)} times`, async () => {
    const { server } = rig;
    const first = server.deaths;
    const kills = (deaths: Deaths) => ({
      EVENKEEL_DIES: deaths.draw(3),
      EVENKEEL_DIES_FILE: server.pidFile,
    });
    const ofWorkers = new Deaths(WITHIN_CHUNK, COMMIT_OF_RESULT);
    const ofCoordinators = new Deaths(LINES_OF_LEDGER, SYNC_OF_LEDGER);
    const crew = new Crew(2, () => kills(ofWorkers));
    const count = setInterval(() => {
      if (server.deaths - first >= KILLS) writeFileSync(`${server.pidFile}.enough`, '');
    }, 10);
    await untilDead('server-dies', async (name) => {
      const before = server.deaths;
      await search(name, () => kills(ofCoordinators));
      return server.deaths - before;
    });
    clearInterval(count);
    expect(crew.deaths).toBe(0);
    await crew.dismiss();
  });
});

/** Runs sweeps, each a new search, until the number of deaths is reached. `sweep` returns the deaths of one sweep. */
async function untilDead(
  name: string,
  sweep: (name: string, wanted: number) => Promise<number>,
): Promise<void> {
  let deaths = 0;
  for (let sweeps = 1; deaths < KILLS; sweeps += 1) {
    if (sweeps > 3 * KILLS)
      throw new Error(`only ${String(deaths)} deaths in ${String(sweeps)} sweeps`);
    deaths += await sweep(`${name}-${String(sweeps)}`, KILLS - deaths);
  }
}
