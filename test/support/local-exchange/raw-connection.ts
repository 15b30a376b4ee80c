import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

/** An answer on a connection, read from its bytes. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';

/** A TCP connection that writes any bytes and reads answers of HTTP/1.1. */
export class RawConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    const connection = new RawConnection(socket);
    await once(socket, 'connect');
    return connection;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(bytes: string | Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** Ends the writing side and keeps reading. */
  finishWriting(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** The next answer; undefined if the connection ends without an answer. `hasBody`: false after HEAD. */
  async answer(hasBody = true): Promise<RawAnswer | undefined> {
    for (;;) {
      const answer = this.#take(hasBody);
      if (answer !== undefined && answer.status !== 100) return answer;
      if (answer === undefined && this.#isClosed) return undefined;
      if (answer !== undefined) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take(hasBody: boolean): RawAnswer | undefined {
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return undefined;
    const head = this.#received.subarray(0, end).toString('latin1');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? Number.NaN);
    const length = hasBody ? Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0) : 0;
    const start = end + HEAD_END.length;
    if (this.#received.length < start + length) return undefined;
    const body = this.#received.subarray(start, start + length).toString();
    this.#received = this.#received.subarray(start + length);
    return { status, head, body };
  }
}
