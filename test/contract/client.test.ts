import { CallQueue } from '../../src/client/calls/call-queue.js';
import { RestAccount, RestExecution, RestMarketData } from '../../src/client/index.js';
import { createInstrumentId, parseFixed } from '../../src/domain/index.js';
import { limitRulesOf, RateLimitPolicy } from '../../src/venue/index.js';
import { ANSWER_PROFILES, ENDPOINT_LIST, type AnswerProfile } from '../../src/venue/wire/index.js';
import { REAL_TIME } from '../support/real-time.js';
import { startScriptedVenue } from '../support/scripted-venue/scripted-venue.js';
import { FUTURES, MARGIN, SPOT } from '../support/scripted-venue/venue-answers.js';
import { aVenueClient, TEST_CREDENTIALS } from '../support/venue-client.js';
import { describeAccountSource } from './account-contract.js';
import { describeExecutionAdapter } from './execution-contract.js';
import { describeMarketDataSource } from './market-data-contract.js';
import type { VenueHarness } from './venue-harness.js';

const PRICES = {
  restingBid: parseFixed('60000'),
  restingAsk: parseFixed('70000'),
  fillingBid: parseFixed('65010'),
  fillingAsk: parseFixed('64990'),
} as const;

/** Limits with windows of 1 ms. Other tests cover the limits, and two calls per second would take long. */
function quickQueue(): CallQueue {
  const rules = limitRulesOf(ENDPOINT_LIST).map((rule) => ({ ...rule, windowMs: 1 }));
  return new CallQueue({
    policy: new RateLimitPolicy({ rules }),
    clock: REAL_TIME,
    timers: REAL_TIME,
  });
}

async function createHarness(profile: AnswerProfile): Promise<VenueHarness> {
  const server = await startScriptedVenue(TEST_CREDENTIALS, profile);
  const client = aVenueClient(server, { queue: quickQueue() });
  return {
    marketData: new RestMarketData(client),
    account: new RestAccount(client),
    execution: new RestExecution(client),
    spot: { id: SPOT, ...PRICES, quantity: parseFixed('0.01') },
    margin: { id: MARGIN, ...PRICES, quantity: parseFixed('0.01') },
    futures: { id: FUTURES, ...PRICES, quantity: parseFixed('10') },
    unlistedSpot: createInstrumentId('spot', 'NONEUSDT'),
    now: () => Date.now(),
    settle: () => Promise.resolve(),
    async close() {
      await client.close();
      await server.stop();
    },
  };
}

for (const profile of ANSWER_PROFILES) {
  const name = `the client against a server that answers in the form "${profile}"`;
  describeMarketDataSource(name, () => createHarness(profile));
  describeAccountSource(name, () => createHarness(profile));
  describeExecutionAdapter(name, () => createHarness(profile));
}
