import { lastEnding, type LeftBot } from './journal/last-ending.js';
import { needsGuard } from './position-guard.js';

/**
 * Whether a bot whose process has ended or is stuck has left something to guard, by its journal.
 *
 * @throws as {@link lastEnding}.
 */
export async function isGuardNeeded(bot: LeftBot): Promise<boolean> {
  const ending = await lastEnding(bot);
  return ending !== undefined && needsGuard(ending);
}
