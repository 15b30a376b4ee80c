import { DomainError, InvariantError, UsageError } from '../../domain/index.js';
import { Bookkeeper, type EngineCheckpoint } from '../../engine/index.js';
import { divergenceError, findAltered, type Epoch, type StoredEntry } from '../../journal/index.js';
import { engineOptions } from '../create-engine.js';
import type { MarketTerms } from '../market/load-terms.js';
import type { BotInputs } from './bot-inputs.js';
import { breathing, type Breathing } from './replay-journal.js';

/**
 * Rebuilds what the engine of an epoch owned in the end, without its strategy.
 *
 * @throws {JournalError} `E_REPLAY_DIVERGED` for an entry that was altered; {UsageError} `E_REPLAY_INPUTS` where the configuration lacks what the
 * epoch was about.
 */
export async function recoverEnding(
  epoch: Epoch,
  entries: Iterable<StoredEntry>,
  inputs: Pick<BotInputs, 'config' | 'strategyClass' | 'journal' | 'onBoundary' | keyof Breathing>,
  { terms }: { readonly terms: MarketTerms },
): Promise<EngineCheckpoint> {
  const { constructed } = epoch.header;
  const { config, strategyClass, onBoundary = () => undefined } = inputs;
  try {
    const options = engineOptions({ config, strategyClass, terms, constructed });
    const keeper = new Bookkeeper(options, epoch.header);
    for await (const entry of breathing(entries, inputs)) {
      onBoundary('replay');
      const divergence = findAltered(entry);
      if (divergence !== undefined) throw divergenceError(divergence);
      keeper.take(entry);
    }
    return keeper.checkpoint();
  } catch (error: unknown) {
    const isMisfit = error instanceof DomainError || error instanceof InvariantError;
    if (!isMisfit) throw error;
    throw new UsageError(
      'E_REPLAY_INPUTS',
      `${inputs.journal}: the configuration lacks something the bot was trading (${error.message}); start it once as it was and stop it in order, or move its journal away once nothing of it is at the venue`,
      { cause: error },
    );
  }
}
