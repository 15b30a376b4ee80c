import type { Dispatcher } from 'undici';

import type { ErrorCode } from '../domain/index.js';
import { HttpFailure } from './http-failure.js';
import type { Timers } from './ports.js';

/** Milliseconds per stage, and the largest body. */
export interface ExchangeLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly totalMs: number;
  readonly maxBodyBytes: number;
}

export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: string;
}

/** One request and its answer, as undici tells it: ends once, with the whole answer or with the reason why there is none. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #timers: Timers;
  readonly #limits: ExchangeLimits;
  readonly #done: (result: HttpAnswer | HttpFailure) => void;
  readonly #chunks: Buffer[] = [];
  readonly #stopDeadline: () => void;
  #stopStage: () => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: HttpHeaders = {};
  #bytes = 0;
  #isDone = false;

  constructor(
    timers: Timers,
    limits: ExchangeLimits,
    done: (result: HttpAnswer | HttpFailure) => void,
  ) {
    this.#timers = timers;
    this.#limits = limits;
    this.#done = done;
    this.#stopDeadline = timers.after(limits.totalMs, () => {
      this.fail('E_TIMEOUT', `the answer was not whole within ${String(limits.totalMs)} ms`);
    });
  }

  /** Comes when a connection is free, right before the request is written: until then nothing was sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isDone) {
      controller.abort(new Error('given up before it was sent'));
      return;
    }
    this.#controller = controller;
    this.#startStage(this.#limits.headersMs, 'no answer began');
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpHeaders): void {
    // Informational answers come before the real one.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#startStage(this.#limits.bodyMs, 'nothing more of the answer came');
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBodyBytes, bodyMs } = this.#limits;
    this.#bytes += chunk.length;
    if (this.#bytes > maxBodyBytes) {
      this.fail('E_BODY_SIZE', `the answer is longer than ${String(maxBodyBytes)} bytes`);
      return;
    }
    this.#chunks.push(chunk);
    this.#startStage(bodyMs, 'nothing more of the answer came');
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const isOne = first !== undefined && this.#chunks.length === 1;
    const whole = isOne ? first : Buffer.concat(this.#chunks);
    this.#end({ status: this.#status, headers: this.#headers, body: whole.toString('utf8') });
  }

  onResponseError(_: unknown, error: unknown): void {
    this.#end(HttpFailure.from(error, this.#controller !== undefined));
  }

  /** Gives up: closes the connection if the request is on it, else keeps it from ever being sent. */
  fail(code: ErrorCode, message: string, cause?: unknown): void {
    if (this.#isDone) return;
    const failure = new HttpFailure(code, message, this.#controller !== undefined, { cause });
    this.#end(failure);
    this.#controller?.abort(failure);
  }

  #startStage(lengthMs: number, what: string): void {
    this.#stopStage();
    if (this.#isDone) return;
    this.#stopStage = this.#timers.after(lengthMs, () => {
      this.fail('E_TIMEOUT', `${what} within ${String(lengthMs)} ms`);
    });
  }

  #end(result: HttpAnswer | HttpFailure): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#stopDeadline();
    this.#stopStage();
    this.#done(result);
  }
}
