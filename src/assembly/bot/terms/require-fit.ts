import { openArchive } from '../../../archive/index.js';
import { DomainError, InvariantError } from '../../../domain/index.js';
import { Bookkeeper, type EngineCheckpoint } from '../../../engine/index.js';
import { readJournal } from '../../../journal/index.js';
import type { BotStatus } from '../../../live/index.js';
import { engineOptions } from '../../create-engine.js';
import { readTerms } from '../../market/load-terms.js';
import type { LeftBot } from '../journal/last-ending.js';
import { withGuard } from '../position-guard.js';
import { withAllocation } from '../with-allocation.js';

/** What a guard process has now. */
type Guarded = Pick<BotStatus, 'positions' | 'orders' | 'triggers'>;

/**
 * Tries whether a bot could continue from what its guard process has, without that process: with another margin mode, for example, it could not begin.
 *
 * @throws {DomainError} why it could not; errors of the journal and the archive.
 */
export async function requireFit(
  { config, journal }: Pick<LeftBot, 'config' | 'journal'>,
  guarded: Guarded,
): Promise<void> {
  const inputs = withGuard({ config: withAllocation(config) });
  const terms = await readTerms(inputs.config, openArchive(config.simulation.archive));
  const reader = await readJournal(journal);
  try {
    const epoch = reader.epochs().at(-1);
    if (epoch === undefined) return;
    const { constructed, started } = epoch.header;
    const { checkpoint } = reader.keptCheckpoint(epoch) ?? epoch.header;
    const options = engineOptions({ ...inputs, terms, constructed });
    new Bookkeeper(options, { constructed, started, checkpoint: stillIn(guarded, checkpoint) });
  } catch (error: unknown) {
    // A record may refer to something that has ended since. That is no reason against a start.
    if (error instanceof InvariantError) return;
    if (!(error instanceof DomainError)) throw error;
    const text = `${error.message}; the guard process of the bot goes on`;
    throw new DomainError(error.code, text, { cause: error });
  } finally {
    reader.close();
  }
}

/** A checkpoint of the guard process without what has ended since. */
function stillIn(
  { positions, orders, triggers }: Guarded,
  checkpoint: EngineCheckpoint,
): EngineCheckpoint {
  const listed = new Set([
    ...positions.map(({ instrumentId, direction }) => `${instrumentId} ${direction}`),
    ...[...orders, ...triggers].map(({ clientOrderId }) => clientOrderId),
  ]);
  const ids = new Set(positions.map(({ instrumentId }) => instrumentId));
  return {
    ...checkpoint,
    positions: checkpoint.positions.filter(({ instrumentId, direction }) =>
      listed.has(`${instrumentId} ${direction}`),
    ),
    orders: checkpoint.orders.filter(({ request }) => listed.has(request.clientOrderId)),
    sides: checkpoint.sides.filter(({ instrumentId }) => ids.has(instrumentId)),
    triggers: checkpoint.triggers?.filter(({ request }) => listed.has(request.clientOrderId)),
  };
}
