import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  authenticate,
  type AuthenticationContext,
} from '../../../src/local-exchange/http/authenticate.js';
import type { IncomingCall } from '../../../src/local-exchange/http/incoming-call.js';

const SECRET = '902ae3cb34ecee2779aa4d3e1d226686';
/** The published sample. Source: exchange facts, known-answer test. */
const SAMPLE = {
  timestamp: 1_588_591_856_950,
  method: 'POST',
  target: '/sapi/v1/order/test',
  body: '{"symbol":"BTCUSDT","price":"9300","volume":"1","side":"BUY","type":"LIMIT"}',
  signature: 'c50d0a74bb9427a9a03933d0eded03af9bf50115dc5b706882a4fcf07a26b761',
} as const;

function aCall(
  headers: Readonly<Record<string, string>>,
  sent: Partial<typeof SAMPLE> = {},
): IncomingCall {
  const { method, target, body } = { ...SAMPLE, ...sent };
  return {
    method,
    target,
    body: new TextEncoder().encode(body),
    address: '127.0.0.1',
    header: (name) => headers[name],
  };
}

function headersOf(overrides: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    'x-ch-apikey': 'k',
    'x-ch-ts': String(SAMPLE.timestamp),
    'x-ch-sign': SAMPLE.signature,
    ...overrides,
  };
}

function check(
  call: IncomingCall,
  now: number = SAMPLE.timestamp,
  overrides: Partial<AuthenticationContext<string>> = {},
): string {
  const result = authenticate(call, {
    holderOf: (key) =>
      key === 'k' ? { holder: 'owner', secret: createSecretKey(SECRET, 'utf8') } : undefined,
    clocks: [{ from: now, to: now }],
    recvWindow: 5_000,
    ...overrides,
  });
  return result.kind === 'known' ? result.holder : result.code;
}

describe('authenticate', () => {
  it('accepts the published signature in lower and upper case', () => {
    const upper = headersOf({ 'x-ch-sign': SAMPLE.signature.toUpperCase() });

    expect(check(aCall(headersOf()))).toBe('owner');
    expect(check(aCall(upper))).toBe('owner');
  });

  it.each([
    ['without a key', { 'x-ch-apikey': '' }, '-1002'],
    ['without a timestamp', { 'x-ch-ts': '' }, '-1023'],
    ['without a signature', { 'x-ch-sign': '' }, '-1024'],
    ['with a key that cannot be one', { 'x-ch-apikey': 'a b' }, '-2014'],
    ['with a key nobody has', { 'x-ch-apikey': 'stranger' }, '-2015'],
    ['with a timestamp in seconds', { 'x-ch-ts': '1588591856' }, '-1021'],
    ['with a signature in base64', { 'x-ch-sign': 'xQ0KdLuUJ6mgOTPQ7e0Drw==' }, '-1022'],
    ['with another signature', { 'x-ch-sign': SAMPLE.signature.replace('c', 'd') }, '-1022'],
  ])('refuses a call %s', (_what, headers, code) => {
    expect(check(aCall(headersOf(headers)))).toBe(code);
  });

  it.each([
    ['body', { body: `${SAMPLE.body} ` }],
    ['path', { target: `${SAMPLE.target}/` }],
    ['query', { target: `${SAMPLE.target}?a=1` }],
    ['method', { method: 'GET' }],
  ])('refuses a signature over another %s', (_part, sent) => {
    expect(check(aCall(headersOf(), sent as never))).toBe('-1022');
  });

  it('verifies the signature over the query byte for byte', () => {
    const target = '/sapi/v1/openOrders?symbol=BTCUSDT&limit=1%30';
    const signature = createHmac('sha256', SECRET)
      .update(`${String(SAMPLE.timestamp)}GET${target}`)
      .digest('hex');
    const call = aCall(headersOf({ 'x-ch-sign': signature }), {
      method: 'GET',
      target,
      body: '',
    } as never);

    expect(check(call)).toBe('owner');
  });

  it.each([
    [-1_000, 'owner'], // 999 ms ahead would still fit; see the next row
    [0, 'owner'],
    [5_000, 'owner'],
    [5_001, '-1021'],
  ])('accepts a timestamp up to the window: %d ms old', (age, verdict) => {
    const now = SAMPLE.timestamp + age;

    expect(check(aCall(headersOf()), now + (age < 0 ? 1 : 0))).toBe(verdict);
  });

  it('refuses a timestamp a second ahead', () => {
    expect(check(aCall(headersOf()), SAMPLE.timestamp - 1_000)).toBe('-1021');
  });

  it('uses the window that the call asks for, and accepts the time of any of its clocks', () => {
    const now = SAMPLE.timestamp + 40_000;
    const clocks = [
      { from: 0, to: 0 },
      { from: now, to: now },
    ];

    expect(check(aCall(headersOf()), now, { recvWindow: 40_000 })).toBe('owner');
    expect(check(aCall(headersOf()), now, { recvWindow: 40_000, clocks })).toBe('owner');
    expect(check(aCall(headersOf()), now)).toBe('-1021');
  });
});
