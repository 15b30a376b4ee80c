import type { Archive } from '../../../archive/index.js';
import type {
  FundingRateKnown,
  InstrumentId,
  InstrumentRules,
  VenueInterval,
} from '../../../domain/index.js';
import type { FeedTime, MarketFeed } from '../../../feed/index.js';
import type { MarketDataSource } from '../../../venue/index.js';

/** What is recorded, where from and where to: what all parts of a recording share. */
export interface Recording {
  readonly archive: Archive;
  /** Market data whose klines are asked for with start and end, whether the venue honors them or not. */
  readonly market: MarketDataSource;
  readonly feed: Pick<MarketFeed, 'candles' | 'readMark'>;
  /** The venue's time. */
  readonly time: FeedTime;
  /** Name of the venue's host, for the metadata. */
  readonly host: string;
  readonly series: readonly RecordedKey[];
  /** Rules that the configuration knows: what the venue does not state is taken from them. */
  readonly rulesOf: (instrumentId: InstrumentId) => InstrumentRules | undefined;
  readonly instruments: readonly InstrumentId[];
  readonly funding: { readonly intervalMs: number; readonly known: FundingRateKnown };
  /** Ends it in order. */
  readonly signal: AbortSignal;
  /** Says something to the operator. */
  readonly say: (line: string) => void;
  /** Told of a bug, or of what no later call mends: it ends all. */
  readonly onFailure: (error: unknown) => void;
}

/** Candles that are recorded. */
export interface RecordedKey {
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
}
