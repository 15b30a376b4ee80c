import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. Times are by the clock of this process, which is neither the bot nor its guard. */
export interface Passed {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  /** The terms of an order. Undefined for other requests. */
  readonly order: PassedOrder | undefined;
  /** When a usable answer had passed completely. Undefined before that, and for all other answers. */
  answeredMs: number | undefined;
  /** When the exchange had given a usable answer, even if that answer was then cut off. */
  doneMs: number | undefined;
}

export interface PassedOrder {
  readonly clientOrderId: string | undefined;
  readonly side: string | undefined;
  readonly isMarket: boolean;
}

/** Passes requests to an exchange and records them. */
export interface RecordingProxy {
  readonly url: string;
  readonly passed: Passed[];
  /** How the network is cut. `broken`: connections break and none is accepted. `silent`: nothing passes, without an error. */
  cut: 'off' | 'broken' | 'silent';
  close(): void;
}

const textOf = (body: string, key: string): string | undefined =>
  new RegExp(`"${key}":"([^"]+)"`).exec(body)?.[1];

/** Starts a proxy on a free port of this machine. If the exchange gives no answer, the connection breaks. */
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
    // A request during a cut reaches nothing and gets no error.
    if (isCut()) return;
    const onward = send(new URL(url, target), { method, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', () => outgoing.destroy());
      answer.on('end', () => {
        if (isUsable(answer.statusCode, pieces)) record.doneMs = performance.now();
      });
      // An order that the exchange fills at the time of the cut gets no answer.
      if (isCut()) return;
      // The proxy decides how long its connections stay open. With the exchange's headers, the bot would use a connection that closes here.
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

/** Whether an answer is usable: JSON in full, and no refusal. */
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
