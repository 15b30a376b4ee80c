import { openArchive } from '../../../archive/index.js';
import type { SessionConfig } from '../../../config/index.js';
import { JournalError } from '../../../domain/index.js';
import type { EngineCheckpoint } from '../../../engine/index.js';
import { readJournal } from '../../../journal/index.js';
import { readTerms } from '../../market/load-terms.js';
import { withGuard } from '../position-guard.js';
import { withAllocation } from '../with-allocation.js';
import { recoverEnding } from './recover-ending.js';
import type { Breathing } from './replay-journal.js';

/** A bot that does not run, or whose process is stuck. */
export interface LeftBot extends Breathing {
  readonly config: SessionConfig;
  readonly journal: string;
}

/**
 * What a bot owned at the end of its journal; undefined without a journal. The end of an open epoch is rebuilt from the last checkpoint kept in it.
 *
 * @throws {JournalError} as `readJournal`, except for a missing journal; as {@link recoverEnding}.
 */
export async function lastEnding({
  config,
  journal: file,
  breathe,
}: LeftBot): Promise<EngineCheckpoint | undefined> {
  const inputs = { ...withGuard({ config: withAllocation(config) }), journal: file, breathe };
  const terms = await readTerms(inputs.config, openArchive(config.simulation.archive));
  const reader = await readJournal(file).catch((error: unknown) => {
    if (error instanceof JournalError && error.code === 'E_JOURNAL_MISSING') return undefined;
    throw error;
  });
  try {
    const epoch = reader?.epochs().at(-1);
    if (reader === undefined || epoch === undefined) return undefined;
    return epoch.ending ?? (await recoverEnding(epoch, reader, inputs, { terms }));
  } finally {
    reader?.close();
  }
}
