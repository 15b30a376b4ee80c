import type { BaseUrl } from './http/base-url.js';
import { HttpTransport, type RawAnswer } from './http/http.js';
import type { Timers } from './ports.js';

export interface FileHostOptions {
  readonly base: BaseUrl;
  readonly timers: Timers;
  /** Largest size of a file, in bytes. @defaultValue 256 MiB */
  readonly maxBytes?: number | undefined;
  /** Longest time for one file, in ms. @defaultValue 10 minutes */
  readonly totalMs?: number | undefined;
}

const MAX_BYTES = 256 * 1024 * 1024;
const TOTAL_MS = 600_000;

/** A host of public files: no key, one file at a time. A redirect is returned as the answer and not followed. */
export class FileHost {
  readonly origin: string;
  readonly #prefix: string;
  readonly #transport: HttpTransport;

  constructor({ base, timers, maxBytes = MAX_BYTES, totalMs = TOTAL_MS }: FileHostOptions) {
    this.origin = base.origin;
    this.#prefix = base.prefix;
    this.#transport = new HttpTransport({
      base,
      timers,
      maxConnections: 1,
      maxBodyBytes: maxBytes,
      timeouts: { totalMs },
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
