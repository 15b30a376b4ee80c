import { DomainError, InvariantError, UsageError } from '../../../domain/index.js';
import {
  Bookkeeper,
  type EngineCheckpoint,
  type RecordedBeginning,
} from '../../../engine/index.js';
import {
  divergenceError,
  findAltered,
  type Epoch,
  type JournalReader,
  type KeptCheckpoint,
} from '../../../journal/index.js';
import { engineOptions } from '../../create-engine.js';
import type { MarketTerms } from '../../market/load-terms.js';
import type { BotInputs } from '../bot-inputs.js';
import { breathing, type Breathing } from './replay-journal.js';

/**
 * Rebuilds what the engine of an epoch owned at the end, without its strategy. It starts at the last checkpoint kept in the epoch, or at the epoch's
 * beginning if there is none, or if `inputs` has other limits than the epoch (`isSameConfig` false).
 *
 * @throws {JournalError} `E_REPLAY_DIVERGED` for an entry that was altered; {UsageError} `E_REPLAY_INPUTS` if the configuration lacks something that the
 * epoch traded.
 */
export async function recoverEnding(
  epoch: Epoch,
  reader: JournalReader,
  inputs: Pick<BotInputs, 'config' | 'strategyClass' | 'journal' | 'onBoundary' | keyof Breathing>,
  { terms, isSameConfig = true }: { readonly terms: MarketTerms; readonly isSameConfig?: boolean },
): Promise<EngineCheckpoint> {
  const kept = isSameConfig ? reader.keptCheckpoint(epoch) : undefined;
  const beginning = kept === undefined ? epoch.header : goingOn(kept);
  const { constructed } = beginning;
  const { config, strategyClass, onBoundary = () => undefined } = inputs;
  try {
    const options = engineOptions({ config, strategyClass, terms, constructed });
    const keeper = new Bookkeeper(options, beginning);
    for await (const entry of breathing(reader.entries(epoch, kept), inputs)) {
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
      `${inputs.journal}: the bot was trading something that the configuration lacks (${error.message}); start it once with the old configuration and stop it in order, or move its journal away once the bot has nothing at the venue`,
      { cause: error },
    );
  }
}

/** A checkpoint is only kept once the strategy is warm. */
function goingOn({ time, checkpoint }: KeptCheckpoint): RecordedBeginning {
  return { constructed: time, started: time, checkpoint, isWarm: true };
}
