import { RestAccount, RestExecution, RestMarketData, Secret } from '../../src/client/index.js';
import { createInstrumentId, floorToStep, parseFixed, type Fixed } from '../../src/domain/index.js';
import { venueContract, type VenueInstrument } from '../../src/testing/index.js';
import { ANSWER_PROFILES, type AnswerProfile } from '../../src/venue/wire/index.js';
import { createDirectVenue } from '../support/local-exchange/direct-venue.js';
import { serveTestExchange } from '../support/local-exchange/served-exchange.js';
import {
  buildTestExchange,
  FUTURES_ID,
  MARGIN_ID,
  MARKET_START,
  SPOT_ID,
  TEST_TERMS,
  testAccount,
} from '../support/local-exchange/test-exchange.js';
import { passes } from '../unit/testing/contracts/broken-of.js';
import { REAL_TIME } from '../support/real-time.js';
import { aVenueClient, quickQueue } from '../support/venue-client.js';
import { describeAccountSource } from './account-contract.js';
import { describeExecutionAdapter } from './execution-contract.js';
import { describeMarketDataSource } from './market-data-contract.js';
import { NEVER, type VenueHarness } from './venue-harness.js';

/** With a spread, as every market has one. */
const terms = { ...TEST_TERMS, halfSpread: parseFixed('0.00005') };

/** Prices around the last one, on the tick. */
function pricesAround(last: Fixed): Omit<VenueInstrument, 'id' | 'quantity'> {
  const tick = parseFixed('0.01');
  const at = (percent: bigint): Fixed => floorToStep((last * percent) / 100n, tick);
  return { restingBid: at(95n), restingAsk: at(105n), fillingBid: at(101n), fillingAsk: at(99n) };
}

async function createHarness(profile: AnswerProfile): Promise<VenueHarness> {
  const served = await serveTestExchange({ profile, terms });
  const { market, marketTime } = served.exchange.parts;
  // The candle of this instant is open. Before it opens, nothing fills and the book is empty.
  served.exchange.advanceTo(MARKET_START);
  const prices = pricesAround(market.ticker(SPOT_ID, MARKET_START)?.last ?? 0n);
  const { key, secret } = testAccount();
  const client = aVenueClient(served, {
    queue: quickQueue(),
    // In lockstep the client goes by the exchange's time, as in parity.
    clock: { now: () => marketTime.now() },
    timers: REAL_TIME,
    credentials: { key: new Secret(key), secret: new Secret(secret) },
  });
  return {
    marketData: new RestMarketData(client),
    account: new RestAccount(client),
    execution: new RestExecution(client),
    spot: { id: SPOT_ID, ...prices, quantity: parseFixed('0.01') },
    margin: { id: MARGIN_ID, ...prices, quantity: parseFixed('0.01') },
    futures: { id: FUTURES_ID, ...prices, quantity: parseFixed('10') },
    unlistedSpot: createInstrumentId('spot', 'NONEUSDT'),
    now: () => marketTime.now(),
    settle: () => Promise.resolve(),
    async close() {
      await client.close();
      await served.close();
    },
  };
}

/** The same accounts and market without HTTP. HTTP must not change a result. */
async function createDirectHarness(): Promise<VenueHarness> {
  const exchange = buildTestExchange({ terms });
  exchange.advanceTo(MARKET_START);
  const { marketData, account, execution, now } = createDirectVenue(exchange);
  const { last } = await marketData.ticker(SPOT_ID, { signal: NEVER });
  const prices = pricesAround(last);
  return {
    marketData,
    account,
    execution,
    spot: { id: SPOT_ID, ...prices, quantity: parseFixed('0.01') },
    margin: { id: MARGIN_ID, ...prices, quantity: parseFixed('0.01') },
    futures: { id: FUTURES_ID, ...prices, quantity: parseFixed('10') },
    unlistedSpot: createInstrumentId('spot', 'NONEUSDT'),
    now,
    settle: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

describeMarketDataSource('the simulated market, asked directly', createDirectHarness);
describeAccountSource('the simulated account, asked directly', createDirectHarness);
describeExecutionAdapter('the simulated account, asked directly', createDirectHarness);
passes('the simulated account, asked directly', venueContract(createDirectHarness));

for (const profile of ANSWER_PROFILES) {
  const name = `the client against the local exchange, profile "${profile}"`;
  describeMarketDataSource(name, () => createHarness(profile));
  describeAccountSource(name, () => createHarness(profile));
  describeExecutionAdapter(name, () => createHarness(profile));
  passes(
    name,
    venueContract(() => createHarness(profile)),
  );
}
