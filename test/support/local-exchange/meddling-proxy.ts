import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply } from '../fault-server.js';

/** An answer in place of the venue's; `hang`: no answer, ever. */
export type Meddling =
  | Reply
  | {
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'hang';

/** A proxy between a bot and its venue. It answers in place of the venue if a test says so. */
export class MeddlingProxy {
  /** Called for each call. Undefined: the venue answers. */
  meddle: (path: string, isSigned: boolean) => Meddling | undefined = () => undefined;
  /** Time, path and received body of each call. The body grows while it arrives. */
  readonly calls: { readonly at: number; readonly path: string; body: string }[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: string): Promise<MeddlingProxy> {
    const server = createServer();
    const proxy = new MeddlingProxy(server);
    server.on('request', (incoming, outgoing) => {
      const path = incoming.url ?? '';
      const call = { at: Date.now(), path, body: '' };
      proxy.calls.push(call);
      incoming.on('data', (piece: Buffer) => (call.body += piece.toString()));
      const meddling = proxy.meddle(path, incoming.headers['x-ch-sign'] !== undefined);
      if (meddling === 'hang') return;
      if (typeof meddling === 'function') {
        const { method = '', headers, socket } = incoming;
        meddling({ request: { method, path, headers, body: '' }, response: outgoing, socket });
        return;
      }
      if (meddling !== undefined) {
        outgoing.writeHead(meddling.status, meddling.headers).end(meddling.body);
        return;
      }
      const { method, headers } = incoming;
      const forwarded = request(new URL(path, target), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      incoming.pipe(forwarded);
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
}
