import type { Clock, EpochMs } from '../../domain/index.js';
import type { FeedTime } from '../../feed/index.js';

/** Work that is due at the same time is done in this order (DESIGN R1): account news, samples of last, candles, timers, commands. */
export const SESSION_PHASES = ['account', 'samples', 'market', 'timers', 'arrivals'] as const;
export type SessionPhase = (typeof SESSION_PHASES)[number];

/** Time of a live session: the venue's time, and timers that follow it. */
export interface SessionTime extends Clock {
  /** Runs the action once, `delayMs` milliseconds from now, unless the returned function was called before. */
  after(phase: SessionPhase, delayMs: number, action: () => void): () => void;
  /** Runs the action at multiples of `periodMs`, until the returned function is called. */
  every(phase: SessionPhase, periodMs: number, action: () => void): () => void;
}

/** Makes a time whose timers all belong to one phase. */
export function timeOfPhase(time: SessionTime, phase: SessionPhase): FeedTime {
  return { now: () => time.now(), after: (delayMs, action) => time.after(phase, delayMs, action) };
}

/** A session time on a real clock: work is done when it is due, and phases have no effect. */
export function createSessionTime(time: FeedTime): SessionTime {
  return {
    now: () => time.now(),
    after: (_, delayMs, action) => time.after(delayMs, action),
    every: (_, periodMs, action) => {
      let cancel = (): void => undefined;
      const schedule = (): void => {
        cancel = time.after(nextMultiple(time.now(), periodMs) - time.now(), () => {
          schedule();
          action();
        });
      };
      schedule();
      return () => {
        cancel();
      };
    },
  };
}

/** Waits. @throws the signal's reason as soon as it is aborted, also if it was before. */
export function pauseFor(
  time: Pick<FeedTime, 'after'>,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = time.after(Math.max(0, delayMs), () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** First multiple of a period after an instant. */
export function nextMultiple(now: EpochMs, periodMs: number): EpochMs {
  return (Math.floor(now / periodMs) + 1) * periodMs;
}
