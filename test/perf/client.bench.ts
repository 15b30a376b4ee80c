/**
 * The time that the client adds to a request: signing, the limiter, and the whole request against bare undici.request to a server in
 * another process on loopback, measured in turn.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

import { createHmacSigner, parseBaseUrl, Secret, VenueClient } from '../../src/client/index.js';
import { CallQueue } from '../../src/client/calls/call-queue.js';
import { limitRulesOf, RateLimitPolicy, type LimitedCall } from '../../src/venue/index.js';
import { ENDPOINT_LIST, ENDPOINTS } from '../../src/venue/wire/index.js';
import { measure, nanosecondsEach, type Case } from './measure.js';

const TIME = { unit: 'µs', better: 'less' } as const;
const SIGNAL = new AbortController().signal;
const credentials = { key: new Secret('k'.repeat(32)), secret: new Secret('s'.repeat(32)) };
const time = {
  now: () => Date.now(),
  after: (delayMs: number, action: () => void) => {
    const timer = setTimeout(action, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};

const signer = createHmacSigner(credentials);
const order =
  '{"symbol":"BTCUSDT","volume":0.01,"side":"BUY","type":"LIMIT","price":65000.1,"newClientOrderId":"ek-1"}';
const signing = {
  timestamp: 1_760_000_000_000,
  method: 'POST',
  path: '/sapi/v1/order',
  body: order,
} as const;

/** Limits that no case reaches: the benchmark measures the check of the limits and no waiting. */
const rules = limitRulesOf(ENDPOINT_LIST).map((rule) => ({ ...rule, limit: 1_000, windowMs: 1 }));
const limited: LimitedCall = { ruleId: 'spot.order', principal: 'client', priority: 'entry' };

/** One call through a window of a second that held `held` calls. */
function aWindow(held: number): Case {
  const policy = new RateLimitPolicy({
    rules: [{ id: 'spot.order', limit: held + 1, windowMs: 1_000 }],
  });
  for (let call = 0; call < held; call += 1) policy.admit(999.5, limited);
  let now = 0;
  const admit = (): void => {
    now += 1_000;
    if (policy.admit(now, limited).kind !== 'admitted') throw new Error('expected admission');
  };
  const name = `limiter, a window that held ${String(held)} calls`;
  return { name, unit: 'ns', better: 'less', run: () => nanosecondsEach(50_000, admit) };
}

await measure(
  [
    {
      name: 'sign an order',
      unit: 'ns',
      better: 'less',
      run: () => nanosecondsEach(20_000, () => void signer.sign(signing)),
    },
    ...[0, 20, 99].map(aWindow),
  ],
  { rounds: 15 },
);

const server = fork(fileURLToPath(new URL('client-server.ts', import.meta.url)), {
  execArgv: process.execArgv,
});
const [port]: readonly unknown[] = await once(server, 'message');
const origin = `http://127.0.0.1:${String(port)}`;

const pool = new Pool(origin, { connections: 50, pipelining: 1 });
const queue = new CallQueue({ policy: new RateLimitPolicy({ rules }), clock: time, timers: time });
const client = new VenueClient({
  hosts: { spot: parseBaseUrl(origin, { file: 'bench' }) },
  credentials,
  queue,
  clock: time,
  timers: time,
  random: Math.random,
});

/** A request, sent bare and with the client. */
interface Work {
  readonly bare: () => Promise<void>;
  readonly client: () => Promise<void>;
}

async function bareCall(
  method: 'GET' | 'POST',
  path: string,
  body: string | null = null,
): Promise<void> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const answer = await pool.request({ method, path, body, headers });
  JSON.parse(await answer.body.text());
}

const orderRequest = ENDPOINTS['spot.order'].examples.request;
const works: Readonly<Record<string, Work>> = {
  'a ticker': {
    bare: () => bareCall('GET', '/sapi/v1/ticker?symbol=BTCUSDT'),
    client: async () => {
      await client.call(ENDPOINTS['spot.ticker'], { symbol: 'BTCUSDT' }, { signal: SIGNAL });
    },
  },
  'open orders, signed': {
    bare: () => bareCall('GET', '/sapi/v1/openOrders?symbol=BTCUSDT&limit=100'),
    client: async () => {
      await client.call(ENDPOINTS['spot.openOrders'], { symbol: 'BTCUSDT' }, { signal: SIGNAL });
    },
  },
  'an order, signed': {
    bare: () => bareCall('POST', '/sapi/v1/order', order),
    client: async () => {
      await client.ask(ENDPOINTS['spot.order'], orderRequest, { signal: SIGNAL });
    },
  },
};

/** Microseconds per call at a concurrency. */
async function microseconds(
  concurrency: number,
  calls: number,
  work: () => Promise<void>,
): Promise<number> {
  let left = calls;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  return ((performance.now() - start) * 1e3) / calls;
}

await measure(
  [1, 50].flatMap((concurrency) =>
    Object.entries(works).flatMap(([name, work]): Case[] => {
      const calls = concurrency === 1 ? 300 : 1_500;
      const what = `${name}, ${String(concurrency)} at once`;
      const bare = `bare ${what}`;
      return [
        { ...TIME, name: bare, run: () => microseconds(concurrency, calls, work.bare) },
        {
          ...TIME,
          name: what,
          reference: bare,
          run: () => microseconds(concurrency, calls, work.client),
        },
      ];
    }),
  ),
  { rounds: 7, warmups: 2 },
);

await pool.close();
await client.close();
server.disconnect();
