import { existsSync } from 'node:fs';
import type { PatienceOptions } from '../../live/index.js';
import type { BotInputs } from './bot-inputs.js';

/**
 * How long a start bears a venue that does not answer, cannot be understood or refuses the key: a bot that goes on from a journal may have
 * something to guard, and waits until it is stopped. A new one has nothing, and ends after eight tries, a minute of pauses, with what was said.
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
    ...(hasPast && { tries: Number.POSITIVE_INFINITY }),
  };
}
