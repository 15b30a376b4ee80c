import {
  AuthError,
  HOUR_MS,
  MINUTE_MS,
  TradingError,
  type EpochMs,
  type Fixed,
  type FundingRateKnown,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import type { MarketFeed } from '../../feed/index.js';
import type { Activity } from './activity.js';
import { nextMultiple, type SessionTime } from './session-time.js';

export interface FundingRateWatchOptions {
  readonly feed: Pick<MarketFeed, 'readMark'>;
  readonly instruments: readonly Instrument[];
  /** Which rate the venue shows. */
  readonly known: FundingRateKnown;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

/** How long before each full hour rates are read. Funding is settled on full hours. */
const BEFORE_MS = MINUTE_MS;
/** A reading of the same half hour will do: it is mostly there, with the mark of a candle. */
const FRESH_MS = HOUR_MS / 2;

/**
 * Knows at which rate funding was paid. Where the venue shows the rate of the period now running, what it shows after a boundary is the next
 * period's: the one paid is what it showed before. So rates are read at the start and before each full hour.
 */
export class FundingRateWatch {
  readonly #options: FundingRateWatchOptions;
  readonly #contracts: readonly InstrumentId[];
  readonly #shown = new Map<InstrumentId, Fixed>();
  #cancel = (): void => undefined;

  constructor(options: FundingRateWatchOptions) {
    this.#options = options;
    this.#contracts = options.instruments
      .filter(({ kind }) => kind === 'futures')
      .map(({ id }) => id);
  }

  start(): void {
    if (this.#options.known === 'settled' || this.#contracts.length === 0) return;
    this.#read(this.#options.time.now());
    this.#schedule();
  }

  stop(): void {
    this.#cancel();
  }

  /** Rate at which the boundary was settled that has just passed, where the venue shows `shown` now. */
  paid(instrumentId: InstrumentId, shown: Fixed | undefined): Fixed | undefined {
    return this.#options.known === 'current' ? (this.#shown.get(instrumentId) ?? shown) : shown;
  }

  #schedule(): void {
    const { time } = this.#options;
    const now = time.now();
    const due = nextMultiple(now + BEFORE_MS, HOUR_MS) - BEFORE_MS;
    this.#cancel = time.after('account', due - now, () => {
      this.#schedule();
      this.#read(time.now() - FRESH_MS);
    });
  }

  /** A rate that cannot be read stays what it was: that the venue does not answer is told by who reads prices. */
  #read(since: EpochMs): void {
    const { feed, time, activity, signal, onFailure } = this.#options;
    const boundary = nextMultiple(time.now(), HOUR_MS);
    for (const id of this.#contracts)
      void activity.during(async () => {
        try {
          const { fundingRate } = await feed.readMark(id, { since, signal });
          // What comes after the boundary may be the rate of the next period.
          if (fundingRate !== undefined && time.now() < boundary) this.#shown.set(id, fundingRate);
        } catch (error: unknown) {
          if (signal.aborted) return;
          if (!(error instanceof TradingError) || error instanceof AuthError) onFailure(error);
        }
      });
  }
}
