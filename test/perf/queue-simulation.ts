import { chunkSize } from '../../src/queue/chunk-size.js';

/** Measured cost of each step, in microseconds. */
export interface QueueCosts {
  /** Processor time of the coordinator per combination: from a line of the plan to a line of the ledger. */
  readonly coordinatorPerTrial: number;
  /** Processor time of the server per chunk: added, taken, returned, read, removed. */
  readonly serverPerChunk: number;
  /** Processor time of the server for each combination in a chunk, on top of the cost per chunk. */
  readonly serverPerTrial: number;
  /** Processor time of the server each time a worker looks for work. */
  readonly serverPerLook: number;
}

export interface SimulatedQueue {
  readonly workers: number;
  readonly threads: number;
  /** One run of a combination; microseconds. */
  readonly trialUs: number;
  readonly trials: number;
  readonly costs: QueueCosts;
}

export interface SimulatedEnd {
  readonly trialsPerSecond: number;
  /** Shares of the time in which threads, coordinator and server are busy. */
  readonly threadsBusy: number;
  readonly coordinatorBusy: number;
  readonly serverBusy: number;
}

const LOOKS_PER_SECOND = 1;
const SECOND_US = 1e6;

/**
 * Simulates a search. A thread that finishes a chunk takes the next. The server handles one chunk after the other, and the looks of all
 * workers slow it. The coordinator handles one chunk after the other as they come back.
 */
export function simulateQueue({
  workers,
  threads,
  trialUs,
  trials,
  costs,
}: SimulatedQueue): SimulatedEnd {
  const all = workers * threads;
  const looks = (workers * LOOKS_PER_SECOND * costs.serverPerLook) / SECOND_US;
  if (looks >= 1) return { trialsPerSecond: 0, threadsBusy: 0, coordinatorBusy: 0, serverBusy: 1 };
  const free = new EarliestFirst(all);
  const back: { readonly at: number; readonly size: number }[] = [];
  let [serverAt, serverUs] = [0, 0];
  for (let left = trials; left > 0;) {
    const size = Math.min(left, chunkSize({ open: trials, left, threads: all }));
    left -= size;
    const work = (costs.serverPerChunk + size * costs.serverPerTrial) / (1 - looks);
    serverAt = Math.max(serverAt, free.earliest) + work;
    serverUs += work;
    const at = serverAt + size * trialUs;
    free.replaceEarliest(at);
    back.push({ at, size });
  }
  back.sort((a, b) => a.at - b.at);
  let end = 0;
  for (const { at, size } of back) end = Math.max(end, at) + size * costs.coordinatorPerTrial;
  return {
    trialsPerSecond: trials / (end / SECOND_US),
    threadsBusy: (trials * trialUs) / (all * end),
    coordinatorBusy: (trials * costs.coordinatorPerTrial) / end,
    serverBusy: looks + (1 - looks) * (serverUs / end),
  };
}

/** A heap of the times at which threads become free. */
class EarliestFirst {
  readonly #times: Float64Array;

  constructor(count: number) {
    this.#times = new Float64Array(count);
  }

  get earliest(): number {
    return this.#times[0] ?? 0;
  }

  replaceEarliest(time: number): void {
    const times = this.#times;
    let at = 0;
    for (let child = 1; child < times.length; child = 2 * at + 1) {
      const right = child + 1;
      if (right < times.length && (times[right] ?? 0) < (times[child] ?? 0)) child = right;
      if ((times[child] ?? 0) >= time) break;
      times[at] = times[child] ?? 0;
      at = child;
    }
    times[at] = time;
  }
}
