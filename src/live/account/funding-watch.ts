import type { FillRecord, Instrument, InstrumentId } from '../../domain/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import { FundingCharges } from './funding-charges.js';
import { FundingRateWatch, type FundingRateWatchOptions } from '../market/funding-rate-watch.js';
import type { SessionTerms } from '../session/session-terms.js';

interface FundingWatchOptions
  extends
    Pick<SessionTerms, 'engine' | 'venue' | 'instruments' | 'fundingRateKnown' | 'history'>,
    Pick<FundingRateWatchOptions, 'time' | 'activity' | 'signal' | 'onRate' | 'onFailure'> {
  /** The instruments that the bot trades. The others are only read. */
  readonly traded: readonly Instrument[];
  /** Whether an instrument is gone from the venue. It is then not read. */
  readonly isGone: (instrumentId: InstrumentId) => boolean;
  readonly onUpdate: (update: AccountUpdate) => void;
  /** Takes a text for the log; nothing needs to be done. */
  readonly onNotice: (text: string) => void;
}

/** Watches the funding of contracts: the rates that the venue shows, and what positions have paid or received at them. */
export class FundingWatch {
  readonly charges: FundingCharges;
  readonly #rates: FundingRateWatch;

  constructor(options: FundingWatchOptions) {
    const { engine, venue, signal, isGone } = options;
    this.#rates = new FundingRateWatch({
      ...options,
      feed: venue.feed,
      known: options.fundingRateKnown,
    });
    this.charges = new FundingCharges({
      ...{ signal, isGone, feed: venue.feed, source: venue.account },
      account: venue.contractSamples?.account,
      paidRate: (id, shown) => this.#rates.paid(id, shown),
      contracts: options.traded.filter((each) => each.kind === 'futures'),
      openedTime: (id, direction) => engine.portfolio.contracts.side(id, direction).heldSince,
      since: engine.now(),
      history: options.history,
      onUpdate: options.onUpdate,
      onMissing: options.onNotice,
    });
  }

  /** Starts reading rates. Charges are read by the watch of the account. */
  start(): void {
    this.#rates.start();
  }

  stop(): void {
    this.#rates.stop();
  }

  /** To be called after the engine has taken a fill. */
  booked(fill: FillRecord): void {
    this.charges.booked(fill);
  }
}
