import { rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { readAuthorities } from '../../../src/client/keys/authorities.js';
import {
  HttpTransport,
  type HttpOptions,
  type HttpRequest,
} from '../../../src/client/http/http.js';
import { FaultServer, json } from '../../support/fault-server.js';
import { REAL_TIME } from '../../support/real-time.js';
import { SELF_SIGNED } from '../../support/self-signed.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { aBaseUrl } from '../../support/venue-client.js';

/** Short timeouts for answers that never end. */
const HASTY = { headersMs: 150, bodyMs: 150, totalMs: 400 };

let server: FaultServer;
const open: HttpTransport[] = [];

beforeEach(async () => {
  server = await FaultServer.start(json('{}'));
});

afterEach(async () => {
  await server.stop();
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

function aTransport(overrides: Partial<HttpOptions> = {}): HttpTransport {
  const transport = new HttpTransport({
    base: aBaseUrl(server.url),
    timers: REAL_TIME,
    ...overrides,
  });
  open.push(transport);
  return transport;
}

function aRequest(overrides: Partial<HttpRequest> = {}): HttpRequest {
  const signal = new AbortController().signal;
  return { method: 'GET', path: '/x', headers: [], body: undefined, signal, ...overrides };
}

async function failureOf(sending: Promise<unknown>): Promise<unknown> {
  return sending.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

describe('HttpTransport', () => {
  it('sends method, path, headers and body byte for byte, and returns the whole answer', async () => {
    server.answerWith(json('{"a":1}', 201, { 'x-a': 'b' }));

    const answer = await aTransport().send(
      aRequest({
        method: 'POST',
        path: '/sapi/v1/order?b=2&a=%20',
        headers: ['x-ch-ts', '1', 'content-type', 'application/json'],
        body: '{"price":"0.10","ü":1}',
      }),
    );

    expect(answer).toMatchObject({ status: 201, body: '{"a":1}', headers: { 'x-a': 'b' } });
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        path: '/sapi/v1/order?b=2&a=%20',
        body: '{"price":"0.10","ü":1}',
        headers: { 'x-ch-ts': '1', 'content-type': 'application/json' },
      },
    ]);
  });

  it('reuses connections', async () => {
    const transport = aTransport();

    for (let call = 0; call < 5; call += 1) await transport.send(aRequest());

    // undici counts a connection as busy until its answer has been handed over: a second connection may open, but no third.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it('limits the calls in flight to maxConnections', async () => {
    server.answerWith(({ response }) => setTimeout(() => response.end('{}'), 10));
    const transport = aTransport({ maxConnections: 3 });

    await Promise.all(Array.from({ length: 12 }, () => transport.send(aRequest())));

    expect(server.mostAtOnce).toBe(3);
    expect(server.count()).toBe(12);
  });

  it('reports that nothing was sent if there is no connection', async () => {
    const transport = aTransport();
    await server.stop();

    const failure = await failureOf(transport.send(aRequest()));

    expect(failure).toMatchObject({ code: 'E_CONNECT', isSent: false, retryable: true });
  });

  it('reports that nothing was sent if the handshake does not end in time', async () => {
    // A TLS client against a server that accepts and stays silent.
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const transport = aTransport({
      base: aBaseUrl(`https://127.0.0.1:${String(port)}`),
      timeouts: { connectMs: 100 },
    });

    const failure = await failureOf(transport.send(aRequest({ method: 'POST', body: '{}' })));

    expect(failure).toMatchObject({ code: 'E_CONNECT_TIMEOUT', isSent: false });
    silent.close();
  });

  it('ends a call whose answer does not begin in time', async () => {
    server.answerWith(() => undefined);

    const failure = await failureOf(aTransport({ timeouts: HASTY }).send(aRequest()));

    expect(failure).toMatchObject({ code: 'E_TIMEOUT', isSent: true });
    expect(String(failure)).toContain('no answer began within 150 ms');
  });

  it('ends a call whose answer stops midway', async () => {
    server.answerWith(({ response }) => {
      response.writeHead(200);
      response.write('{"a":');
    });

    const failure = await failureOf(aTransport({ timeouts: HASTY }).send(aRequest()));

    expect(failure).toMatchObject({ code: 'E_TIMEOUT', isSent: true });
    expect(String(failure)).toContain('nothing more of the answer came within 150 ms');
  });

  it('ends a call whose answer drips, although each piece comes in time', async () => {
    server.answerWith(({ response }) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => {
        clearInterval(drip);
      });
    });

    const failure = await failureOf(aTransport({ timeouts: HASTY }).send(aRequest()));

    expect(failure).toMatchObject({ code: 'E_TIMEOUT', isSent: true });
    expect(String(failure)).toContain('the answer was not whole within 400 ms');
  });

  it('reports a connection that is reset midway', async () => {
    server.answerWith(({ response, socket }) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"a":');
      setTimeout(() => socket.resetAndDestroy(), 10);
    });

    const failure = await failureOf(aTransport().send(aRequest()));

    expect(failure).toMatchObject({ code: 'E_CONNECTION_LOST', isSent: true });
  });

  it('reads no more of a body than allowed', async () => {
    server.answerWith(json(`"${'x'.repeat(10_000_000)}"`));

    const failure = await failureOf(aTransport({ maxBodyBytes: 1_000_000 }).send(aRequest()));

    expect(failure).toMatchObject({ code: 'E_BODY_SIZE', isSent: true });
  });

  it('ends when its signal is aborted, and closes the connection', async () => {
    const controller = new AbortController();
    let isClosed = false;
    server.answerWith(({ response }) => {
      response.on('close', () => {
        isClosed = true;
      });
      controller.abort(new Error('stop'));
    });

    const failure = await failureOf(aTransport().send(aRequest({ signal: controller.signal })));
    await new Promise((resolve) => setTimeout(resolve, 30));

    expect(failure).toMatchObject({ code: 'E_ABORTED', isSent: true });
    expect(isClosed).toBe(true);
  });

  it('never sends a call that was aborted while it waited for a connection', async () => {
    server.answerWith(({ response }) => setTimeout(() => response.end('{}'), 60));
    const transport = aTransport({ maxConnections: 1 });
    const first = transport.send(aRequest({ path: '/first' }));
    const controller = new AbortController();
    const second = failureOf(
      transport.send(aRequest({ path: '/second', signal: controller.signal })),
    );

    controller.abort();
    await first;
    await transport.send(aRequest({ path: '/third' }));

    expect(await second).toMatchObject({ code: 'E_ABORTED', isSent: false });
    expect(server.seen.map(({ path }) => path)).toEqual(['/first', '/third']);
  });
});

