import fc from 'fast-check';
import {
  ENDPOINT_LIST,
  FAMILY_ENDPOINT_LIST,
  type AnswerProfile,
  type AnyEndpoint,
} from '../../../src/venue/wire/index.js';
import type { Malformed } from './malformed-requests.js';

/** Values of a field other than its example. */
const VALUES = fc.oneof(
  fc.constantFrom<unknown>(
    ...['0', '-1', '1', '0.1', '1e3', '1e400', 'NaN', '9'.repeat(40), '0.000000000000000001'],
    ...[
      '',
      ' ',
      'BUY',
      'SELL',
      'LIMIT',
      'MARKET',
      'OPEN',
      'CLOSE',
      'ETHUSDT',
      'I-BTC-USD',
      '\u202e',
    ],
    ...[0, 1, 2, -1, 0.5, 2 ** 53, 1e308, true, null],
  ),
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(fc.constantFrom<unknown>('1', 2, null, {}), { maxLength: 12 }),
);
const CHANGES = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ kind: 'as in the example' } as const) },
  { weight: 2, arbitrary: VALUES.map((value) => ({ kind: 'other', value }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'left out' } as const) },
);

function requestOf(endpoint: AnyEndpoint, fields: Readonly<Record<string, unknown>>): Malformed {
  const { method, path } = endpoint;
  const isGet = method === 'GET';
  const query = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`)
    .join('&');
  return {
    method,
    target: isGet && query !== '' ? `${path}?${query}` : path,
    headers: [['content-type', 'application/json']],
    body: isGet ? undefined : Buffer.from(JSON.stringify(fields)),
    isSigned: endpoint.access === 'signed',
    framing: 'length',
    pieces: 1,
  };
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A URL cannot hold half of a surrogate pair.
  return Buffer.from(text).toString();
}

/** Correctly signed requests of every endpoint of a profile. Fields are as in the examples, have other values, or are missing; some are extra. */
export function signedRequests(profile: AnswerProfile): fc.Arbitrary<Malformed> {
  const endpoints = [...ENDPOINT_LIST, ...(profile === 'family' ? FAMILY_ENDPOINT_LIST : [])];
  return fc.constantFrom(...endpoints).chain((endpoint) => {
    const example = endpoint.examples.request as Readonly<Record<string, unknown>>;
    const names = Object.keys(endpoint.request.shape);
    return fc
      .tuple(
        fc.array(CHANGES, { minLength: names.length, maxLength: names.length }),
        fc.option(fc.tuple(fc.constantFrom('recvWindow', 'x', '__proto__'), VALUES), { freq: 8 }),
      )
      .map(([changes, more]) => {
        const fields = names.flatMap((name, place): [string, unknown][] => {
          const change = changes[place] ?? { kind: 'left out' };
          if (change.kind === 'other') return [[name, change.value]];
          const value = change.kind === 'left out' ? undefined : example[name];
          return value === undefined ? [] : [[name, value]];
        });
        return requestOf(endpoint, Object.fromEntries(more === null ? fields : [...fields, more]));
      });
  });
}
