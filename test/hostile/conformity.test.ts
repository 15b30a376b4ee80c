import { afterEach, describe, expect, it } from 'vitest';
import { parseFixed } from '../../src/domain/index.js';
import { ANSWER_PROFILES, ENDPOINT_LIST, type AnswerProfile } from '../../src/venue/wire/index.js';
import { PlainClient } from '../support/local-exchange/plain-client.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../support/local-exchange/served-exchange.js';
import {
  instrumentsAround,
  TEST_TERMS,
  testAccount,
} from '../support/local-exchange/test-exchange.js';
import { REAL_TIME } from '../support/real-time.js';
import { differencesOf } from '../support/venue/differences.js';

const PAIR = 'symbol=BTCUSDT';
const CONTRACT = 'contractName=E-BTC-USDT';
const ORDER = { symbol: 'BTCUSDT', volume: '0.01', side: 'BUY', type: 'LIMIT', price: '30000' };
const ENTRY = { volume: '0.01', side: 'BUY', batchType: 'LIMIT', price: '30000' };
const OPEN = {
  contractName: 'E-BTC-USDT',
  volume: 10,
  price: 30_000,
  type: 'LIMIT',
  side: 'BUY',
  open: 'OPEN',
  positionType: 1,
};

let served: ServedTestExchange;
afterEach(async () => {
  await served.close();
});

async function serve(profile: AnswerProfile): Promise<void> {
  const now = REAL_TIME.now();
  const most = {
    minOrderMoney: parseFixed('1'),
    maxMarketQuantity: parseFixed('20000'),
    maxLimitQuantity: parseFixed('50000'),
  };
  served = await serveTestExchange({
    profile,
    clock: { mode: 'realtime', start: now },
    // A spread, so that the book has two sides.
    terms: { ...TEST_TERMS, halfSpread: parseFixed('0.0001'), participation: parseFixed('0.5') },
    instruments: instrumentsAround(now).map((source) => ({
      ...source,
      rules: source.rules.map((dated) => ({ ...dated, rules: { ...dated.rules, ...most } })),
    })),
  });
}

/** Calls every endpoint with another client, and collects the answers. */
async function walk(client: PlainClient): Promise<ReadonlyMap<string, unknown>> {
  const answers = new Map<string, unknown>();
  const call = async (id: string, query: string | object = ''): Promise<string> => {
    const endpoint = ENDPOINT_LIST.find((one) => one.id === id);
    if (endpoint === undefined) throw new Error(`${id} is no endpoint`);
    const { method, path } = endpoint;
    const answer =
      typeof query === 'string'
        ? await client.send(method, query === '' ? path : `${path}?${query}`)
        : await client.send(method, path, query);
    expect(answer.status, `${id}: ${answer.text}`).toBe(200);
    answers.set(id, answer.json);
    // Ids are longer than JSON numbers can hold.
    return /"orderId":\[?"?(\d+)/.exec(answer.text)?.[1] ?? '';
  };
  for (const area of ['spot', 'futures']) {
    for (const name of ['ping', 'time']) await call(`${area}.${name}`);
  }
  await call('spot.symbols');
  await call('futures.contracts');
  for (const name of ['depth', 'ticker', 'trades', 'klines']) {
    const interval = name === 'klines' ? '&interval=1min' : '';
    await call(`spot.${name}`, `${PAIR}${interval}${name === 'ticker' ? '' : '&limit=5'}`);
    if (name !== 'trades') await call(`futures.${name}`, `${CONTRACT}${interval}`);
  }
  await call('futures.index', CONTRACT);
  for (const kind of ['spot', 'margin']) {
    await call(`${kind}.order`, { ...ORDER, volume: '0.02', price: '90000' });
    const orderId = await call(`${kind}.order`, ORDER);
    await call(`${kind}.queryOrder`, `${PAIR}&orderId=${orderId}`);
    await call(`${kind}.openOrders`, `${PAIR}&limit=100`);
    await call(`${kind}.myTrades`, `${PAIR}&limit=100&fromId=0`);
    await call(`${kind}.cancel`, { symbol: 'BTCUSDT', orderId });
  }
  await call('spot.orderTest', ORDER);
  await call('spot.batchOrders', { symbol: 'BTCUSDT', orders: [ENTRY, ENTRY] });
  await call('spot.batchCancel', { symbol: 'BTCUSDT', orderIds: [1] });
  await call('spot.account');
  await call('futures.order', { ...OPEN, price: 90_000 });
  await call('futures.order', { ...OPEN, side: 'SELL', open: 'CLOSE', price: 10_000 });
  await call('futures.order', { ...OPEN, price: 90_000 });
  const orderId = await call('futures.order', OPEN);
  await call('futures.conditionOrder', {
    ...OPEN,
    side: 'SELL',
    open: 'CLOSE',
    triggerType: '1',
    triggerPrice: '20000',
  });
  await call('futures.queryOrder', `${CONTRACT}&orderId=${orderId}`);
  await call('futures.openOrders', CONTRACT);
  await call('futures.account');
  await call('futures.cancel', { contractName: 'E-BTC-USDT', orderId });
  for (const name of ['orderHistorical', 'profitHistorical'])
    await call(`futures.${name}`, { contractName: 'E-BTC-USDT' });
  await call('futures.myTrades', CONTRACT);
  return answers;
}

describe.each(ANSWER_PROFILES)('profile %s', (profile) => {
  it('answers a client that knows only the written interface, at every endpoint', async () => {
    await serve(profile);

    const answers = await walk(new PlainClient(served.url, testAccount()));
    const differences = [...answers].flatMap(([id, answer]) => differencesOf(id, answer, profile));

    expect(answers.size).toBe(37);
    expect(differences).toEqual([]);
  });
});
