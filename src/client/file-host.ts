import type { BaseUrl } from './http/base-url.js';
import { HttpTransport, type RawAnswer } from './http/http.js';
import type { Timers } from './ports.js';

interface FileHostOptions {
  readonly base: BaseUrl;
  readonly timers: Timers;
}

/** Largest size of a file. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Longest time for one file. */
const TOTAL_MS = 600_000;

/** A host of public files: no key, one file at a time. A redirect is returned as the answer and not followed. */
export class FileHost {
  readonly origin: string;
  readonly #prefix: string;
  readonly #transport: HttpTransport;

  constructor({ base, timers }: FileHostOptions) {
    this.origin = base.origin;
    this.#prefix = base.prefix;
    this.#transport = new HttpTransport({
      base,
      timers,
      maxConnections: 1,
      maxBodyBytes: MAX_BYTES,
      timeouts: { totalMs: TOTAL_MS },
    });
  }

  /** The address of a file, for messages. */
  urlOf(path: string): string {
    return `${this.origin}${this.#prefix}/${path}`;
  }

  /**
   * Requests a file once. An answer that ends before its stated length is a failure.
   *
   * @param path - beneath the base, without a slash before it.
   * @throws {HttpFailure} if there is no complete answer.
   */
  get(path: string, signal: AbortSignal): Promise<RawAnswer> {
    return this.#transport.sendRaw({
      method: 'GET',
      path: `${this.#prefix}/${path}`,
      headers: [],
      body: undefined,
      signal,
    });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
