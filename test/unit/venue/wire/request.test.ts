import { describe, expect, it } from 'vitest';

import { DomainError } from '../../../../src/domain/index.js';
import {
  coerceRequest,
  encodeRequest,
  ENDPOINT_LIST,
  ENDPOINTS,
  parseJson,
  parseRequest,
  type AnyEndpoint,
  type EncodedRequest,
} from '../../../../src/venue/wire/index.js';

describe('encodeRequest', () => {
  it('writes a query in the order of the table, for any order of the request', () => {
    const request = { limit: 5, interval: '60min', symbol: 'BTCUSDT' } as const;

    expect(encodeRequest(ENDPOINTS['spot.klines'], request)).toEqual({
      method: 'GET',
      path: '/sapi/v1/klines',
      query: 'symbol=BTCUSDT&interval=60min&limit=5',
      body: '',
    });
  });

  it('fills in the default of a limit', () => {
    expect(encodeRequest(ENDPOINTS['spot.depth'], { symbol: 'BTCUSDT' }).query).toBe(
      'symbol=BTCUSDT&limit=100',
    );
  });

  it('writes numbers with all digits and without quotes, except the recvWindow of margin', () => {
    const order = {
      symbol: 'BTCUSDT',
      volume: '0.000000000000000001',
      side: 'BUY',
      type: 'LIMIT',
      price: '12345678901234567890.10',
      recvWindow: 3000,
    } as const;

    expect(encodeRequest(ENDPOINTS['spot.order'], order).body).toBe(
      '{"symbol":"BTCUSDT","volume":0.000000000000000001,"side":"BUY","type":"LIMIT","price":12345678901234567890.10,"recvWindow":3000}',
    );
    expect(
      encodeRequest(ENDPOINTS['margin.order'], { ...order, price: '1' }).body.endsWith(
        '"price":1,"recvWindow":"3000"}',
      ),
    ).toBe(true);
  });

  it('writes the ids of a batch cancel as numbers', () => {
    const request = { symbol: 'BTCUSDT', orderIds: ['3221406049627539351'] };

    expect(encodeRequest(ENDPOINTS['spot.batchCancel'], request).body).toBe(
      '{"symbol":"BTCUSDT","orderIds":[3221406049627539351]}',
    );
  });

  it('drops leading zeros of a number, which JSON does not know, and keeps those of a text', () => {
    const order = { symbol: 'BTCUSDT', volume: '007.50', side: 'SELL', type: 'MARKET' } as const;
    const key = { symbol: 'BTCUSDT', orderId: '007' };

    expect(encodeRequest(ENDPOINTS['spot.order'], order).body).toContain('"volume":7.50,');
    expect(
      encodeRequest(ENDPOINTS['spot.myTrades'], { symbol: 'BTCUSDT', fromId: '000' }).query,
    ).toBe('symbol=BTCUSDT&limit=100&fromId=0');
    expect(encodeRequest(ENDPOINTS['spot.cancel'], key).body).toContain('"orderId":"007"');
  });

  it('writes the startTime of klines for newer deployments', () => {
    const request = {
      contractName: 'E-BTC-USDT',
      interval: '1h',
      limit: 300,
      startTime: 1760000400000,
    } as const;

    expect(encodeRequest(ENDPOINTS['futures.klines'], request).query).toBe(
      'contractName=E-BTC-USDT&interval=1h&limit=300&startTime=1760000400000',
    );
  });

  it('omits optional fields that are undefined', () => {
    const request = { orderId: '7', symbol: 'BTCUSDT', newClientOrderId: undefined };

    expect(encodeRequest(ENDPOINTS['spot.cancel'], request).body).toBe(
      '{"orderId":"7","symbol":"BTCUSDT"}',
    );
  });

  it('escapes a query value', () => {
    const request = { orderId: '7', newClientOrderId: 'a b&c=ü', symbol: 'BTCUSDT' };

    expect(encodeRequest(ENDPOINTS['spot.queryOrder'], request).query).toBe(
      'orderId=7&newClientOrderId=a%20b%26c%3D%C3%BC&symbol=BTCUSDT',
    );
  });

  it.each<[string, AnyEndpoint, Record<string, unknown>, string]>([
    [
      'a missing field',
      ENDPOINTS['spot.depth'],
      {},
      'spot.depth: symbol: expected text, received nothing',
    ],
    [
      'a limit above its maximum',
      ENDPOINTS['spot.klines'],
      { symbol: 'BTCUSDT', interval: '1min', limit: 301 },
      'spot.klines: limit: expected at most 300, received 301',
    ],
    [
      'an interval of the other market',
      ENDPOINTS['spot.klines'],
      { symbol: 'BTCUSDT', interval: '1h' },
      'spot.klines: interval: expected one of 1min, 5min, 15min, 30min, 60min, 1day, 1week, 1month, received "1h"',
    ],
    [
      'a key the call does not have',
      ENDPOINTS['spot.ticker'],
      { symbol: 'BTCUSDT', limit: 5 },
      'spot.ticker: the request: expected no key limit',
    ],
    [
      'a LIMIT order without price',
      ENDPOINTS['spot.order'],
      { symbol: 'BTCUSDT', volume: '1', side: 'BUY', type: 'LIMIT' },
      'spot.order: price: expected a price, because the type is LIMIT, received nothing',
    ],
    [
      'a LIMIT entry of a batch without price',
      ENDPOINTS['spot.batchOrders'],
      { symbol: 'BTCUSDT', orders: [{ volume: '1', side: 'BUY', batchType: 'LIMIT' }] },
      'spot.batchOrders: orders[0].price: expected a price',
    ],
    [
      'more than 10 orders',
      ENDPOINTS['spot.batchCancel'],
      { symbol: 'BTCUSDT', orderIds: Array.from({ length: 11 }, (_, id) => String(id)) },
      'spot.batchCancel: orderIds: expected at most 10 entries, received a list of 11',
    ],
    [
      'a client order id of 32 characters',
      ENDPOINTS['futures.order'],
      {
        volume: '1',
        contractName: 'E-BTC-USDT',
        type: 'MARKET',
        side: 'BUY',
        open: 'OPEN',
        positionType: 1,
        clientOrderId: 'x'.repeat(32),
      },
      'futures.order: clientOrderId: expected at most 31 characters',
    ],
    [
      'a number where a decimal text belongs',
      ENDPOINTS['spot.order'],
      { symbol: 'BTCUSDT', volume: 0.1, side: 'BUY', type: 'MARKET' },
      'spot.order: volume: expected text, received 0.1',
    ],
    [
      'an exponent',
      ENDPOINTS['spot.order'],
      { symbol: 'BTCUSDT', volume: '1e-7', side: 'BUY', type: 'MARKET' },
      'spot.order: volume: expected a decimal >= 0',
    ],
  ])('refuses %s', (_what, endpoint, request, message) => {
    expect(() => encodeRequest(endpoint, request)).toThrow(DomainError);
    expect(() => encodeRequest(endpoint, request)).toThrow(message);
  });
});

