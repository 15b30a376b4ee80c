import type { Clock } from '../domain/index.js';
import type { Ticket } from '../venue/index.js';
import { CircuitBreaker, type BreakerOptions, type BreakerPass } from './calls/circuit-breaker.js';
import { Silence } from './calls/silence.js';
import { ServerClock, type ServerClockPorts } from './clock/server-clock.js';
import type { BaseUrl } from './http/base-url.js';
import { HttpFailure } from './http/http-failure.js';
import { HttpTransport, type HttpAnswer, type HttpOptions, type HttpRequest } from './http/http.js';

interface VenueHostOptions extends HttpOptions {
  /** `spot` or `futures`, for messages. */
  readonly name: string;
  readonly clock: Clock;
  readonly serverClock: ServerClockPorts;
  readonly breaker?: BreakerOptions | undefined;
  /** Called when the host answers again after a silence, with the calls that waited at it. */
  readonly onBack: (unread: readonly Ticket[]) => void;
}

/** What a host must know of a call. */
export interface HostCall {
  /** Whether it is sent although the host fails. */
  readonly isUrgent: boolean;
  /** Whether it is a cancel or an exit: sent although the host is silent. */
  readonly isCommand: boolean;
}

/** One host, with its state: whether it answers, and its clock. */
export class VenueHost {
  readonly name: string;
  readonly base: BaseUrl;
  readonly serverClock: ServerClock;
  readonly #transport: HttpTransport;
  readonly #breaker: CircuitBreaker;
  readonly #silence: Silence;
  readonly #onBack: VenueHostOptions['onBack'];

  constructor({ name, clock, serverClock, breaker, onBack, ...http }: VenueHostOptions) {
    this.name = name;
    this.base = http.base;
    this.serverClock = new ServerClock(serverClock);
    this.#transport = new HttpTransport(http);
    this.#breaker = new CircuitBreaker(clock, breaker);
    this.#silence = new Silence(clock);
    this.#onBack = onBack;
  }

  /** @throws {TransportError} `E_CIRCUIT_OPEN` while the host rests or is silent; nothing is sent. */
  enter(call: HostCall): BreakerPass {
    this.checkSilence(call);
    return this.#breaker.enter(this.name, call.isUrgent);
  }

  /** To be called again when the turn of the call has come: another call may have tried meanwhile. @throws {TransportError} `E_CIRCUIT_OPEN`. */
  checkSilence({ isCommand }: Pick<HostCall, 'isCommand'>): void {
    if (!isCommand) this.#silence.check(this.name);
  }

  /** To be called after every call that entered, sent or not. */
  leave(pass: BreakerPass): void {
    this.#breaker.left(pass);
  }

  /** @throws {HttpFailure} if there is no complete answer. */
  async send(
    request: Omit<HttpRequest, 'patienceMs'>,
    { pass, ticket }: { readonly pass: BreakerPass; readonly ticket: Ticket },
  ): Promise<HttpAnswer> {
    const isTry = this.#silence.lengthMs !== undefined && request.method === 'GET';
    const patienceMs = isTry ? this.#silence.tryMs : undefined;
    this.#silence.sent(ticket);
    try {
      const answer = await this.#transport.send({ ...request, patienceMs });
      this.#heard();
      if (answer.status >= 500) this.#breaker.failed(pass);
      else this.#breaker.succeeded();
      return answer;
    } catch (error: unknown) {
      const isOurDoing = error instanceof HttpFailure && error.code === 'E_ABORTED';
      if (!isOurDoing) this.#breaker.failed(pass);
      // Nothing waits at a host to which no connection leads, or that closes it.
      const isClosed = error instanceof HttpFailure && !isOurDoing && error.code !== 'E_TIMEOUT';
      if (isClosed) this.#silence.end();
      throw error;
    }
  }

  #heard(): void {
    const unread = this.#silence.end();
    if (unread.length > 0) this.#onBack(unread);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }
}
