import { Dispatcher, errors } from 'undici';
import { RestMarketData } from '../../src/client/index.js';
import type { LocalExchange } from '../../src/local-exchange/index.js';
import { withinProcess, type TestAnswer } from './local-exchange/test-exchange.js';
import type { RigVenue, VirtualTimers } from './record-rig.js';
import { aVenueClient } from './venue-client.js';

/** Fault of one answer. `cut`: the connection ends within the answer; `truncated`: half of the answer arrives as a complete answer. */
export type WireFault = '502' | 'cut' | 'truncated' | { readonly delayMs: number };

/** Chooses the fault of a call by its path; undefined: no fault. */
export type WireFaults = (path: string) => WireFault | undefined;

/** An answer that arrived as the exchange gave it. */
export interface Arrival {
  readonly path: string;
  readonly text: string;
}

/** An exchange within this process, behind the client that bots use, with faults on the wire. It needs no sockets, so time can stand still. */
export class WireVenue extends Dispatcher implements RigVenue {
  readonly market: RestMarketData;
  pending = 0;
  readonly #exchange: ReturnType<typeof withinProcess>;
  readonly #time: VirtualTimers;
  readonly #faults: WireFaults;
  readonly #onArrival: (arrival: Arrival) => void;

  constructor(
    exchange: LocalExchange,
    time: VirtualTimers,
    options: { readonly faults: WireFaults; readonly onArrival: (arrival: Arrival) => void },
  ) {
    super();
    this.#exchange = withinProcess(exchange);
    this.#time = time;
    this.#faults = options.faults;
    this.#onArrival = options.onArrival;
    const client = aVenueClient(
      { url: 'http://127.0.0.1:1' },
      { clock: time, timers: time, dispatcher: this, retry: {}, breaker: {} },
    );
    this.market = new RestMarketData(client, { klinesHaveStartTime: true });
  }

  override dispatch(
    { path, method }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const wire = new Wire(handler);
    this.pending += 1;
    void this.#exchange
      .request(path, { method })
      .then((answer) => this.#deliver(path, answer, wire))
      .finally(() => {
        this.pending -= 1;
      });
    return true;
  }

  #deliver(path: string, answer: TestAnswer, wire: Wire): void {
    const { status, text } = answer;
    const fault = this.#faults(path);
    const half = text.slice(0, text.length / 2);
    const arrive = (): void => {
      if (wire.answer(status, text)) this.#onArrival({ path, text });
    };
    if (fault === undefined) arrive();
    else if (fault === '502') wire.answer(502, '<html>Bad Gateway</html>');
    else if (fault === 'truncated') wire.answer(status, half);
    else if (fault === 'cut') wire.cut(half);
    else this.#time.after(fault.delayMs, arrive);
  }
}

/** One call, with the callbacks that undici would make. */
class Wire {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #controller: Dispatcher.DispatchController;
  #isOver = false;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
    this.#controller = {
      aborted: false,
      paused: false,
      reason: null,
      abort: () => {
        this.#isOver = true;
      },
      pause: () => undefined,
      resume: () => undefined,
    };
    handler.onRequestStart?.(this.#controller, undefined);
  }

  /** Delivers a complete answer. Returns false if the call was aborted. */
  answer(status: number, text: string): boolean {
    if (this.#isOver) return false;
    this.#begin(status, text);
    this.#handler.onResponseEnd?.(this.#controller, {});
    return true;
  }

  /** Ends the connection after the begin of an answer. */
  cut(text: string): void {
    if (this.#isOver) return;
    this.#begin(200, text);
    this.#handler.onResponseError?.(this.#controller, new errors.SocketError('other side closed'));
  }

  #begin(status: number, text: string): void {
    const headers = { 'content-type': 'application/json' };
    this.#handler.onResponseStart?.(this.#controller, status, headers, '');
    this.#handler.onResponseData?.(this.#controller, Buffer.from(text));
  }
}
