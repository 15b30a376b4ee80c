import { existsSync } from 'node:fs';
import { TradingError } from '../../domain/index.js';
import { GUARDED_PAUSE_MS, patiently, type PatienceOptions } from '../../live/index.js';
import type { BotInputs } from './bot-inputs.js';

/**
 * How long a start bears a venue that does not answer, cannot be understood or refuses the key: a bot that goes on from a journal may have
 * something to guard, and waits until it is stopped, asking again every two seconds. A new one has nothing, and ends after eight tries, a minute of pauses, with what was said.
 */
export function startPatience({
  machine: time,
  journal,
  signal,
  onWaiting,
}: Pick<BotInputs, 'machine' | 'journal' | 'signal' | 'onWaiting'>): PatienceOptions {
  const hasPast = existsSync(journal);
  return {
    time,
    signal,
    onFailure: onWaiting,
    ...(hasPast && { tries: Number.POSITIVE_INFINITY, longestPauseMs: GUARDED_PAUSE_MS }),
  };
}

/** Tries and pauses, in ms: 30 s in all, as long as a guard process is given to hand back, in which it closes its epoch or finds that the bot is back. */
const LETTING_GO = { tries: 64, pauseMs: 50, longestPauseMs: 500 } as const;
const HELD: ReadonlySet<TradingError['code']> = new Set(['E_CLAIMED', 'E_JOURNAL_LOCKED']);

/**
 * Takes something that what guards a bot in its place may have, and lets go of: the two may begin at the same instant. A new bot has no such guard,
 * and does not wait.
 *
 * @throws what `take` throws.
 */
export function whenLetGo<T>(
  take: () => Promise<T>,
  {
    machine: time,
    journal,
    signal,
    guardOf,
  }: Pick<BotInputs, 'machine' | 'journal' | 'signal' | 'guardOf'>,
): Promise<T> {
  if (guardOf !== undefined || !existsSync(journal)) return take();
  const isPassing = (error: unknown): error is TradingError =>
    error instanceof TradingError && HELD.has(error.code);
  return patiently(take, { time, signal, isPassing, ...LETTING_GO });
}
