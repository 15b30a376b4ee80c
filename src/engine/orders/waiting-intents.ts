import type {
  Direction,
  EnterIntent,
  EpochMs,
  ExitIntent,
  InstrumentId,
  TargetIntent,
} from '../../domain/index.js';
import { withFailedExit } from './failed-exits.js';
import type { ExitJob, PositionSide, WaitingEntry } from './position-side.js';

/** An intent that waits to be sent, for display. */
export interface WaitingIntent {
  readonly intentId: number;
  readonly intent: EnterIntent | ExitIntent | TargetIntent;
  /** For targets: the first instrument, and the side that its target wants. */
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** When it began to wait. */
  readonly since: EpochMs;
}

/** Intents that wait to be sent, by position side: exits wait for the end of the orders that they replace, entries for the end of the other side. */
export class WaitingIntents {
  /** Sides on which intents wait. Changed by this class alone. */
  readonly sides = new Set<PositionSide>();

  addExit(positionSide: PositionSide, job: ExitJob): void {
    positionSide.exitJobs.push(job);
    this.sides.add(positionSide);
  }

  /** Keeps a rejected exit, to be tried again. */
  addFailed(positionSide: PositionSide, job: ExitJob): void {
    positionSide.failedExits = withFailedExit(positionSide.failedExits, job);
    this.sides.add(positionSide);
  }

  /** Removes the matching failed exits of a side, and returns them. */
  takeFailed(positionSide: PositionSide, isTaken: (job: ExitJob) => boolean): readonly ExitJob[] {
    return this.#take('failedExits', positionSide, isTaken);
  }

  #take(
    list: 'exitJobs' | 'failedExits',
    positionSide: PositionSide,
    isTaken: (job: ExitJob) => boolean,
  ): readonly ExitJob[] {
    const jobs = positionSide[list];
    if (jobs.length === 0) return jobs;
    const taken = jobs.filter(isTaken);
    positionSide[list] = jobs.filter((job) => !taken.includes(job));
    this.#tidy(positionSide);
    return taken;
  }

  setEntry(positionSide: PositionSide, entry: WaitingEntry): void {
    positionSide.waiting = entry;
    this.sides.add(positionSide);
  }

  /** Removes the matching exits of a side, and returns them. */
  takeExits(positionSide: PositionSide, isTaken: (job: ExitJob) => boolean): readonly ExitJob[] {
    return this.#take('exitJobs', positionSide, isTaken);
  }

  takeEntry(positionSide: PositionSide): WaitingEntry | undefined {
    const { waiting } = positionSide;
    if (waiting === undefined) return undefined;
    positionSide.waiting = undefined;
    this.#tidy(positionSide);
    return waiting;
  }

  /** Registers a restored side, if intents wait on it. */
  restore(positionSide: PositionSide): void {
    this.#tidy(positionSide);
  }

  has(intentId: number): boolean {
    for (const { exitJobs, failedExits, waiting } of this.sides)
      for (const one of [...exitJobs, ...failedExits, waiting])
        if (one?.intentId === intentId) return true;
    return false;
  }

  /** Oldest first. */
  list(): readonly WaitingIntent[] {
    return [...this.sides]
      .flatMap(({ exitJobs, failedExits, waiting, instrumentId, direction }) =>
        [...exitJobs, ...failedExits, waiting].flatMap((one) => {
          if (one === undefined) return [];
          const { intentId, intent, since } = one;
          return [{ intentId, intent, instrumentId, direction, since }];
        }),
      )
      .toSorted((one, other) => one.intentId - other.intentId);
  }

  #tidy(positionSide: PositionSide): void {
    const { exitJobs, failedExits, waiting } = positionSide;
    const isEmpty = exitJobs.length + failedExits.length === 0 && waiting === undefined;
    if (isEmpty) this.sides.delete(positionSide);
    else this.sides.add(positionSide);
  }
}

/** Whether an intent may wait without a time limit. An intent with a price, or for a part, does not outlast the candle that it was made for. */
export function mayWaitOn(intent: EnterIntent | ExitIntent): boolean {
  const isPart = intent.kind === 'exit' && intent.size !== undefined;
  return !isPart && intent.limitPrice === undefined;
}
