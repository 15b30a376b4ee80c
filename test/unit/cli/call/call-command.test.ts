import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { registerCall } from '../../../../src/cli/call/call-command.js';
import type { CliContext } from '../../../../src/cli/cli-context.js';
import { ENDPOINT_LIST } from '../../../../src/venue/wire/index.js';
import type { FaultServer } from '../../../support/fault-server.js';
import { json } from '../../../support/fault-server.js';
import { runOneCommand, type OneCommandRun } from '../../../support/run-one-command.js';
import { startScriptedVenue } from '../../../support/scripted-venue/scripted-venue.js';
import { TEST_CREDENTIALS } from '../../../support/venue-client.js';

const ENV = {
  EVENKEEL_KEY: TEST_CREDENTIALS.key.reveal(),
  EVENKEEL_SECRET: TEST_CREDENTIALS.secret.reveal(),
};
const ORDER = ['symbol=BTCUSDT', 'side=BUY', 'type=LIMIT', 'price=60000', 'volume=0.01'];

let server: FaultServer;

beforeEach(async () => {
  server = await startScriptedVenue(TEST_CREDENTIALS);
});

afterEach(async () => {
  await server.stop();
});

function call(
  args: readonly string[],
  overrides: Partial<CliContext> = {},
): Promise<OneCommandRun> {
  const env = { ...ENV, EVENKEEL_SPOT_URL: server.url, EVENKEEL_FUTURES_URL: server.url };
  return runOneCommand(registerCall, ['call', ...args], { env, ...overrides });
}

describe('call', () => {
  it.each(ENDPOINT_LIST.map(({ id }) => id))(
    'calls %s with the parameters of its example',
    async (id) => {
      const endpoint = ENDPOINT_LIST.find((candidate) => candidate.id === id);
      const words = Object.entries(endpoint?.examples.request ?? {}).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );

      const { error, stdout } = await call([id, ...words]);

      // Ids of the examples do not exist here. All other requests are answered.
      const code = error instanceof Error && 'venueCode' in error ? error.venueCode : error;
      expect([undefined, '-2013']).toContain(code);
      expect(() => JSON.parse(stdout) as unknown).not.toThrow();
      expect(server.seen.at(-1)?.path.split('?')[0]).toBe(endpoint?.path);
    },
  );

  it('prints every digit of an order id, also beyond 2^53', async () => {
    const { stdout } = await call(['spot.order', ...ORDER]);

    expect(stdout).toContain('"orderId": "3221406049627539351"');
  });

  it('prints the answer byte for byte with --raw', async () => {
    const { stdout } = await call(['spot.order', ...ORDER, '--raw']);

    expect(stdout).toContain('{"orderId":3221406049627539351,');
    expect(stdout.endsWith('}')).toBe(true);
  });

  it('prints the answer of the venue and fails when it refuses', async () => {
    const { stdout, error } = await call(['spot.ticker', 'symbol=NONEUSDT']);

    expect(stdout).toContain('"code": -1121');
    expect(error).toMatchObject({ code: 'E_VENUE_REFUSED', venueCode: '-1121' });
  });

  it('fails and prints nothing when the answer is no JSON', async () => {
    server.answerWith(json('<html>'));

    const { stdout, error } = await call(['spot.ping']);

    expect(stdout).toBe('');
    expect(error).toMatchObject({ code: 'E_WIRE_JSON' });
  });

  it('reports an answer that is nested too deeply to print', async () => {
    server.answerWith(json(`${'['.repeat(500_000)}${']'.repeat(500_000)}`));

    const { stdout, error } = await call(['spot.klines', 'symbol=BTCUSDT', 'interval=1min']);

    expect(stdout).toBe('');
    expect(error).toMatchObject({
      code: 'E_WIRE_JSON',
      message: expect.stringContaining('nested too deeply to print; --raw') as string,
    });
  });

  it('sends one request, without a retry, if the venue fails with an empty answer', async () => {
    server.answerWith(json('', 503));

    const { error } = await call(['spot.ticker', 'symbol=BTCUSDT']);

    expect(error).toMatchObject({ code: 'E_VENUE_FAILED' });
    expect(server.count()).toBe(1);
  });
});

