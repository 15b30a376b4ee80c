import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { ENDPOINT_LIST } from '../../../src/venue/wire/index.js';

/** A request before its encoding to bytes. */
export interface Malformed {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Undefined: the request has no body. */
  readonly body: Uint8Array | undefined;
  readonly isSigned: boolean;
  /** How the request states the length of its body: a header, or chunks. */
  readonly framing: 'length' | 'chunked';
  /** Number of pieces in which the bytes are written. */
  readonly pieces: number;
}

/** Largest accepted body, in bytes. */
const LIMIT = 64 * 1_024;

const PATHS = [
  ...new Set(ENDPOINT_LIST.map(({ path }) => path)),
  ...['/', '/control/state', '/control/faults', '/%', '/%00', '/a/../b', '/sapi/v1/', '//x', '/?'],
  ...['http://elsewhere/sapi/v1/ping', '/fapi/v1/order/', '/sapi/v1/ticker;x', '*'],
];
const KEYS = fc.constantFrom(
  ...new Set(ENDPOINT_LIST.flatMap(({ request }) => Object.keys(request.shape))),
  ...['__proto__', 'constructor', 'toString', 'recvWindow', ''],
);
const SCALARS = fc.oneof(
  fc.string(),
  fc.constantFrom('BTCUSDT', 'E-BTC-USDT', 'BUY', 'SELL', 'LIMIT', 'MARKET', '1min', '0', '1'),
  fc.constantFrom(1, 1e308, -1, 0.1, 5e-324, 2 ** 53, null, true, '9'.repeat(400), '\u0000\ud800'),
  fc.double(),
  fc.bigInt().map(String),
);
const VALUES = fc.oneof(
  SCALARS,
  fc.array(SCALARS, { maxLength: 12 }),
  fc.dictionary(KEYS, SCALARS),
);
const TEXTS = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(KEYS, VALUES).map((fields) => JSON.stringify(fields)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['['.repeat(30_000), '{"a":'.repeat(9_000), '1e999999', '{"orders":[[[[]]]]}', ''],
      ...[`{"volume":${'9'.repeat(50_000)}}`, `{"price":1e${'9'.repeat(300)}}`, '{"a":1,"a":2}'],
    ),
  },
);
/** Bodies just below the limit, at it, and above it. */
const SIZES = fc.constantFrom(LIMIT - 1, LIMIT, LIMIT + 1, 2 * LIMIT).map((length) => {
  const start = '{"symbol":"BTCUSDT","x":"';
  return Buffer.from(`${start}${'x'.repeat(length - start.length - 2)}"}`);
});
const BODIES = fc.oneof(
  {
    weight: 30,
    arbitrary: fc
      .tuple(TEXTS, fc.constantFrom('utf8', 'utf8', 'utf8', 'latin1', 'utf16le'))
      .map(([text, encoding]) => Buffer.from(text, encoding as BufferEncoding)),
  },
  { weight: 5, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: SIZES },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
      Buffer.from([0x7b, 0xff, 0x7d]),
    ),
  },
);
const QUERIES = fc
  .array(fc.tuple(KEYS, SCALARS.map(String)), { maxLength: 6 })
  .map((pairs) =>
    pairs
      .map(([key, value]) => `${key}=${encodeURIComponent(Buffer.from(value).toString())}`)
      .join('&'),
  );
const HEADERS = fc.array(
  fc.constantFrom<readonly [string, string]>(
    ...([
      ['expect', 'everything'],
      ['accept-encoding', 'x'.repeat(4_000)],
      ['upgrade', 'websocket'],
      ['x-ch-ts', '0'],
      ['x-ch-apikey', '\u00ff'],
      ['x-ch-sign', 'f'.repeat(64)],
      ['authorization', 'Bearer nothing'],
      ['content-encoding', 'gzip'],
      ['range', 'bytes=0-0'],
      ['host', 'a b'],
      ['host', 'elsewhere:99999'],
      ['cookie', '__proto__=1'],
    ] as const),
  ),
  { maxLength: 3 },
);

/** Valid HTTP requests that the interface does not know. */
export const malformedRequests: fc.Arbitrary<Malformed> = fc.record({
  method: fc.constantFrom(
    ...['GET', 'GET', 'GET', 'POST', 'POST', 'POST'],
    ...['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD', 'TRACE', 'PROPFIND'],
  ),
  target: fc
    .tuple(fc.constantFrom(...PATHS), QUERIES)
    .map(([path, query]) => (query === '' ? path : `${path}?${query}`)),
  headers: fc
    .tuple(
      HEADERS,
      fc.constantFrom('application/json', 'application/json', 'text/plain', 'application/json; x='),
    )
    .map(([headers, type]) => [['content-type', type] as const, ...headers]),
  body: fc.oneof(
    { weight: 3, arbitrary: BODIES },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  isSigned: fc.boolean(),
  framing: fc.constantFrom('length', 'length', 'chunked'),
  pieces: fc.constantFrom(1, 1, 1, 3, 8),
});

/** Bytes that are no HTTP/1.1 request, or an incomplete one. */
export const brokenBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }),
  fc
    .constantFrom(
      'GET / HTTP/9.9\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET /sapi/v1/ping\r\n\r\n',
      'GET  /sapi/v1/ping HTTP/1.1\r\nhost: localhost\r\n\r\n',
      'POST /sapi/v1/order HTTP/1.1\r\ncontent-length: -1\r\n\r\n',
      'POST /sapi/v1/order HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcde',
      'POST /sapi/v1/order HTTP/1.1\r\ncontent-length: 99999999999999999999\r\n\r\n',
      'POST /sapi/v1/order HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /sapi/v1/order HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      'POST /sapi/v1/order HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\nxx',
      'POST /sapi/v1/order HTTP/1.1\r\ncontent-length: 500\r\n\r\n{"symbol":',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
      `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(3_000)}\r\n`,
      'GET / HTTP/1.1\r\nbad header\r\n\r\n',
      'GET / HTTP/1.1\r\nx: \u0000\r\n\r\n',
      'CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere\r\n\r\n',
      'GET / HTTP/1.1\r\nho',
    )
    .map((text) => Buffer.from(text, 'latin1')),
);

/** Encodes the request, signed at `timestamp` if `isSigned`. */
export function bytesOf(
  { method, target, headers, body, isSigned, framing }: Malformed,
  { key, secret, timestamp }: { key: string; secret: string; timestamp: number },
): Uint8Array {
  const content = Buffer.from(body ?? []);
  const signature = createHmac('sha256', secret)
    .update(`${String(timestamp)}${method}${target}`)
    .update(method === 'GET' ? '' : content)
    .digest('hex');
  const signed = [
    ['X-CH-APIKEY', key],
    ['X-CH-TS', String(timestamp)],
    ['X-CH-SIGN', signature],
  ] as const;
  const length =
    framing === 'chunked'
      ? (['transfer-encoding', 'chunked'] as const)
      : (['content-length', String(content.length)] as const);
  const all = [...headers, ...(isSigned ? signed : []), ...(body === undefined ? [] : [length])];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  if (body === undefined) return head;
  return Buffer.concat([head, framing === 'chunked' ? chunked(content) : content]);
}

function chunked(content: Buffer): Buffer {
  const size = 1 + Math.floor(content.length / 3);
  const chunks: Buffer[] = [];
  for (let start = 0; start < content.length; start += size) {
    const chunk = content.subarray(start, start + size);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
