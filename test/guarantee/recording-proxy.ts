import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that passed, by the clock of this process: outside of the bot and of what guards it. */
export interface Passed {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  /** Of an order: its client order id, where one was sent. */
  readonly clientOrderId: string | undefined;
}

/** Passes requests on to an exchange and keeps what passed. */
export interface RecordingProxy {
  readonly url: string;
  readonly passed: Passed[];
  close(): void;
}

const ORDER_ID = /"newClientOrderId":"([^"]+)"/;

/** Starts a proxy on a free port of this machine. Answers that cannot be had end as a broken connection. */
export async function startProxy(target: string): Promise<RecordingProxy> {
  const passed: Passed[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    const atMs = performance.now();
    const { method = 'GET', url = '/', headers } = incoming;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => outgoing.destroy());
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const clientOrderId = ORDER_ID.exec(body.toString())?.[1];
      passed.push({ atMs, method, path: url.split('?')[0] ?? url, clientOrderId });
      const onward = send(new URL(url, target), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    passed,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
