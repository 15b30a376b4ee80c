import type { OwnerLink } from './guard-link.js';
import { SILENCE_MS, type WatchedBot } from './owner-watch.js';

interface EndOwnerOptions {
  readonly owner: Pick<OwnerLink, 'kill'>;
  /** Whether a bot has left something to guard, by its journal. */
  readonly isNeeded: (name: string) => Promise<boolean>;
  /** Whether its process is still silent. */
  readonly isSilent: () => boolean;
  /** Takes a line for the operator. */
  readonly say: (line: string) => void;
  /** Takes the failure of `isNeeded` for one bot. The other bots may still need a guard. */
  readonly onFailure: (name: string, error: unknown) => void;
}

/** Ends a stuck process if one of its bots needs a guard. After its end, this process takes over what it holds. */
export async function endOwner(
  bots: readonly WatchedBot[],
  { owner, isNeeded, isSilent, say, onFailure }: EndOwnerOptions,
): Promise<void> {
  const needs = async ({ name, isGuarding }: WatchedBot): Promise<boolean> =>
    isGuarding ||
    isNeeded(name).catch((error: unknown) => {
      onFailure(name, error);
      return false;
    });
  // What is certain comes first: journals take a while.
  for (const bot of bots.toSorted((a, b) => Number(b.isGuarding) - Number(a.isGuarding))) {
    if (!(await needs(bot))) continue;
    // It may have come back meanwhile.
    if (!isSilent()) return;
    say(
      `no sign of life of ${bot.name} for ${String(SILENCE_MS / 1_000)} s: ending its process; this process guards its positions`,
    );
    owner.kill();
    return;
  }
}
