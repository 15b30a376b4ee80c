import { openArchive } from '../../archive/index.js';
import type { SessionConfig } from '../../config/index.js';
import { JournalError } from '../../domain/index.js';
import { readJournal } from '../../journal/index.js';
import { readTerms } from '../market/load-terms.js';
import { needsGuard, withGuard } from './position-guard.js';
import { recoverEnding } from './recover-ending.js';
import type { Breathing } from './replay-journal.js';
import { withAllocation } from './with-allocation.js';

/**
 * Whether a bot whose process is gone, or stuck, has left something to look after, as its journal says. The last epoch is read from what was kept in it last.
 *
 * @throws {JournalError} as `readJournal`, but for a journal that is not there; as {@link recoverEnding}.
 */
export async function isGuardNeeded({
  config,
  journal: file,
  breathe,
}: {
  readonly config: SessionConfig;
  readonly journal: string;
} & Breathing): Promise<boolean> {
  const inputs = { ...withGuard({ config: withAllocation(config) }), journal: file, breathe };
  const terms = await readTerms(inputs.config, openArchive(config.simulation.archive));
  const reader = await readJournal(file).catch((error: unknown) => {
    if (error instanceof JournalError && error.code === 'E_JOURNAL_MISSING') return undefined;
    throw error;
  });
  try {
    const epoch = reader?.epochs().at(-1);
    if (reader === undefined || epoch === undefined) return false;
    return needsGuard(epoch.ending ?? (await recoverEnding(epoch, reader, inputs, { terms })));
  } finally {
    reader?.close();
  }
}
