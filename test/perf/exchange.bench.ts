/**
 * Requests per second of the local exchange on loopback, and the time of one request (median and 99th percentile). The reference is a bare node:http
 * server that returns the same bytes, in the same run and the same other process. Also the time to start an exchange of 1,000 instruments. Limits are off.
 */
import { fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

import { synthesizeCandles } from '../../src/archive/index.js';
import { CandleRows, createInstrumentId, DAY_MS, parseFixed } from '../../src/domain/index.js';
import { buildExchange, completeAccount } from '../../src/local-exchange/index.js';
import { createFixedSlippage } from '../../src/simulator/index.js';
import { measure, milliseconds, type Case } from './measure.js';

const RATE = { unit: 'requests/s', better: 'more' } as const;
const LATENCY = { unit: 'ms', better: 'less' } as const;

/** One kind of request. Each call makes a new request, because signatures and ids differ. */
interface Work {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: string;
  readonly body: (count: number) => string;
  readonly isSigned: boolean;
}

const works: Readonly<Record<string, Work>> = {
  ticker: {
    method: 'GET',
    path: '/sapi/v1/ticker',
    query: '?symbol=BTCUSDT',
    body: () => '',
    isSigned: false,
  },
  'klines 300': {
    method: 'GET',
    path: '/sapi/v1/klines',
    query: '?symbol=BTCUSDT&interval=1min&limit=300',
    body: () => '',
    isSigned: false,
  },
  'open orders, signed': {
    method: 'GET',
    path: '/sapi/v1/openOrders',
    query: '?symbol=BTCUSDT&limit=100',
    body: () => '',
    isSigned: true,
  },
  'an order, signed': {
    method: 'POST',
    path: '/sapi/v1/order',
    query: '',
    body: (count) =>
      `{"symbol":"BTCUSDT","volume":0.001,"side":"BUY","type":"MARKET","newClientOrderId":"b${String(count)}"}`.replace(
        '0.001',
        '10',
      ),
    isSigned: true,
  },
};

let sent = 0;

/** Calls once and returns the answer. Calls to the bare server are signed too: both sides bear the client's cost of signing. */
async function call(pool: Pool, { method, path, query, body, isSigned }: Work): Promise<string> {
  sent += 1;
  const text = body(sent);
  const timestamp = String(Date.now());
  const signed = isSigned
    ? {
        'x-ch-apikey': 'bench-key',
        'x-ch-ts': timestamp,
        'x-ch-sign': createHmac('sha256', 'bench-secret')
          .update(timestamp + method + path + query + text)
          .digest('hex'),
      }
    : {};
  const answer = await pool.request({
    method,
    path: path + query,
    body: method === 'POST' ? text : null,
    headers: { 'content-type': 'application/json', ...signed },
  });
  const received = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path}: ${received}`);
  return received;
}

interface Load {
  readonly connections: number;
  readonly calls: number;
}

/** Requests per second over some connections, and the time of each request. */
class Station {
  readonly #pool: Pool;
  readonly #work: Work;
  readonly #load: Load;
  /** Milliseconds of each request of the last round, in rising order. */
  #taken = new Float64Array(0);

  constructor(pool: Pool, work: Work, load: Load) {
    this.#pool = pool;
    this.#work = work;
    this.#load = load;
  }

  async requestsPerSecond(): Promise<number> {
    const { connections, calls } = this.#load;
    const taken = new Float64Array(calls);
    let left = calls;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const place = left;
        taken[place] = await milliseconds(() => call(this.#pool, this.#work));
      }
    };
    const workers = Array.from({ length: connections }, worker);
    const whole = await milliseconds(() => Promise.all(workers));
    this.#taken = taken.toSorted();
    return (calls * 1_000) / whole;
  }

  percentile(share: number): number {
    return this.#taken[Math.ceil(this.#taken.length * share) - 1] ?? Number.NaN;
  }

  /** Cases for the rate and for the percentiles of the same round. */
  cases(name: string, reference?: string): readonly Case[] {
    const beside = (suffix: string): string | undefined =>
      reference === undefined ? undefined : `${reference}${suffix}`;
    return [
      { ...RATE, name, reference: beside(''), run: () => this.requestsPerSecond() },
      ...Object.entries({ p50: 0.5, p99: 0.99 }).map(([suffix, share]) => ({
        ...LATENCY,
        name: `${name}, ${suffix}`,
        reference: beside(`, ${suffix}`),
        run: () => this.percentile(share),
      })),
    ];
  }
}

const server = fork(fileURLToPath(new URL('exchange-server.ts', import.meta.url)), {
  execArgv: process.execArgv,
});
const [ports] = (await once(server, 'message')) as [
  { readonly exchange: number; readonly bare: number },
];

for (const connections of [1, 50]) {
  const own = new Pool(`http://127.0.0.1:${String(ports.exchange)}`, {
    connections,
    pipelining: 1,
  });
  const bare = new Pool(`http://127.0.0.1:${String(ports.bare)}`, { connections, pipelining: 1 });
  const load = { connections, calls: connections === 1 ? 400 : 2_000 };
  for (const [name, work] of Object.entries(works)) {
    server.send({ path: work.path, answer: await call(own, work) });
    const what = `${name}, ${String(connections)} connection${connections === 1 ? '' : 's'}`;
    const reference = `bare ${what}`;
    await measure(
      [
        ...new Station(bare, work, load).cases(reference),
        ...new Station(own, work, load).cases(what, reference),
      ],
      { warmups: 2 },
    );
  }
  await own.close();
  await bare.close();
}
server.disconnect();

