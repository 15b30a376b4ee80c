import type { Clock, EpochMs } from '../domain/index.js';
import type { CallQueue } from './calls/call-queue.js';
import type { BreakerOptions } from './calls/circuit-breaker.js';
import type { RetryOptions } from './calls/retry.js';
import type { ServerClockOptions } from './clock/server-clock.js';
import type { BaseUrl } from './http/base-url.js';
import type { HttpOptions } from './http/http.js';
import type { Credentials } from './keys/credentials.js';
import type { ClientLog, RandomSource } from './ports.js';

/** Name of a host. Margin is on the spot host. */
export type HostName = 'spot' | 'futures';

/** Default principal: all calls of a process share its budgets. */
export const DEFAULT_PRINCIPAL = 'client';

export interface VenueClientOptions extends Omit<HttpOptions, 'base'> {
  /** Addresses of hosts. A host without an address cannot be called. */
  readonly hosts: Readonly<Partial<Record<HostName, BaseUrl>>>;
  /** Needed for signed calls. */
  readonly credentials?: Credentials;
  /** Budgets that all clients of the process share. */
  readonly queue: CallQueue;
  /** Name of the owner of the budgets; never a secret. @defaultValue 'client', so that all calls of a process share them */
  readonly principal?: string;
  readonly clock: Clock;
  /** UTC as the machine tells it, if `clock` does not follow it. @defaultValue `clock` */
  readonly wall?: Clock | undefined;
  readonly random: RandomSource;
  /** @defaultValue silence */
  readonly log?: ClientLog;
  readonly retry?: RetryOptions;
  /** A reading without an answer for this time, in ms, is repeated in parallel: see `callBeside`. @defaultValue it is not repeated */
  readonly againAfterMs?: number | undefined;
  /** Lets the process handle events that came while it was busy. Awaited right before an order that opens is sent. @defaultValue not awaited */
  readonly breathe?: (() => Promise<void>) | undefined;
  readonly breaker?: BreakerOptions;
  readonly serverClock?: ServerClockOptions;
  /** Takes the end of a ban by a host. A restarted process must not call the host earlier. */
  readonly onBan?: ((origin: string, until: EpochMs) => void) | undefined;
}
