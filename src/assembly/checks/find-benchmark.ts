import { UsageError, type InstrumentId } from '../../domain/index.js';
import type { BotConfig } from '../../config/index.js';

/**
 * The instrument that a run is compared with holding, by symbol or full id; undefined where none is named.
 *
 * @param option - what the name was given as, for the message.
 * @throws {UsageError} `E_USAGE` for what is no instrument of the run: it has no candles.
 */
export function findBenchmark(
  name: string | undefined,
  { instruments }: Pick<BotConfig, 'instruments'>,
  option: string,
): InstrumentId | undefined {
  if (name === undefined) return undefined;
  const ids = instruments.map(({ instrumentId }) => instrumentId);
  const found = ids.filter((id) => id === name || id.endsWith(`:${name}`));
  if (found.length === 1) return found[0];
  throw new UsageError(
    'E_USAGE',
    `${option}: expected one of ${ids.join(', ')}, received "${name}"`,
  );
}