describe('call --dry-run', () => {
  it('shows the request and sends nothing', async () => {
    const { stdout, error } = await call([
      'futures.order',
      ...['contractName=E-BTC-USDT', 'side=BUY', 'open=OPEN', 'type=LIMIT', 'price=60000.10'],
      ...['volume=1', 'positionType=2', '--dry-run'],
    ]);

    expect(error).toBeUndefined();
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      url: `${server.url}/fapi/v1/order`,
      headers: { 'X-CH-APIKEY': '[masked]', 'X-CH-SIGN': '[masked]' },
      body: '{"volume":1,"price":60000.10,"contractName":"E-BTC-USDT","type":"LIMIT","side":"BUY","open":"OPEN","positionType":2}',
    });
    expect(server.count()).toBe(0);
  });

  it('works without secrets, and never reads one', async () => {
    const read: string[] = [];
    const env = new Proxy<Record<string, string | undefined>>(
      {},
      {
        get: (_, name) => {
          read.push(String(name));
          return undefined;
        },
      },
    );
    // A directory: reading it as a secret fails.
    const files = ['--key-file', '.', '--secret-file', '.'];

    const { stdout, error } = await call(['spot.account', '--dry-run'], { env });
    const withFiles = await call(['spot.account', '--dry-run', ...files], { env });

    expect([error, withFiles.error]).toEqual([undefined, undefined]);
    expect(new Set(read)).toEqual(new Set(['EVENKEEL_SPOT_URL', 'EVENKEEL_FUTURES_URL']));
    expect(stdout).toContain('"url": "http://127.0.0.1:8480/sapi/v1/account"');
  });

  it('shows a gateway prefix in the address', async () => {
    const args = ['spot.ping', '--dry-run', '--spot-url', 'https://gateway.example/spot/open/'];

    const { stdout } = await call(args);

    expect(stdout).toContain('"url": "https://gateway.example/spot/open/sapi/v1/ping"');
  });
});

describe('call --list', () => {
  it('prints the table of 37 endpoints', async () => {
    const { stdout } = await call(['--list']);

    expect(stdout).toMatch(
      /spot\.klines .*GET.*\/sapi\/v1\/klines.*public.*~20 per 2 s.*symbol\* interval\* limit/,
    );
    expect(stdout).toMatch(/futures\.order .*POST.*\/fapi\/v1\/order .*signed.* 2 per 1 s/);
    expect(stdout).toContain('37 endpoints');
  });

  it.each([[['--json', '-']], [['--json']]])('prints the table as JSON with %j', async (words) => {
    const { stdout } = await call(['--list', ...words]);

    const table = JSON.parse(stdout) as readonly { readonly id: string }[];
    expect(table.map(({ id }) => id)).toEqual(ENDPOINT_LIST.map(({ id }) => id));
  });
});

describe('call with a wrong command line', () => {
  it.each([
    [[], /no endpoint is named; --list shows them/],
    [['spot.time', '--json', 'out.json'], /--json needs --list/],
    [['spot.kline'], /received "spot.kline"; did you mean spot.klines\?/],
    [['spot.ticker', 'symbl=BTCUSDT'], /unknown parameter "symbl"; did you mean symbol\?/],
    [['spot.ticker', 'BTCUSDT'], /expected key=value, received "BTCUSDT"/],
    [['spot.ticker', 'symbol=A', 'symbol=B'], /symbol is given twice/],
    [['spot.ticker'], /^spot.ticker: symbol: expected text, received nothing$/],
    [
      ['spot.klines', 'symbol=BTCUSDT', 'interval=2min'],
      /spot.klines: interval: expected one of 1min/,
    ],
    [['spot.depth', 'symbol=BTCUSDT', 'limit=500'], /spot.depth: limit: expected at most 100/],
    [['spot.batchCancel', 'symbol=BTCUSDT', 'orderIds=[1,'], /orderIds: expected JSON/],
  ])('%j is bad usage and sends nothing', async (args, message) => {
    const { error } = await call(args);

    expect(error).toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(message) as string,
    });
    expect(server.count()).toBe(0);
  });

  it('rejects a signed call without its secrets', async () => {
    const { error } = await call(['spot.account'], { env: { EVENKEEL_SPOT_URL: server.url } });

    expect(error).toMatchObject({ code: 'E_SECRET_MISSING' });
    expect(server.count()).toBe(0);
  });

  it('refuses plain http to another machine', async () => {
    const { error } = await call(['spot.ping', '--spot-url', 'http://api.example.com']);

    expect(error).toMatchObject({ code: 'E_URL_INSECURE' });
  });

  it('refuses an order at another machine without --yes', async () => {
    const { error } = await call(['spot.order', ...ORDER, '--spot-url', 'https://api.example.com']);

    expect(error).toMatchObject({
      message:
        'spot.order changes something at https://api.example.com and needs --yes; --dry-run only shows the request',
    });
  });

  it.each([
    ['an order with --yes', ['spot.order', ...ORDER, '--yes']],
    ['a read', ['spot.account']],
  ])('tries to send %s', async (_name, args) => {
    // No server listens there. The failure to connect shows that the command tried to send.
    const { error } = await call([...args, '--spot-url', 'https://127.0.0.1:1']);

    expect(error).toMatchObject({ code: 'E_CONNECT' });
  });
});
