import { DataError, MINUTE_MS, nounOf, SECOND_MS } from '../domain/index.js';
import type { WorkerState } from './search-board.js';

/** Between two looks no more than that is counted: the server, or this machine, may have been away. */
const MOST_PER_LOOK_MS = 2 * SECOND_MS;

/** What is known of the workers of a queue at one look. */
export interface WorkersLook {
  /** Milliseconds since some instant. */
  readonly elapsed: number;
  /** Whether something of the search waits for a worker. */
  readonly isWaiting: boolean;
  /** Those that are there. */
  readonly workers: readonly WorkerState[];
  /** How many refuse the search. */
  readonly refusals: number;
}

/** Says each minute that no worker serves a search, and ends it where its user wants no longer wait. */
export class UnservedSearch {
  readonly #search: string;
  readonly #limitMs: number;
  #lastLook: number | undefined;
  #unservedMs = 0;
  #saidMs = 0;

  /** `limitMs`: how long a worker is waited for. */
  constructor(search: string, limitMs: number) {
    this.#search = search;
    this.#limitMs = limitMs;
  }

  /**
   * Looks, about once a second. Returns what a user should be told now.
   *
   * @throws {DataError} `E_QUEUE_UNSERVED` when no worker has served the search for so long.
   */
  look(look: WorkersLook): string | undefined {
    const before = this.#lastLook ?? look.elapsed;
    this.#lastLook = look.elapsed;
    if (!look.isWaiting || look.workers.some(({ search }) => search === this.#search)) {
      this.#unservedMs = 0;
      this.#saidMs = 0;
      return undefined;
    }
    this.#unservedMs += Math.min(look.elapsed - before, MOST_PER_LOOK_MS);
    const line = `no worker has served the search ${this.#search} for ${durationOf(this.#unservedMs)}: ${describeWorkers(look)}`;
    if (this.#unservedMs >= this.#limitMs)
      throw new DataError(
        'E_QUEUE_UNSERVED',
        `${line}; what has come back is kept, and the same command goes on from there`,
      );
    if (this.#unservedMs - this.#saidMs < MINUTE_MS) return undefined;
    this.#saidMs = this.#unservedMs;
    return line;
  }
}

function durationOf(ms: number): string {
  const seconds = Math.round(ms / SECOND_MS);
  if (seconds < 120) return `${String(seconds)} ${nounOf(seconds, 'second')}`;
  return `${String(Math.floor(seconds / 60))} minutes`;
}

function describeWorkers({ workers, refusals }: WorkersLook): string {
  const busy = workers.filter(({ search }) => search !== null).length;
  const there = `${String(workers.length)} ${nounOf(workers.length, 'worker')} on the queue`;
  const others = [
    ...(busy > 0 ? [`${String(busy)} with another search`] : []),
    ...(refusals > 0 ? [`${String(refusals)} refused it (queue status says why)`] : []),
  ];
  return [there, ...others].join(', ');
}
