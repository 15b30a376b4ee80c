import { existsSync } from 'node:fs';
import { TradingError } from '../../domain/index.js';
import { GUARDED_PAUSE_MS, patiently, type PatienceOptions } from '../../live/index.js';
import type { BotInputs } from './bot-inputs.js';

/**
 * How long a start waits for a venue that does not answer, sends invalid answers or refuses the key. A bot that continues from a journal may have
 * something to guard: it retries until it is stopped, at most two seconds apart. A new bot has nothing to guard: after eight tries with pauses of a minute
 * in all it ends with the last error.
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

/** Tries and pauses, in ms: 30 s in all. A guard process has the same time to hand back: it closes its epoch, or finds that the bot is back. */
const LETTING_GO = { tries: 64, pauseMs: 50, longestPauseMs: 500 } as const;
const HELD: ReadonlySet<TradingError['code']> = new Set(['E_CLAIMED', 'E_JOURNAL_LOCKED']);

/**
 * Takes something that the guard of a bot may still hold and will release: bot and guard may begin at the same instant. A new bot has no guard and does
 * not wait.
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
