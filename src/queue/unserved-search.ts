import { DataError, MINUTE_MS, nounOf, SECOND_MS } from '../domain/index.js';
import type { WorkerState } from './search-board.js';

/** Longest time that counts between two looks. A longer gap means that the server or this machine was away. */
const MOST_PER_LOOK_MS = 2 * SECOND_MS;

/** State of the workers of a queue at one look. */
interface WorkersLook {
  /** Milliseconds since a fixed but arbitrary instant. */
  readonly elapsed: number;
  /** Whether chunks of the search wait for a worker. */
  readonly isWaiting: boolean;
  /** Workers with a recent sign of life. */
  readonly workers: readonly WorkerState[];
  /** Number of workers that refuse the search. */
  readonly refusals: number;
}

/** Reports once a minute that no worker serves a search, and ends the wait after a limit. */
export class UnservedSearch {
  readonly #search: string;
  readonly #limitMs: number;
  #lastLook: number | undefined;
  #unservedMs = 0;
  #saidMs = 0;

  /** `limitMs`: longest wait for a worker. */
  constructor(search: string, limitMs: number) {
    this.#search = search;
    this.#limitMs = limitMs;
  }

  /**
   * Takes a look; called about once a second. Returns a line for the user, or undefined if there is nothing to report.
   *
   * @throws {DataError} `E_QUEUE_UNSERVED` when no worker has served the search for that limit.
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
        `${line}. Finished combinations are kept, and the same command continues from there`,
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
    ...(refusals > 0 ? [`${String(refusals)} refused it (see queue status for the reasons)`] : []),
  ];
  return [there, ...others].join(', ');
}
