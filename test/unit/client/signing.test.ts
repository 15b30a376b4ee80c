import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { createHmacSigner, Secret } from '../../../src/client/index.js';

const CREDENTIALS = {
  key: new Secret('vmPUZE6mv9SD5V5e14y7Ju91duEh8A'),
  secret: new Secret('902ae3cb34ecee2779aa4d3e1d226686'),
};
const TIMESTAMP = 1_588_591_856_950;

/** The signature, computed independently by the definition of the algorithm. */
function expected(payload: string): string {
  return createHmac('sha256', CREDENTIALS.secret.reveal()).update(payload).digest('hex');
}

describe('createHmacSigner', () => {
  it('returns the published signature', () => {
    const signer = createHmacSigner(CREDENTIALS);

    const headers = signer.sign({
      timestamp: TIMESTAMP,
      method: 'POST',
      path: '/sapi/v1/order/test',
      body: '{"symbol":"BTCUSDT","price":"9300","volume":"1","side":"BUY","type":"LIMIT"}',
    });

    expect(headers).toEqual({
      'X-CH-APIKEY': 'vmPUZE6mv9SD5V5e14y7Ju91duEh8A',
      'X-CH-TS': '1588591856950',
      'X-CH-SIGN': 'c50d0a74bb9427a9a03933d0eded03af9bf50115dc5b706882a4fcf07a26b761',
    });
  });

  it.each([
    ['a GET without a query', 'GET', '/sapi/v1/account', '', 'GET/sapi/v1/account'],
    [
      'a GET with a query',
      'GET',
      '/sapi/v1/openOrders?symbol=BTCUSDT&limit=100',
      '',
      'GET/sapi/v1/openOrders?symbol=BTCUSDT&limit=100',
    ],
    ['a POST with a body', 'POST', '/fapi/v1/cancel', '{"a":1}', 'POST/fapi/v1/cancel{"a":1}'],
  ] as const)('signs %s', (_name, method, path, body, signed) => {
    const signer = createHmacSigner(CREDENTIALS);

    const headers = signer.sign({ timestamp: TIMESTAMP, method, path, body });

    expect(headers['X-CH-SIGN']).toBe(expected(`1588591856950${signed}`));
  });
});
