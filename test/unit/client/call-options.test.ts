import { MockAgent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  RestAccount,
  RestExecution,
  RestMarketData,
  type VenueClient,
} from '../../../src/client/index.js';
import {
  createInstrumentId,
  parseFixed,
  parseVenueOrderId,
  type OrderRequest,
  type RiskApproved,
} from '../../../src/domain/index.js';
import type { CallOptions } from '../../../src/venue/index.js';
import { aVenueClient } from '../../support/venue-client.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

const ORIGIN = 'http://127.0.0.1:1';
const SPOT = createInstrumentId('spot', 'BTCUSDT');
const FUTURES = createInstrumentId('futures', 'E-BTC-USDT');
const ORDER = {
  type: 'market',
  clientOrderId: 'ek-1',
  intentId: 1,
  instrumentId: SPOT,
  side: 'sell',
  action: 'close',
  quantity: parseFixed('1'),
  unit: 'base',
} as unknown as RiskApproved<OrderRequest>;
const CLOSE = { ...ORDER, instrumentId: FUTURES, unit: 'contracts', marginMode: 'cross' } as const;
const TARGET = { instrumentId: SPOT, venueOrderId: parseVenueOrderId('1') } as const;

let agent: MockAgent;
let client: VenueClient;

beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
  const time = new VirtualTime();
  const data = `{"timezone":"UTC","serverTime":${String(time.now())}}`;
  agent
    .get(ORIGIN)
    .intercept({ path: (path) => path.endsWith('/time') })
    .reply(200, data)
    .persist();
  client = aVenueClient({ url: ORIGIN }, { clock: time, timers: time, dispatcher: agent });
});

afterEach(async () => {
  await client.close();
});

function first(rows: AsyncIterable<unknown>): Promise<unknown> {
  return rows[Symbol.asyncIterator]().next();
}

type Ports = Readonly<{ data: RestMarketData; account: RestAccount; execution: RestExecution }>;
const CALLS: Readonly<Record<string, (ports: Ports, options: CallOptions) => Promise<unknown>>> = {
  ping: ({ data }, options) => data.ping('spot', options),
  serverTime: ({ data }, options) => data.serverTime('spot', options),
  listings: ({ data }, options) => data.listings('spot', options),
  candles: ({ data }, options) => data.candles(SPOT, '1min', options),
  ticker: ({ data }, options) => data.ticker(SPOT, options),
  depth: ({ data }, options) => data.depth(FUTURES, options),
  'trades of others': ({ data }, options) => data.trades(SPOT, options),
  markPrice: ({ data }, options) => data.markPrice(FUTURES, options),
  account: ({ account }, options) => account.account('spot', options),
  order: ({ account }, options) => account.order(TARGET, options),
  openOrders: ({ account }, options) => account.openOrders(SPOT, options),
  'own trades': ({ account }, options) => first(account.trades(SPOT, options)),
  'own trades of contracts': ({ account }, options) => first(account.trades(FUTURES, options)),
  orderHistory: ({ account }, options) => first(account.orderHistory(FUTURES, options)),
  triggers: ({ account }, options) => account.triggers(FUTURES, options),
  profits: ({ account }, options) => first(account.profits(FUTURES, options)),
  submit: ({ execution }, options) => execution.submit(ORDER, options),
  submitBatch: ({ execution }, options) => execution.submitBatch([ORDER], options),
  submitConditional: ({ execution }, options) =>
    execution.submitConditional(
      { order: CLOSE, trigger: 'stop-loss', triggerPrice: parseFixed('1') },
      options,
    ),
  test: ({ execution }, options) => execution.test(ORDER, options),
  cancel: ({ execution }, options) => execution.cancel(TARGET, options),
  cancelBatch: ({ execution }, options) =>
    execution.cancelBatch(SPOT, [TARGET.venueOrderId], options),
  cancelConditional: ({ execution }, options) =>
    execution.cancelConditional({ instrumentId: FUTURES, triggerId: '1' }, options),
};

describe('a call of a port', () => {
  it.each(Object.entries(CALLS))('%s sends nothing once its wait is ended', async (_, call) => {
    const ended = AbortSignal.abort(new Error('the bot stops'));
    const ports = {
      data: new RestMarketData(client),
      account: new RestAccount(client),
      execution: new RestExecution(client),
    };
    const options = { signal: new AbortController().signal, waitSignals: [ended] };

    const ending = call(ports, options).catch((error: unknown) => String(error));

    // Without the signal, the call would be sent and fail otherwise.
    expect(await Promise.race([ending, settle().then(() => 'it waits')])).toBe(
      'Error: the bot stops',
    );
  });
});
