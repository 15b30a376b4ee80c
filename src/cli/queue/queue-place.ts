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
  /** How long a worker is waited for; milliseconds. @defaultValue no end */
  readonly waitMs: number | undefined;
}

/** A search on a queue. */
export interface QueueUse extends QueuePlace {
  readonly bot: LoadedBot;
  /** The ledger's file: the same search on another one is another search. @defaultValue none, each call is a search of its own */
  readonly ledger?: string | undefined;
  /** Resolves when what was returned is in the ledger. */
  readonly synced?: (() => Promise<void>) | undefined;
}

/** The search of a bot whose trials go to a ledger. */
export function useOf(place: QueuePlace, bot: LoadedBot, ledger: TrialLedger): QueueUse {
  return { ...place, bot, ledger: ledger.file, synced: () => ledger.flush() };
}

/**
 * Finds out where the combinations of a command run, before anything of it is read: undefined for threads of this machine. Code of a plugin then
 * finds no password in the environment.
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
      '--jobs says how many threads of this machine run, and with --queue workers do: give --jobs to worker',
    );
  const seal = await readSeal(flags, context);
  context.forgetSecrets?.();
  const waitMs = workerWait === undefined ? undefined : workerWait * SECOND_MS;
  return { address, seal, priority: priority ?? DEFAULT_PRIORITY, waitMs };
}
