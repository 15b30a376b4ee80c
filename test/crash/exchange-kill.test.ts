import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/index.js';
import { createHmacSigner, Secret } from '../../src/client/index.js';
import { encodeRequest, ENDPOINTS, type EndpointId } from '../../src/venue/wire/index.js';
import {
  isRunning,
  killExchanges,
  startExchangeProcess,
  type ExchangeProcess,
} from '../support/local-exchange/exchange-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KILLS = process.env['EVENKEEL_LONG'] === '1' ? 50 : 5;

afterEach(killExchanges);

function start(state: string, args: readonly string[]): Promise<ExchangeProcess> {
  return startExchangeProcess(['--state', state, ...args], path.dirname(state));
}

/** Calls an endpoint. Undefined if no answer came. */
async function call(
  { url, key, secret }: ExchangeProcess,
  id: Extract<EndpointId, `spot.${string}`>,
  request: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { method, path: bare, query, body } = encodeRequest(ENDPOINTS[id], request as never);
  const target = query === '' ? bare : `${bare}?${query}`;
  const signer = createHmacSigner({ key: new Secret(key), secret: new Secret(secret) });
  const headers = signer.sign({ timestamp: Date.now(), method, path: target, body });
  try {
    const answer = await fetch(url + target, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body } : {}),
    });
    return await answer.text();
  } catch {
    return undefined;
  }
}

async function advance({ url, controlToken }: ExchangeProcess, byMs: number): Promise<void> {
  const answer = await fetch(`${url}/control/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}` },
    body: JSON.stringify({ byMs }),
  });
  expect(answer.status).toBe(200);
}

/** The answers of an exchange about the market and the account. */
async function view(exchange: ExchangeProcess): Promise<readonly (string | undefined)[]> {
  const pair = { symbol: 'BTCUSDT' };
  return [
    await call(exchange, 'spot.time', {}),
    await call(exchange, 'spot.ticker', pair),
    await call(exchange, 'spot.klines', { ...pair, interval: '60min', limit: 300 }),
    await call(exchange, 'spot.account', {}),
    await call(exchange, 'spot.openOrders', { ...pair, limit: 100 }),
    await call(exchange, 'spot.myTrades', { ...pair, fromId: '0', limit: 100 }),
  ];
}

function idsOf(text: string | undefined): readonly string[] {
  return [...(text ?? '').matchAll(/"orderId":(\d+)/g)].map(([, id]) => id ?? '');
}

describe('an exchange with a state file', () => {
  it('keeps every acknowledged order after each of many kill -9', async () => {
    const folder = await temporaryFolder();
    const state = path.join(folder, 'exchange.sqlite');
    const working = new Set<string>();
    const unsure = new Set<string>();

    for (let kill = 0; kill < KILLS; kill += 1) {
      const exchange = await start(state, ['--clock', 'lockstep']);
      const listed = idsOf(
        await call(exchange, 'spot.openOrders', { symbol: 'BTCUSDT', limit: 1_000 }),
      );
      for (const id of working) expect(listed).toContain(id);
      // An order that was on its way at the death of the exchange may exist or not. A canceled order is gone.
      const externalOrders = listed.filter((id) => !working.has(id) && !unsure.has(id));
      expect(externalOrders.length).toBeLessThanOrEqual(4 * kill);
      for (const id of externalOrders) working.add(id);
      unsure.clear();
      await loadUntilKilled(exchange, { working, unsure, after: 10 + ((kill * 7) % 20) });
    }

    const last = await start(state, ['--clock', 'lockstep']);
    const listed = idsOf(await call(last, 'spot.openOrders', { symbol: 'BTCUSDT', limit: 1_000 }));
    expect(working.size).toBeGreaterThan(5 * KILLS);
    for (const id of working) expect(listed).toContain(id);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('resumes on synthetic candles, and refuses a state file of another seed', async () => {
    const state = path.join(await temporaryFolder(), 'exchange.sqlite');
    const made = ['--clock', 'lockstep', '--synthetic'];
    const first = await start(state, [...made, '5']);
    const order = { symbol: 'BTCUSDT', volume: '500', side: 'BUY', type: 'MARKET' };
    const [bought] = idsOf(await call(first, 'spot.order', order));
    await advance(first, 3 * DAY_MS + 12_345);
    const resting = { ...order, volume: '0.001', type: 'LIMIT', price: '10000' };
    const [waiting] = idsOf(await call(first, 'spot.order', resting));
    await advance(first, DAY_MS);
    const before = await view(first);
    first.child.kill('SIGKILL');
    await new Promise((resolve) => first.child.once('exit', resolve));

    await expect(start(state, [...made, '6'])).rejects.toThrow('E_EXCHANGE_STATE');
    await expect(start(state, ['--clock', 'lockstep'])).rejects.toThrow('E_EXCHANGE_STATE');
    const second = await start(state, [...made, '5']);

    expect(bought).toBeDefined();
    expect(waiting).toBeDefined();
    expect(before.join()).toContain(waiting);
    expect(await view(second)).toEqual(before);
  });

  it('refuses to start with another clock, or while the state file is in use', async () => {
    const folder = await temporaryFolder();
    const state = path.join(folder, 'exchange.sqlite');
    const first = await start(state, ['--clock', 'lockstep']);

    await expect(start(state, ['--clock', 'lockstep'])).rejects.toThrow('E_EXCHANGE_STATE');
    first.child.kill('SIGINT');
    const status = await new Promise((resolve) => first.child.once('exit', resolve));
    await expect(start(state, ['--clock', 'accelerated'])).rejects.toThrow(
      'exchange.sqlite: the state file belongs to an exchange with other candles, rules, terms or clock',
    );
    expect(status).toBe(130);
  });
});

/** Four parallel senders order and cancel. After `after` acknowledged orders the exchange is killed. */
async function loadUntilKilled(
  exchange: ExchangeProcess,
  { working, unsure, after }: { working: Set<string>; unsure: Set<string>; after: number },
): Promise<void> {
  let acknowledged = 0;
  const sender = async (number: number): Promise<void> => {
    for (let turn = 0; isRunning(exchange); turn += 1) {
      const price = String(30_000 + number * 10 + (turn % 10));
      const order = { symbol: 'BTCUSDT', volume: '0.0005', side: 'BUY', type: 'LIMIT', price };
      const [id] = idsOf(await call(exchange, 'spot.order', order));
      if (id === undefined) return;
      working.add(id);
      acknowledged += 1;
      if (acknowledged === after) exchange.child.kill('SIGKILL');
      if (turn % 4 !== 3) continue;
      working.delete(id);
      const canceled = await call(exchange, 'spot.cancel', { symbol: 'BTCUSDT', orderId: id });
      if (canceled?.includes('CANCELED') !== true) unsure.add(id);
    }
  };
  await Promise.all([0, 1, 2, 3].map(sender));
  if (exchange.child.signalCode === null) exchange.child.kill('SIGKILL');
}