describe('a call with signals that end it only before it is sent', () => {
  it('is never sent if ended while it waits for a connection', async () => {
    server.answerWith(({ response }) => setTimeout(() => response.end('{}'), 60));
    const transport = aTransport({ maxConnections: 1 });
    const first = transport.send(aRequest({ path: '/first' }));
    const end = new AbortController();
    const second = failureOf(transport.send(aRequest({ path: '/second', ends: [end.signal] })));

    end.abort(new Error('stopped'));
    await first;
    await transport.send(aRequest({ path: '/third' }));

    expect(await second).toMatchObject({
      ...{ code: 'E_ABORTED', isSent: false },
      cause: { message: 'stopped' },
    });
    expect(server.seen.map(({ path }) => path)).toEqual(['/first', '/third']);
  });

  it('is answered if the signal comes after it was sent', async () => {
    const end = new AbortController();
    server.answerWith(({ response }) => {
      end.abort(new Error('stopped'));
      response.end('{}');
    });

    const answer = await aTransport().send(aRequest({ ends: [end.signal] }));

    expect(answer.status).toBe(200);
  });
});

describe('a host with an unknown certificate', () => {
  it('gets no request, even if the environment turns off certificate checks', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    let requests = 0;
    const impostor = createTlsServer(SELF_SIGNED, (_, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', () => resolve()));
    onTestFinished(() => {
      vi.unstubAllEnvs();
      impostor.close();
    });
    const { port } = impostor.address() as AddressInfo;

    const sending = aTransport({ base: aBaseUrl(`https://127.0.0.1:${String(port)}`) }).send(
      aRequest({ headers: ['x-ch-apikey', 'key'] }),
    );

    expect(await failureOf(sending)).toMatchObject({ isSent: false });
    expect(requests).toBe(0);
  });

  it('is accepted if its certificate is named as an authority', async () => {
    const file = path.join(await temporaryFolder(), 'ca.pem');
    await writeFile(file, `a note\n${SELF_SIGNED.cert}\n`);
    const host = createTlsServer(SELF_SIGNED, (_, response) => response.end('{"own":true}'));
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', () => resolve()));
    onTestFinished(() => void host.close());
    const { port } = host.address() as AddressInfo;

    const authorities = readAuthorities(file, { file: 'bot.yaml', key: 'venue.caFile' });
    const base = aBaseUrl(`https://127.0.0.1:${String(port)}`);
    const answer = await aTransport({ base, authorities }).send(aRequest());

    expect(answer.body).toBe('{"own":true}');
    expect(authorities.length).toBeGreaterThan(100);
  });

  it.each([
    ['without a certificate', 'nothing'],
    ['with a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
  ])('a file of authorities %s is refused', async (_, text) => {
    const file = path.join(await temporaryFolder(), 'ca.pem');
    await writeFile(file, text);

    const read = (): unknown => readAuthorities(file, { file: 'bot.yaml', key: 'venue.caFile' });

    expect(read).toThrow('bot.yaml venue.caFile: expected certificates in PEM');
    await rm(file);
    expect(read).toThrow('expected a readable file, received none: no such file or folder');
  });
});
