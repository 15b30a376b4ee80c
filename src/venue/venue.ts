import type { AccountSource } from './account-source.js';
import type { ExecutionAdapter } from './execution-adapter.js';
import type { MarketDataSource } from './market-data-source.js';

/**
 * A venue with its three ports: every call of a bot goes through them. The ports keep the rate limits and the time limit of an answer. A late
 * answer is a `TransportError`, or for an order an `OutcomeUnknownError`.
 */
export interface Venue {
  readonly marketData: MarketDataSource;
  readonly execution: ExecutionAdapter;
  readonly account: AccountSource;
  /** Called once, when no bot needs it any more. @defaultValue nothing is to be closed */
  close?(): Promise<void>;
}

/** Settings of the venue from a bot's file, for the module that opens the venue. */
export interface VenueAccess {
  /** The key that the file names, and its secret. Undefined if the file names no key, and in paper trading. */
  readonly key: string | undefined;
  readonly secret: string | undefined;
  /** `venue.options` of the file. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

/** The function that the module of a venue exports. It is called once in each process that needs the venue. */
export type OpenVenue = (access: VenueAccess) => Venue | Promise<Venue>;
