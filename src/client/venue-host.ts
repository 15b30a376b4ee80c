import type { Clock } from '../domain/index.js';
import type { BaseUrl } from './base-url.js';
import { CircuitBreaker, type BreakerOptions, type BreakerPass } from './circuit-breaker.js';
import { HttpFailure } from './http-failure.js';
import { HttpTransport, type HttpAnswer, type HttpOptions, type HttpRequest } from './http.js';
import { ServerClock, type ServerClockPorts } from './server-clock.js';

export interface VenueHostOptions extends HttpOptions {
  /** `spot` or `futures`, for messages. */
  readonly name: string;
  readonly clock: Clock;
  readonly serverClock: ServerClockPorts;
  readonly breaker?: BreakerOptions | undefined;
}

/** One host, with its state: whether it answers, and its clock. */
export class VenueHost {
  readonly name: string;
  readonly base: BaseUrl;
  readonly serverClock: ServerClock;
  readonly #transport: HttpTransport;
  readonly #breaker: CircuitBreaker;

  constructor({ name, clock, serverClock, breaker, ...http }: VenueHostOptions) {
    this.name = name;
    this.base = http.base;
    this.serverClock = new ServerClock(serverClock);
    this.#transport = new HttpTransport(http);
    this.#breaker = new CircuitBreaker(clock, breaker);
  }

  /** @throws {TransportError} `E_CIRCUIT_OPEN` while the host rests; nothing is sent. */
  enter(isUrgent: boolean): BreakerPass {
    return this.#breaker.enter(this.name, isUrgent);
  }

  /** To be called after every call that entered, sent or not. */
  leave(pass: BreakerPass): void {
    this.#breaker.left(pass);
  }

  /** @throws {HttpFailure} if there is no complete answer. */
  async send(request: HttpRequest, pass: BreakerPass): Promise<HttpAnswer> {
    try {
      const answer = await this.#transport.send(request);
      if (answer.status >= 500) this.#breaker.failed(pass);
      else this.#breaker.succeeded();
      return answer;
    } catch (error: unknown) {
      const isOurDoing = error instanceof HttpFailure && error.code === 'E_ABORTED';
      if (!isOurDoing) this.#breaker.failed(pass);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }
}
