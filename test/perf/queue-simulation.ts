import { chunkSize } from '../../src/queue/chunk-size.js';

/** What one step takes, as measured; microseconds. */
export interface QueueCosts {
  /** The coordinator's processor, per combination: from a line of the plan to a line of the ledger. */
  readonly coordinatorPerTrial: number;
  /** The server's processor, per chunk: added, taken, returned, read, removed. */
  readonly serverPerChunk: number;
  /** The server's processor, per combination: what a longer chunk takes more. */
  readonly serverPerTrial: number;
  /** The server's processor, per look of a worker at what there is. */
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
  /** Shares of the time in which each is busy. */
  readonly threadsBusy: number;
  readonly coordinatorBusy: number;
  readonly serverBusy: number;
}

const LOOKS_PER_SECOND = 1;
const SECOND_US = 1e6;

/**
 * Plays a search through: each thread takes the next chunk when it is done with one, the server does its part of each chunk one after the other and
 * is slower by the looks of all workers, and so does the coordinator, which takes chunks as they come back.
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

/** When threads are free: a heap. */
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
