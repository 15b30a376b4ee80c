import {
  createCallQueue,
  parseBaseUrl,
  Secret,
  VenueClient,
  type VenueClientOptions,
} from '../../client/index.js';
import type { ServedExchange } from '../../local-exchange/index.js';
import { createRandom } from '../../engine/index.js';
import type { TransportTime } from './transport-time.js';

/** The credentials of the bot at the exchange of a parity run. */
export const LOCKSTEP_KEY = { key: 'parity-key', secret: 'parity-secret' } as const;

/** The client of a bot at an exchange in lockstep: that of a live bot, on transport time. */
export function createLockstepClient(
  { url }: ServedExchange,
  transport: TransportTime,
  dispatcher: VenueClientOptions['dispatcher'],
): VenueClient {
  const base = parseBaseUrl(url, { file: 'parity', key: 'url' });
  const time = { clock: transport, timers: transport };
  return new VenueClient({
    hosts: { spot: base, futures: base },
    credentials: { key: new Secret(LOCKSTEP_KEY.key), secret: new Secret(LOCKSTEP_KEY.secret) },
    ...time,
    queue: createCallQueue(time),
    random: createRandom(1),
    // The server uses transport time itself, so one measurement stays right.
    serverClock: { samples: 1, refreshMs: Number.POSITIVE_INFINITY },
    onTraffic: transport.onTraffic,
    ...(dispatcher && { dispatcher }),
  });
}
