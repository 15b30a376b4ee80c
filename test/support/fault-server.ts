import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it reached the server. */
export interface SeenRequest {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Answers one request, after its body was read. */
export type Reply = (exchange: {
  readonly request: SeenRequest;
  readonly response: ServerResponse;
  /** For answers that no well-behaved server would give. */
  readonly socket: Socket;
}) => void;

/** A server on loopback that counts requests and answers as a test sets it. */
export class FaultServer {
  readonly seen: SeenRequest[] = [];
  /** Connections that were opened. */
  connections = 0;
  /** Most requests that were being answered at once. */
  mostAtOnce = 0;
  #reply: Reply;
  #atOnce = 0;
  #port = 0;
  readonly #server: Server;

  private constructor(reply: Reply) {
    this.#reply = reply;
    this.#server = createServer((request, response) => {
      this.#handle(request, response);
    });
    this.#server.on('connection', () => {
      this.connections += 1;
    });
  }

  static async start(reply: Reply): Promise<FaultServer> {
    const server = new FaultServer(reply);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  /** Requests that reached the server for a path, query aside. */
  count(path?: string): number {
    return this.seen.filter((request) => path === undefined || request.path.split('?')[0] === path)
      .length;
  }

  answerWith(reply: Reply): void {
    this.#reply = reply;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    response.on('close', () => {
      this.#atOnce -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      this.seen.push(seen);
      this.#reply({ request: seen, response, socket: request.socket });
    });
  }
}

/** Answers with JSON text. */
export function json(body: string, status = 200, headers: Record<string, string> = {}): Reply {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

/** Uses one reply after the other; the last one repeats. */
export function inTurn(...replies: readonly Reply[]): Reply {
  let index = 0;
  return (exchange) => {
    const reply = replies[Math.min(index, replies.length - 1)];
    index += 1;
    reply?.(exchange);
  };
}

/** Picks the reply by path, query aside. */
export function byPath(replies: Readonly<Record<string, Reply>>): Reply {
  return (exchange) => {
    const reply =
      replies[exchange.request.path.split('?')[0] ?? ''] ?? json('{"code":"-1002"}', 404);
    reply(exchange);
  };
}
