import { formatUtc, UsageError, type EpochMs } from '../../domain/index.js';
import { SESSION_PHASES, type Activity, type SessionPhase } from '../../live/index.js';
import type { LockstepTime } from './lockstep-time.js';
import type { LoopYields } from './loop-yields.js';
import type { TransportTime } from './transport-time.js';

interface LockstepRestOptions {
  readonly time: LockstepTime;
  readonly transport: TransportTime;
  readonly activity: Activity;
  readonly yields: LoopYields;
}

/** Limits of one instant: turns of the process until it settles, and rounds of commands and answers. */
const MAX_YIELDS = 100_000;
export const MAX_ROUNDS = 100;
/** After this many turns without traffic nothing more follows: a settled promise takes effect within one turn. */
const QUIET_YIELDS = 5;

/** Knows when a session in lockstep is at rest, so that market time may move on. */
export class LockstepRest {
  readonly #options: LockstepRestOptions;
  #failure: unknown;
  #awaitsOutcome = (): boolean => false;

  constructor(options: LockstepRestOptions) {
    this.#options = options;
  }

  /** Ends the run: every later wait fails with the error. Only the first error counts. */
  readonly fail = (error: unknown): void => {
    this.#failure ??= error;
  };

  /** `awaitsOutcome`: whether the session waits for market time to pass, as when it looks for an order whose answer was lost. */
  watch(awaitsOutcome: () => boolean): void {
    this.#awaitsOutcome = awaitsOutcome;
  }

  /** Fires a phase again and again, until nothing more is due in it. */
  async fire(phase: SessionPhase, at: 'its times' | 'any time' = 'its times'): Promise<void> {
    const { time } = this.#options;
    for (let round = 0; time.fire(phase, at); round += 1) {
      if (round >= MAX_ROUNDS) throw unsettled(time.now(), `${String(MAX_ROUNDS)} rounds`);
      await this.settle();
    }
  }

  /** Waits until nothing is queued or under way, or until everything that is waits for market time to pass. */
  async settle(): Promise<void> {
    const { activity, transport, time } = this.#options;
    let quiet = 0;
    for (let count = 0; count < MAX_YIELDS; count += 1) {
      await this.#yield();
      if (activity.isIdle) return;
      const isMoving = transport.isBusy || transport.jump();
      quiet = isMoving || !this.#awaitsOutcome() ? 0 : quiet + 1;
      if (quiet >= QUIET_YIELDS) return;
    }
    throw unsettled(time.now(), `${String(MAX_YIELDS)} turns`);
  }

  /** Waits for a promise and moves transport time meanwhile. If `moves` is given, it also moves market time when nothing else can go on. */
  async during<T>(promise: Promise<T>, moves?: LockstepTime): Promise<T> {
    const { transport, yields, activity, time } = this.#options;
    const state = { isOver: false };
    const watched = promise.finally(() => {
      state.isOver = true;
    });
    // The failure is thrown below.
    watched.catch(() => undefined);
    let quiet = 0;
    for (let count = 0; !state.isOver && count < MAX_YIELDS; count += 1) {
      await yields.next();
      const isMoving = transport.isBusy || transport.jump();
      quiet = isMoving || moves === undefined ? 0 : quiet + 1;
      if (quiet < QUIET_YIELDS || moves === undefined || moves.nextDue() === Infinity) continue;
      moves.moveTo(Math.max(moves.now(), moves.nextDue()));
      for (const phase of SESSION_PHASES) moves.fire(phase);
      quiet = 0;
    }
    // Only work that nothing counts, such as reading files, may still end by itself.
    if (!state.isOver && !activity.isIdle)
      throw unsettled(time.now(), `${String(MAX_YIELDS)} turns`);
    return yields.until(watched);
  }

  async #yield(): Promise<void> {
    await this.#options.yields.next();
    if (this.#failure !== undefined) throw this.#failure as Error;
  }
}

export function unsettled(time: EpochMs, after: string): UsageError {
  return new UsageError(
    'E_PARITY_UNSETTLED',
    `the bot does not come to rest at ${formatUtc(time)}: still busy after ${after}`,
  );
}
