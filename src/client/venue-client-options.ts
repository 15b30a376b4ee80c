import type { Clock, EpochMs } from '../domain/index.js';
import type { BaseUrl } from './base-url.js';
import type { CallQueue } from './call-queue.js';
import type { BreakerOptions } from './circuit-breaker.js';
import type { Credentials } from './credentials.js';
import type { HttpOptions } from './http.js';
import type { ClientLog, RandomSource } from './ports.js';
import type { RetryOptions } from './retry.js';
import type { ServerClockOptions } from './server-clock.js';
import type { Signer } from './signing.js';

/** Which host serves an area: margin lives on the spot host. */
export type HostName = 'spot' | 'futures';

/** Whose budgets are used where nobody is named: all calls of a process share them. */
export const DEFAULT_PRINCIPAL = 'client';

export interface VenueClientOptions extends Omit<HttpOptions, 'base'> {
  /** Addresses; a host without one cannot be called. */
  readonly hosts: Readonly<Partial<Record<HostName, BaseUrl>>>;
  /** Needed for signed calls. */
  readonly credentials?: Credentials;
  /** Signs for a deployment that differs. @defaultValue {@link createHmacSigner} */
  readonly signer?: Signer;
  /** Budgets, shared by all clients of the process. */
  readonly queue: CallQueue;
  /** Whose budgets are used; never a secret. @defaultValue 'client', so that all calls of a process share them */
  readonly principal?: string;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** @defaultValue silence */
  readonly log?: ClientLog;
  readonly retry?: RetryOptions;
  /** A reading without an answer for so long, in ms, is made again beside the first: see `callBeside`. @defaultValue it is waited for */
  readonly againAfterMs?: number | undefined;
  /** Lets the process hear what came while it was busy; awaited right before an order that opens leaves. @defaultValue it leaves at once */
  readonly breathe?: (() => Promise<void>) | undefined;
  readonly breaker?: BreakerOptions;
  readonly serverClock?: ServerClockOptions;
  /** Told until when a host has banned us: whoever starts anew must not call earlier. */
  readonly onBan?: ((origin: string, until: EpochMs) => void) | undefined;
}
