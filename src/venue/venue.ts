import type { AccountSource } from './account-source.js';
import type { ExecutionAdapter } from './execution-adapter.js';
import type { MarketDataSource } from './market-data-source.js';

/**
 * A venue behind its three ports: all that a bot asks and sends goes through them. How often it may be called is for the ports to keep, and how
 * long an answer may take: what takes too long is a `TransportError`, or for an order an `OutcomeUnknownError`.
 */
export interface Venue {
  readonly marketData: MarketDataSource;
  readonly execution: ExecutionAdapter;
  readonly account: AccountSource;
  /** Called once, when no bot needs it any more. @defaultValue nothing is to be closed */
  close?(): Promise<void>;
}

/** What a bot's file says of its venue, for the module that opens it. */
export interface VenueAccess {
  /** The key that the file names, and its secret; undefined where it names none, and on paper. */
  readonly key: string | undefined;
  readonly secret: string | undefined;
  /** `venue.options` of the file. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

/** What the module of a venue exports: called once for each process that needs the venue. */
export type OpenVenue = (access: VenueAccess) => Venue | Promise<Venue>;
