import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instrumentsAround, testAccount } from '../../support/local-exchange/test-exchange.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../../support/local-exchange/served-exchange.js';
import { REAL_TIME } from '../../support/real-time.js';

const documentation = readFileSync(new URL('../../../docs/exchange.md', import.meta.url), 'utf8');
const commands = /```sh\n(sign\(\)[^]*?)```/.exec(documentation)?.[1] ?? '';
const hasTools = ['curl', 'openssl'].every(
  (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0,
);

let served: ServedTestExchange;

beforeEach(async () => {
  served = await serveTestExchange({
    clock: { mode: 'realtime', start: REAL_TIME.now() },
    instruments: instrumentsAround(REAL_TIME.now()),
    limits: {},
  });
});

afterEach(async () => {
  await served.close();
});

/** Runs shell commands in another process, because this process has to answer their requests. */
function shell(script: string): Promise<string> {
  const { key: KEY, secret: SECRET } = testAccount();
  const child = spawn('sh', ['-c', script], {
    env: { ...process.env, KEY, SECRET, URL: served.url },
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  return new Promise((resolve) => child.once('close', () => resolve(output)));
}

/** The same calls with fetch and crypto of Node, for a machine without the tools. */
async function byHand(): Promise<readonly string[]> {
  const { key, secret } = testAccount();
  const send = async (method: 'GET' | 'POST', target: string, body = ''): Promise<string> => {
    const ts = String(Math.floor(Date.now() / 1_000) * 1_000);
    const sign = createHmac('sha256', secret)
      .update(ts + method + target + body)
      .digest('hex');
    const answer = await fetch(served.url + target, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'X-CH-APIKEY': key,
        'X-CH-TS': ts,
        'X-CH-SIGN': sign,
      },
      ...(method === 'POST' ? { body } : {}),
    });
    return answer.text();
  };
  const order = await send(
    'POST',
    '/sapi/v1/order',
    '{"symbol":"BTCUSDT","volume":"0.01","side":"BUY","type":"LIMIT","price":"30000"}',
  );
  const id = /"orderId":(\d+)/.exec(order)?.[1] ?? '';
  return [
    order,
    await send('GET', '/sapi/v1/openOrders?symbol=BTCUSDT&limit=100'),
    await send('POST', '/sapi/v1/cancel', `{"symbol":"BTCUSDT","orderId":"${id}"}`),
  ];
}

async function byDocumentation(): Promise<readonly string[]> {
  const lines = commands.trimEnd().split('\n');
  const [cancel = '', get = '', post = ''] = lines.toReversed();
  const functions = lines.slice(0, -4).join('\n');
  const order = await shell(`${functions}\n${post}`);
  const id = /"orderId":(\d+)/.exec(order)?.[1] ?? '';
  const rest = await shell(`${functions}\n${get}; echo; ${cancel.replace('ORDER', id)}`);
  return [order, ...rest.split('\n')];
}

describe('the walk of docs/exchange.md', () => {
  it('places, reads and cancels an order with a signature of openssl', async () => {
    const [order, open, canceled] = hasTools ? await byDocumentation() : await byHand();

    const id = /"orderId":(\d{19})/.exec(order ?? '')?.[1];
    expect(id).toBeDefined();
    expect(order).toContain('"status":"NEW"');
    expect(open).toContain(`"orderId":${String(id)}`);
    expect(canceled).toBe(
      `{"orderId":${String(id)},"clientOrderId":"","symbol":"BTCUSDT","status":"CANCELED"}`,
    );
  });
});
