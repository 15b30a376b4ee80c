import type { Archive } from '../../../archive/index.js';
import type {
  FundingRateKnown,
  InstrumentId,
  InstrumentRules,
  VenueInterval,
} from '../../../domain/index.js';
import type { FeedTime, MarketFeed } from '../../../feed/index.js';
import type { MarketDataSource } from '../../../venue/index.js';

/** The inputs that all parts of a recording share: series, venue and archive. */
export interface Recording {
  readonly archive: Archive;
  /** Market data whose klines are requested with start and end, whether the venue honors these or not. */
  readonly market: MarketDataSource;
  readonly feed: Pick<MarketFeed, 'candles' | 'readMark'>;
  /** The venue's time. */
  readonly time: FeedTime;
  /** Name of the venue's host, for the metadata. */
  readonly host: string;
  readonly series: readonly RecordedKey[];
  /** Rules of the configuration. They fill in what the venue does not state. */
  readonly rulesOf: (instrumentId: InstrumentId) => InstrumentRules | undefined;
  readonly instruments: readonly InstrumentId[];
  readonly funding: { readonly intervalMs: number; readonly known: FundingRateKnown };
  /** Ends the recording in order. */
  readonly signal: AbortSignal;
  /** Writes a line for the operator. */
  readonly say: (line: string) => void;
  /** Called with a bug, or with an error that no later call can cure. It ends the recording. */
  readonly onFailure: (error: unknown) => void;
}

/** Key of a recorded series of candles. */
export interface RecordedKey {
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
}
