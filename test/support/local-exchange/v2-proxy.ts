import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Json = Readonly<Record<string, unknown>>;

/**
 * A proxy between a client of the family's second version and the exchange. It checks the client's own signature, signs `/fapi/v1` in place
 * of `/fapi/v2`, and wraps answers in the form of the second version. It changes nothing else. The client also asks for lists of spot and of
 * inverse contracts: the proxy answers these as empty.
 */
export class V2Proxy {
  /** Number of calls whose signature is not as the family's documents describe. */
  unsigned = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: string, secret: string): Promise<V2Proxy> {
    const server = createServer();
    const proxy = new V2Proxy(server);
    server.on('request', (incoming, outgoing) => {
      void proxy.#forward(incoming, target, secret).then(({ status, body }) => {
        outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #forward(
    incoming: IncomingMessage,
    target: string,
    secret: string,
  ): Promise<{ readonly status: number; readonly body: string }> {
    const { method = 'GET', headers } = incoming;
    const asked = (incoming.url ?? '').replace(/\?$/, '');
    if (asked.startsWith('/dapi/')) return { status: 200, body: '[]' };
    if (!asked.startsWith('/fapi/')) return { status: 200, body: '{"symbols":[],"coins":[]}' };
    const path = asked.replace('/fapi/v2/', '/fapi/v1/');
    const body = await text(incoming);
    const timestamp = String(headers['x-ch-ts'] ?? '');
    const sign = (signed: string): string =>
      createHmac('sha256', secret).update(`${timestamp}${method}${signed}${body}`).digest('hex');
    const isSigned = headers['x-ch-sign'] !== undefined;
    if (isSigned && headers['x-ch-sign'] !== sign(asked)) this.unsigned += 1;
    const answer = await fetch(target + path, {
      method,
      ...(method === 'POST' ? { body } : {}),
      headers: {
        'content-type': 'application/json',
        ...(isSigned && {
          'X-CH-APIKEY': String(headers['x-ch-apikey']),
          'X-CH-TS': timestamp,
          'X-CH-SIGN': sign(path),
        }),
      },
    });
    const told = await answer.text();
    return { status: answer.status, body: isSigned ? wrap(told) : told };
  }
}

/** Wraps an answer in the form of the second version. The text stays as it is, so that ids keep all digits. */
function wrap(told: string): string {
  const json = JSON.parse(told) as Json;
  if ('code' in json) return told;
  const { account } = json;
  const isBare = account !== undefined && !Array.isArray(account);
  const data = isBare ? told.replace(/^\{"account":(.*)\}$/, '{"account":[$1]}') : told;
  return `{"code":"0","msg":"Success","data":${data}}`;
}