describe('parseRequest', () => {
  it.each(ENDPOINT_LIST.map((endpoint) => [endpoint.id, endpoint] as const))(
    'reads back the request of encodeRequest for %s',
    (_id, endpoint) => {
      const encoded = encodeRequest(endpoint, endpoint.examples.request);

      const outcome = parseRequest(endpoint, sentBy(encoded));

      expect(outcome.kind).toBe('valid');
      if (outcome.kind === 'valid') {
        expect(encodeRequest(endpoint, outcome.request)).toEqual(encoded);
      }
    },
  );

  it('accepts numbers as texts, ids as numbers or texts, and unknown fields', () => {
    const order = parseJson(
      '{"symbol":"BTCUSDT","price":"9300","volume":"1","side":"BUY","type":"LIMIT","recvWindow":"5000","extra":{}}',
    );
    const cancel = parseJson('{"symbol":"BTCUSDT","orderIds":[12,"13",3221406049627539351]}');

    expect(parseRequest(ENDPOINTS['spot.order'], order)).toEqual({
      kind: 'valid',
      request: {
        symbol: 'BTCUSDT',
        volume: '1',
        side: 'BUY',
        type: 'LIMIT',
        price: '9300',
        recvWindow: 5000,
      },
    });
    expect(parseRequest(ENDPOINTS['spot.batchCancel'], cancel)).toEqual({
      kind: 'valid',
      request: { symbol: 'BTCUSDT', orderIds: ['12', '13', '3221406049627539351'] },
    });
  });

  it('reads a small number without an exponent', () => {
    const sent = { symbol: 'BTCUSDT', volume: 1e-7, side: 'SELL', type: 'MARKET' };

    expect(parseRequest(ENDPOINTS['spot.order'], sent)).toMatchObject({
      request: { volume: '0.0000001' },
    });
  });

  it('clamps a limit above its maximum', () => {
    const sent = { contractName: 'E-BTC-USDT', limit: '500' };

    expect(parseRequest(ENDPOINTS['futures.depth'], sent)).toMatchObject({
      kind: 'valid',
      request: { limit: 100 },
    });
  });

  it.each<[string, AnyEndpoint, unknown, string, string]>([
    ['no object', ENDPOINTS['spot.order'], ['BTCUSDT'], '-1102', ''],
    ['a missing field', ENDPOINTS['spot.ticker'], {}, '-1102', 'symbol'],
    ['an empty field', ENDPOINTS['spot.ticker'], { symbol: '' }, '-1102', 'symbol'],
    ['a bad symbol', ENDPOINTS['spot.ticker'], { symbol: 'BTC/USDT' }, '-1121', 'symbol'],
    ['a bad limit', ENDPOINTS['spot.depth'], { symbol: 'BTCUSDT', limit: 'x' }, '-1102', 'limit'],
    [
      'a bad side',
      ENDPOINTS['spot.order'],
      { symbol: 'BTCUSDT', volume: '1', side: 'buy', type: 'MARKET' },
      '-1117',
      'side',
    ],
    [
      'a bad type',
      ENDPOINTS['spot.order'],
      { symbol: 'BTCUSDT', volume: '1', side: 'BUY', type: 'STOP' },
      '-1116',
      'type',
    ],
    [
      'too many orders',
      ENDPOINTS['spot.batchCancel'],
      { symbol: 'BTCUSDT', orderIds: Array.from({ length: 11 }, (_, id) => id) },
      '-1015',
      'orderIds',
    ],
    [
      'an inherited name',
      ENDPOINTS['spot.ticker'],
      Object.create({ symbol: 'BTCUSDT' }) as unknown,
      '-1102',
      'symbol',
    ],
  ])('rejects %s with a venue error code', (_what, endpoint, sent, code, field) => {
    const outcome = parseRequest(endpoint, sent);

    expect(outcome).toMatchObject({ kind: 'invalid', problem: { code, field } });
  });
});

describe('coerceRequest', () => {
  it('converts texts of a command line to the types of the table', () => {
    const typed = coerceRequest(ENDPOINTS['futures.order'].request, {
      volume: '10',
      positionType: '2',
      contractName: 'E-BTC-USDT',
    });

    expect(typed).toEqual({ volume: '10', positionType: 2, contractName: 'E-BTC-USDT' });
  });
});

/** The content of a request as a server sees it. */
function sentBy({ method, query, body }: EncodedRequest): unknown {
  return method === 'GET' ? Object.fromEntries(new URLSearchParams(query)) : parseJson(body);
}
