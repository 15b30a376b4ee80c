import fc from 'fast-check';
import { createConnection } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANSWER_PROFILES, ENDPOINT_LIST, parseJson } from '../../../src/venue/wire/index.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../../support/local-exchange/served-exchange.js';
import {
  signerOf,
  startTestExchange,
  testAccount,
} from '../../support/local-exchange/test-exchange.js';

const REQUESTS = process.env['EVENKEEL_LONG'] === '1' ? 50_000 : 5_000;
/** Requests that one case of the property sends. */
const BATCH = 50;
/** What the requests may leave behind, however many there were: compiled code and buffers, not what they sent. */
const MEMORY_BYTES = 128 * 1_024 * 1_024;

const paths = [
  ...new Set(ENDPOINT_LIST.map(({ path }) => path)),
  '/',
  '/control/state',
  '/%',
  '/a/../b',
];
const keys = fc.constantFrom(
  ...new Set(ENDPOINT_LIST.flatMap(({ request }) => Object.keys(request.shape))),
  '__proto__',
  'constructor',
  'toString',
  'recvWindow',
);
const scalars = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'BTCUSDT',
    'E-BTC-USDT',
    'BUY',
    'LIMIT',
    '1',
    1,
    1e308,
    -1,
    0.1,
    '9'.repeat(400),
    null,
    true,
  ),
  fc.double(),
  fc.bigInt().map(String),
  fc.constant('\u0000\ud800'),
);
const values = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 12 }),
  fc.dictionary(keys, scalars),
);
const bodies = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(keys, values).map((fields) => JSON.stringify(fields)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '['.repeat(30_000),
      '{"a":'.repeat(9_000),
      '',
      '1e999999',
      '{"orders":[[[[]]]]}',
    ),
  },
);
const queries = fc
  .array(fc.tuple(keys, fc.string({ maxLength: 40 })), { maxLength: 6 })
  .map((pairs) => pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&'));

interface Garbage {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly isSigned: boolean;
  readonly contentType: string;
}

const garbage: fc.Arbitrary<Garbage> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
  path: fc.constantFrom(...paths),
  query: queries,
  body: bodies,
  isSigned: fc.boolean(),
  contentType: fc.constantFrom(
    'application/json',
    'text/plain',
    'application/json; charset=latin1',
  ),
});

describe.each(ANSWER_PROFILES)('garbage, profile %s', (profile) => {
  it('gets an error in the shape of the interface, never a failure, and leaves nothing behind', async () => {
    const failures: unknown[] = [];
    const test = startTestExchange({ profile });
    const { transport } = test.exchange.parts;
    const send = async ({
      method,
      path,
      query,
      body,
      isSigned,
      contentType,
    }: Garbage): Promise<void> => {
      const target = query === '' ? path : `${path}?${query}`;
      const sent = method === 'GET' ? '' : body;
      const known = method === 'GET' || method === 'POST' ? method : 'POST';
      const signature = signerOf(testAccount()).sign({
        timestamp: transport.now(),
        method: known,
        path: target,
        body: sent,
      });
      const answer = await test.request(target, {
        method,
        headers: { 'content-type': contentType, ...(isSigned ? signature : {}) },
        ...(method === 'GET' ? {} : { body: sent }),
      });
      if (answer.status >= 500 || !isWellShaped(answer.text)) failures.push([target, sent, answer]);
    };
    const before = process.memoryUsage().rss;

    await fc.assert(
      fc.asyncProperty(fc.array(garbage, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
        for (const one of batch) await send(one);
        expect(failures).toEqual([]);
      }),
      { numRuns: REQUESTS / 2 / BATCH },
    );

    const grown = process.memoryUsage().rss - before;
    console.log(
      `${String(REQUESTS / 2)} requests, resident memory ${String(before)} before, ${String(grown)} more after`,
    );
    expect(grown).toBeLessThan(MEMORY_BYTES);
  });
});

/** An answer, or an error with a code and a sentence without a stack. */
function isWellShaped(text: string): boolean {
  try {
    parseJson(text);
    return !/\bat .+:\d+:\d+/.test(text);
  } catch {
    return false;
  }
}

describe('bytes that are no requests', () => {
  let served: ServedTestExchange;

  beforeEach(async () => {
    served = await serveTestExchange();
  });

  afterEach(async () => {
    await served.close();
  });

  it('end their connection and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        await sendAndHangUp(served.port, bytes);
      }),
      { numRuns: 60 },
    );

    const answer = await fetch(`${served.url}/sapi/v1/ping`);
    expect(answer.status).toBe(200);
  });
});

function sendAndHangUp(port: number, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => {
      socket.end(bytes);
    });
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('close', () => {
      resolve();
    });
  });
}