const INSTRUMENTS = 1_000;
const from = Date.UTC(2025, 0, 6);
const [series] = synthesizeCandles({
  seed: 1,
  interval: '1min',
  from,
  to: from + 7 * DAY_MS,
  correlation: 0,
  instruments: [
    {
      instrumentId: createInstrumentId('spot', 'BTCUSDT'),
      startPrice: 60_000,
      volatility: 0.5,
      dailyVolume: 20_000,
      pricePrecision: 2,
      quantityPrecision: 5,
    },
  ],
});
if (series === undefined) throw new Error('expected candles');
const { columns } = series;
function startExchange(): void {
  const big = buildExchange({
    instruments: Array.from({ length: INSTRUMENTS }, (_, index) => {
      const base = `C${String(index)}`;
      const symbol = `${base}USDT`;
      const id = createInstrumentId('spot', symbol);
      return {
        instrument: { kind: 'spot', id, symbol, base, quote: 'USDT' },
        rules: [{ from: 0, rules: { tradable: true, pricePrecision: 2, quantityPrecision: 5 } }],
        tiers: [],
        interval: '1min',
        rows: CandleRows.of(columns),
        volumeUnit: 'base',
        pricePrecision: 2,
      };
    }),
    terms: {
      slippage: createFixedSlippage(0n),
      halfSpread: 0n,
      participation: 'off',
      fillOnTouch: false,
      hourlyRate: parseFixed('0'),
      maxFeeRate: parseFixed('0'),
    },
    profile: 'interface',
    clock: { mode: 'lockstep', start: from + 3 * DAY_MS },
    accounts: [completeAccount({ name: 'bench' }, { randomText: () => 'bench', taken: [] })],
    faults: { seed: 1, rules: [] },
    limits: undefined,
    transport: { now: () => Date.now() },
  });
  const listed = big.parts.market.spotListings(from + 3 * DAY_MS).length;
  if (listed !== INSTRUMENTS)
    throw new Error(`expected all instruments, received ${String(listed)}`);
}

await measure([
  {
    name: `start with ${String(INSTRUMENTS)} instruments`,
    unit: 'ms',
    better: 'less',
    run: () => milliseconds(startExchange),
  },
]);
