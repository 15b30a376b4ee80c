import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that came in, by the clock of this process: outside of the bot and of what guards it. */
export interface Passed {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  /** Of an order: what it says; undefined for all else. */
  readonly order: PassedOrder | undefined;
  /** When its answer had passed in whole, where it was one that could be used; undefined before, and for all others. */
  answeredMs: number | undefined;
  /** When the exchange had answered it so, whether that answer passed on or was cut off. */
  doneMs: number | undefined;
}

export interface PassedOrder {
  readonly clientOrderId: string | undefined;
  readonly side: string | undefined;
  readonly isMarket: boolean;
}

/** Passes requests on to an exchange and keeps what passed. */
export interface RecordingProxy {
  readonly url: string;
  readonly passed: Passed[];
  /** How the network is cut: connections are broken and none is taken, or nothing passes any more, and nobody is told. */
  cut: 'off' | 'broken' | 'silent';
  close(): void;
}

const textOf = (body: string, key: string): string | undefined =>
  new RegExp(`"${key}":"([^"]+)"`).exec(body)?.[1];

/** Starts a proxy on a free port of this machine. Answers that cannot be had end as a broken connection. */
export async function startProxy(target: string): Promise<RecordingProxy> {
  const passed: Passed[] = [];
  let cut: RecordingProxy['cut'] = 'off';
  const server = createServer((incoming, outgoing) => {
    if (cut === 'broken') incoming.destroy();
    else pass(incoming, outgoing, { passed, target, isCut: () => cut !== 'off' });
  });
  server.on('connection', (socket) => {
    if (cut === 'broken') socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    passed,
    get cut() {
      return cut;
    },
    set cut(value) {
      cut = value;
      if (cut === 'broken') server.closeAllConnections();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  {
    passed,
    target,
    isCut,
  }: { readonly passed: Passed[]; readonly target: string; readonly isCut: () => boolean },
): void {
  const atMs = performance.now();
  const { method = 'GET', url = '/', headers } = incoming;
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('error', () => outgoing.destroy());
  incoming.on('end', () => {
    const body = Buffer.concat(chunks);
    const path = url.split('?')[0] ?? url;
    const record: Passed = {
      atMs,
      method,
      path,
      order: orderOf(path, body),
      answeredMs: undefined,
      doneMs: undefined,
    };
    passed.push(record);
    // What leaves while the network is cut arrives nowhere, and nobody is told.
    if (isCut()) return;
    const onward = send(new URL(url, target), { method, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', () => outgoing.destroy());
      answer.on('end', () => {
        if (isUsable(answer.statusCode, pieces)) record.doneMs = performance.now();
      });
      // What is carried out as the network is cut has no answer.
      if (isCut()) return;
      // How long a connection is kept is said by whoever keeps it: the bot would use one that is being closed here.
      const headers = { ...answer.headers };
      delete headers.connection;
      delete headers['keep-alive'];
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      outgoing.once('finish', () => {
        if (answer.complete && isUsable(answer.statusCode, pieces))
          record.answeredMs = performance.now();
      });
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  });
}

function orderOf(path: string, body: Buffer): PassedOrder | undefined {
  if (!path.endsWith('/order')) return undefined;
  const text = body.toString();
  const isMarket = textOf(text, 'type') === 'MARKET';
  return { clientOrderId: textOf(text, 'newClientOrderId'), side: textOf(text, 'side'), isMarket };
}

/** Whether an answer is what was asked for: neither a refusal, nor a page, nor half of one. */
function isUsable(status: number | undefined, pieces: readonly Buffer[]): boolean {
  if (status !== 200) return false;
  try {
    const answer = JSON.parse(Buffer.concat(pieces).toString()) as {
      readonly code?: string | number;
    } | null;
    return (
      typeof answer === 'object' && (answer?.code === undefined || String(answer.code) === '0')
    );
  } catch {
    return false;
  }
}
