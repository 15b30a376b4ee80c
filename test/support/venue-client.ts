import { CallQueue } from '../../src/client/calls/call-queue.js';
import {
  createCallQueue,
  parseBaseUrl,
  Secret,
  VenueClient,
  type BaseUrl,
  type VenueClientOptions,
} from '../../src/client/index.js';
import { limitRulesOf, RateLimitPolicy } from '../../src/venue/index.js';
import { ENDPOINT_LIST } from '../../src/venue/wire/index.js';
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

/** Limits with windows of 1 ms: two calls per second would take long. Other tests cover the limits. */
export function quickQueue(): CallQueue {
  const rules = limitRulesOf(ENDPOINT_LIST).map((rule) => ({ ...rule, windowMs: 1 }));
  const policy = new RateLimitPolicy({ rules });
  return new CallQueue({ policy, clock: REAL_TIME, timers: REAL_TIME });
}
