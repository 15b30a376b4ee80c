import { UsageError, type InstrumentId } from '../../domain/index.js';
import type { BotConfig } from '../../config/index.js';

/**
 * Finds the instrument for the comparison with buy and hold, by symbol or full id; undefined if no name is given.
 *
 * @param option - the option that gave the name, for the message.
 * @throws {UsageError} `E_USAGE` for a name that is not exactly one instrument of the run: others have no candles.
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
