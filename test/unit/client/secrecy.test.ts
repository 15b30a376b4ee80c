import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { registerCall } from '../../../src/cli/call/call-command.js';
import { describeError, describeStack } from '../../../src/cli/describe-error.js';
import type { VenueClient } from '../../../src/client/index.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { FaultServer, json, type Reply, type SeenRequest } from '../../support/fault-server.js';
import { runOneCommand } from '../../support/run-one-command.js';
import { aVenueClient, TEST_CREDENTIALS } from '../../support/venue-client.js';

const KEY = TEST_CREDENTIALS.key.reveal();
const SECRET = TEST_CREDENTIALS.secret.reveal();
const SIGNAL = new AbortController().signal;

/** Everything that a hostile venue knows, and the secret, as if it had leaked. */
function echoOf({ headers }: SeenRequest): string {
  return `${JSON.stringify(headers)} ${SECRET}`;
}

/** Answers that repeat the request in every place that a client might quote. */
const ECHOES: Readonly<Record<string, Reply>> = {
  'an error message': ({ request, response }) => {
    response.end(JSON.stringify({ code: -1121, msg: echoOf(request) }));
  },
  'an error message of a refused key': ({ request, response }) => {
    response.statusCode = 401;
    response.end(JSON.stringify({ code: -2015, msg: echoOf(request) }));
  },
  'an error code': ({ response }) => {
    response.end(JSON.stringify({ code: `${KEY.slice(0, 20)}${SECRET}`, msg: SECRET }));
  },
  'text that is no JSON': ({ request, response }) => {
    response.end(`${KEY} ${SECRET} ${echoOf(request)}`);
  },
  'text that is cut where it stands': ({ response }) => {
    response.end(`${'x'.repeat(30)}${SECRET}`);
  },
  'a long message that is cut where it stands': ({ response }) => {
    response.end(JSON.stringify({ code: -1000, msg: `${'x'.repeat(190)}${SECRET}` }));
  },
  'JSON that breaks off': ({ response }) => {
    response.end(`{"key":"${KEY}","secret":"${SECRET}`);
  },
  'a field of the wrong kind': ({ response }) => {
    response.end(JSON.stringify({ balances: KEY, orderId: `x ${SECRET}` }));
  },
  'names of fields': ({ response }) => {
    response.end(JSON.stringify({ [KEY]: 1, [SECRET]: 2 }));
  },
  'headers of the answer': ({ request, response }) => {
    response.writeHead(500, { 'x-echo': echoOf(request), 'retry-after': SECRET });
    response.end();
  },
  'bytes that are no HTTP': ({ socket }) => {
    socket.end(`${KEY} ${SECRET}\r\n\r\n`);
  },
  'a redirect': ({ response }) => {
    response.writeHead(302, { location: `https://elsewhere.example/?key=${KEY}&s=${SECRET}` });
    response.end();
  },
};

let server: FaultServer;
let client: VenueClient;
let logged: string;

beforeEach(async () => {
  logged = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  server = await FaultServer.start(json(`{"serverTime":${String(Date.now())}}`));
  client = aVenueClient(server, { log: pino({ level: 'trace' }, stream) });
  await client.serverTime('spot', SIGNAL);
});

afterEach(async () => {
  await server.stop();
  await client.close();
});

/** All text of an error, in every way of printing it. */
function shownBy(error: unknown): string {
  const json = JSON.stringify(error, (_key, value: unknown) =>
    value instanceof Error
      ? Object.assign({ message: value.message, stack: value.stack }, value)
      : value,
  );
  return [
    String(error),
    inspect(error, { depth: 20, showHidden: true }),
    json,
    describeError(error).lines.join('\n'),
    describeStack(error),
  ].join('\n');
}

/** Expects no key and no secret, nor the first six characters of one. */
function expectNoSecret(text: string): void {
  for (const secret of [KEY, SECRET]) expect(text).not.toContain(secret.slice(0, 6));
}

describe('key and secret', () => {
  it.each(Object.entries(ECHOES))(
    'stay out of errors and logs if the venue repeats them in %s',
    async (_where, reply) => {
      server.answerWith(reply);
      const { request } = ENDPOINTS['spot.order'].examples;
      const options = { signal: SIGNAL };

      const endings = await Promise.all([
        client.call(ENDPOINTS['spot.account'], {}, options).catch((error: unknown) => error),
        client.ask(ENDPOINTS['spot.order'], request, options).catch((error: unknown) => error),
      ]);

      // The key was on the wire, so the venue could repeat it.
      expect(server.seen.at(-1)?.headers['x-ch-apikey']).toBe(KEY);
      expect(logged).toContain('spot.account');
      for (const ending of endings) expectNoSecret(shownBy(ending));
      expectNoSecret(logged);
    },
  );

  it('stay out of errors without a venue', async () => {
    await server.stop();

    const ending: unknown = await client
      .call(ENDPOINTS['spot.account'], {}, { signal: SIGNAL })
      .catch((error: unknown) => error);

    expect(ending).toMatchObject({ code: 'E_CONNECT' });
    expectNoSecret(shownBy(ending));
    expectNoSecret(logged);
  });

  it('stay out of the client itself, printed or written as JSON', () => {
    const options = { client, credentials: TEST_CREDENTIALS };

    expectNoSecret(inspect(options, { depth: 20, showHidden: true }));
    expectNoSecret(JSON.stringify(options));
  });

  it('stay out of a preview, and so does the signature', () => {
    const preview = client.preview(ENDPOINTS['spot.account'], {});

    expectNoSecret(JSON.stringify(preview));
    expect(preview.headers).toMatchObject({ 'X-CH-APIKEY': '[masked]', 'X-CH-SIGN': '[masked]' });
  });

  it.each([
    ['a dry run', ['spot.account', '--dry-run']],
    ['a call that is refused', ['spot.account']],
    ['a call with debugging', ['spot.account', '--debug']],
    ['the table', ['--list']],
  ])('stay out of the output of the command line: %s', async (_name, args) => {
    server.answerWith(json('{"code":-1121,"msg":"no"}'));
    const env = { EVENKEEL_KEY: KEY, EVENKEEL_SECRET: SECRET, EVENKEEL_SPOT_URL: server.url };

    const { stdout, stderr, error } = await runOneCommand(registerCall, ['call', ...args], { env });

    expectNoSecret(`${stdout}\n${stderr}\n${error === undefined ? '' : shownBy(error)}`);
  });

  it('stay out of an answer that the command line prints', async () => {
    server.answerWith(json(JSON.stringify({ code: -1121, msg: `${KEY} ${SECRET}` })));
    const env = { EVENKEEL_KEY: KEY, EVENKEEL_SECRET: SECRET, EVENKEEL_SPOT_URL: server.url };

    const { stdout } = await runOneCommand(registerCall, ['call', 'spot.ticker', 'symbol=A'], {
      env,
    });
    const signed = await runOneCommand(registerCall, ['call', 'spot.account'], { env });

    // An unsigned call has no secret, so it cannot mask the secret in an answer. Only the signed call is checked.
    expect(stdout).toContain('-1121');
    expectNoSecret(signed.stdout);
  });

  it('stay out of the error of the command line about a malformed secret', async () => {
    const env = { EVENKEEL_KEY: KEY, EVENKEEL_SECRET: `${SECRET} with a space` };

    const { error } = await runOneCommand(registerCall, ['call', 'spot.account'], { env });

    expect(error).toMatchObject({ code: 'E_SECRET_TEXT' });
    expectNoSecret(shownBy(error));
  });
});
