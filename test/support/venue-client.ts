import {
  createCallQueue,
  parseBaseUrl,
  Secret,
  VenueClient,
  type BaseUrl,
  type VenueClientOptions,
} from '../../src/client/index.js';
import type { FaultServer } from './fault-server.js';
import { REAL_TIME } from './real-time.js';

export const TEST_CREDENTIALS = {
  key: new Secret('k3y-of-the-tests'),
  secret: new Secret('s3cr3t-of-the-tests'),
} as const;

export function aBaseUrl(url: string): BaseUrl {
  return parseBaseUrl(url, { file: 'test' });
}

/** A client of a server on loopback, with real time, short pauses and a tolerant breaker. */
export function aVenueClient(
  server: Pick<FaultServer, 'url'>,
  overrides: Partial<VenueClientOptions> = {},
): VenueClient {
  const time = { clock: overrides.clock ?? REAL_TIME, timers: overrides.timers ?? REAL_TIME };
  const base = aBaseUrl(server.url);
  return new VenueClient({
    hosts: { spot: base, futures: base },
    credentials: TEST_CREDENTIALS,
    queue: createCallQueue(time),
    ...time,
    random: () => 0.5,
    retry: { retries: 2, firstDelayMs: 2, maxDelayMs: 50 },
    breaker: { failures: 100 },
    serverClock: { samples: 1 },
    ...overrides,
  });
}
