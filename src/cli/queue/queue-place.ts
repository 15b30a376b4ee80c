import { SECOND_MS, UsageError } from '../../domain/index.js';
import type { TrialLedger } from '../../research/index.js';
import { DEFAULT_PRIORITY, type QueueAddress, type Seal } from '../../queue/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { readAddress, readSeal } from './queue-access.js';
import type { QueueFlags } from './queue-options.js';

/** The queue whose workers run the combinations of a command. */
export interface QueuePlace {
  readonly address: QueueAddress;
  readonly seal: Seal | undefined;
  readonly priority: number;
  /** Longest wait for a worker; milliseconds. @defaultValue no limit */
  readonly waitMs: number | undefined;
}

/** A search on a queue. */
export interface QueueUse extends QueuePlace {
  readonly bot: LoadedBot;
  /** File of the ledger: with another ledger it is another search. @defaultValue none; each call is a new search */
  readonly ledger?: string | undefined;
  /** Resolves when all returned results are in the ledger. */
  readonly synced?: (() => Promise<void>) | undefined;
}

/** The search of a bot whose trials go to a ledger. */
export function useOf(place: QueuePlace, bot: LoadedBot, ledger: TrialLedger): QueueUse {
  return { ...place, bot, ledger: ledger.file, synced: () => ledger.flush() };
}

/**
 * Decides where the combinations of a command run: undefined for threads of this machine. Call it before any other input is read: it also
 * removes secrets from the environment, so that plugins find no password there.
 *
 * @throws {UsageError} `E_USAGE`; as {@link readAddress} and {@link readSeal}.
 */
export async function readPlace(
  flags: QueueFlags & { readonly jobs?: number },
  context: CliContext,
): Promise<QueuePlace | undefined> {
  const address = await readAddress(flags, context);
  const { jobs, priority, secretFile, workerWait } = flags;
  if (address === undefined) {
    const lonely = Object.entries({
      priority,
      'secret-file': secretFile,
      'worker-wait': workerWait,
    });
    for (const [name, value] of lonely)
      if (value !== undefined)
        throw new UsageError('E_USAGE', `--${name} needs --queue or --queue-file`);
    return undefined;
  }
  if (jobs !== undefined)
    throw new UsageError(
      'E_USAGE',
      '--jobs is the number of threads on this machine, but with --queue the workers run the combinations: give --jobs to worker',
    );
  const seal = await readSeal(flags, context);
  context.forgetSecrets?.();
  const waitMs = workerWait === undefined ? undefined : workerWait * SECOND_MS;
  return { address, seal, priority: priority ?? DEFAULT_PRIORITY, waitMs };
}
