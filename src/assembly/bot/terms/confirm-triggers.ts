import type { SessionConfig } from '../../../config/index.js';
import { ConfigError, type InstrumentId } from '../../../domain/index.js';
import { VenueRefusalError, type AccountSource } from '../../../venue/index.js';

/**
 * Checks that the deployment lists triggers, if the bot keeps triggers there in step with its stops: a trigger that cannot be listed cannot be kept in step.
 *
 * @throws {ConfigError} `E_CONFIG_VALUE` if the deployment refuses the list; other errors of the source, which may be temporary.
 */
export async function confirmTriggers(
  { name, instruments, live }: SessionConfig,
  {
    source,
    signal,
    isGone,
  }: {
    readonly source: Pick<AccountSource, 'triggers'>;
    readonly signal: AbortSignal;
    readonly isGone: (instrumentId: InstrumentId) => boolean;
  },
): Promise<void> {
  const contract = instruments.find(
    ({ kind, readOnly, instrumentId }) => kind === 'futures' && !readOnly && !isGone(instrumentId),
  );
  if (live.venueStops !== 'family' || contract === undefined) return;
  try {
    await source.triggers?.(contract.instrumentId, { signal });
  } catch (error: unknown) {
    if (!(error instanceof VenueRefusalError)) throw error;
    throw new ConfigError('E_CONFIG_VALUE', {
      location: { file: name, key: 'live.venueStops' },
      expected: `off or disaster: this venue does not list triggers (${error.message})`,
      received: live.venueStops,
    });
  }
}
