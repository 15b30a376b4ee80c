import { Subscription } from 'rxjs';
import {
  formatFixed,
  InvariantError,
  mayPass,
  TransportError,
  type EpochMs,
  type Fixed,
  type FundingRateKnown,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import type { StreamStatus } from '../../feed/index.js';
import type { Command, EngineEvent } from '../../engine/index.js';
import { VenueRefusalError, type MarketDataSource } from '../../venue/index.js';
import type { BotSession, OpenSession, SessionHooks } from './bot-session.js';
import { EngineSession, type EngineSessionOptions } from './engine-session.js';
import { FundingRateWatch, readingOf } from '../market/funding-rate-watch.js';
import { GoneInstruments } from '../market/gone-instruments.js';
import type { InstrumentWatch } from '../market/instrument-watch.js';
import type { PaperMatching } from './paper-matching.js';
import { patiently } from '../patiently.js';
import { nextMultiple, timeOfPhase } from './session-time.js';
import { watchInstruments } from '../market/watch-instruments.js';

interface PaperSessionOptions extends Omit<
  EngineSessionOptions,
  keyof SessionHooks | 'venue' | 'isGone'
> {
  /** Source of prices, and of the list of instruments. */
  readonly venue: EngineSessionOptions['venue'] & {
    readonly market: Pick<MarketDataSource, 'listings' | 'ticker'>;
  };
  /** Instruments that are known to be gone from the venue. Newly found ones are added. @defaultValue none */
  readonly gone?: GoneInstruments | undefined;
  /** The simulated venue, which has taken all events of the engine so far. */
  readonly matching: PaperMatching;
  readonly instruments: readonly Instrument[];
  /** Time between two settlements of funding, in ms, counted from 00:00 UTC. */
  readonly fundingIntervalMs: number;
  /** Which funding rate the venue shows. */
  readonly fundingRateKnown: FundingRateKnown;
}

/** Makes the session of a paper bot: a real market, whose polled prices drive a simulated venue. */
export function paperSession(options: PaperSessionOptions): OpenSession {
  return (hooks) => new PaperSession(options, hooks);
}

/**
 * Polls prices for the simulated venue and reports the outcomes of orders to the engine. The venue depends only on the engine's events, so the
 * journal has its whole state, whatever happens to the process.
 */
class PaperSession implements BotSession {
  readonly isSending = false;
  readonly isUnsettled = false;
  readonly unansweredCancels: ReadonlyMap<InstrumentId, number> = new Map();
  readonly #options: PaperSessionOptions;
  readonly #hooks: SessionHooks;
  readonly #core: EngineSession;
  readonly #calls = new AbortController();
  readonly #prices = new Map<InstrumentId, Subscription>();
  readonly #gone: GoneInstruments;
  /** Contracts whose funding is being settled. */
  readonly #settling = new Set<InstrumentId>();
  readonly #instruments: InstrumentWatch;
  readonly #rates: FundingRateWatch;
  /** Latest prices given to the engine. */
  readonly #last = new Map<InstrumentId, Fixed>();
  #cancelNews = (): void => undefined;
  #newsDue: EpochMs = Number.POSITIVE_INFINITY;
  #cancelFunding = (): void => undefined;
  #isRunning = false;
  #isStopped = false;

  constructor(options: PaperSessionOptions, hooks: SessionHooks) {
    this.#options = options;
    this.#hooks = hooks;
    this.#gone = options.gone ?? new GoneInstruments();
    this.#core = new EngineSession({
      ...options,
      ...hooks,
      isGone: this.#gone.has,
      onProcessed: (event, commands) => {
        this.#processed(event, commands);
      },
      onFailure: (error) => {
        this.#fail(error);
      },
    });
    this.#rates = new FundingRateWatch({
      ...options,
      feed: options.venue.feed,
      known: options.fundingRateKnown,
      signal: this.#calls.signal,
      onRate: (mark) => {
        this.#core.push(readingOf(mark));
      },
      onFailure: (error) => {
        this.#fail(error);
      },
    });
    this.#instruments = this.#watchInstruments();
  }

  #watchInstruments(): InstrumentWatch {
    const { engine, instruments, time, activity, venue } = this.#options;
    return watchInstruments({
      ...{ engine, instruments, time, activity, gone: this.#gone },
      source: venue.market,
      signal: this.#calls.signal,
      // The simulated venue keeps the rules that it was made with.
      rulesOf: () => undefined,
      // The simulated venue reports the outcomes of orders itself.
      orders: { list: () => [] },
      read: () => Promise.resolve(),
      give: () => undefined,
      followListings: () => {
        this.#core.followListings();
        this.#watchPrices();
        this.#settleDue();
      },
      tell: (make) => {
        this.#core.push(make);
      },
      onCondition: this.#hooks.onCondition,
      onNotice: this.#hooks.onNotice,
      onFailure: (error) => {
        this.#fail(error);
      },
    });
  }

  announce(): void {
    this.#instruments.announce();
  }

  warmUp(): Promise<void> {
    return this.#core.warmUp();
  }

  /** The simulated venue was replayed from the journal too: nothing is lost or unknown. */
  restore(): void {
    // Nothing to search for.
  }

  resolve(): Promise<void> {
    return Promise.resolve();
  }

  run(): void {
    this.#isRunning = true;
    this.#core.run();
    this.#watchPrices();
    this.#tellNews();
    this.#rates.start();
    this.#instruments.start();
    this.#settleFunding();
  }

  /** Compares the money in the books of bot and simulated venue, once the bot has all news. A difference means that one of them is wrong. */
  reconcile(): Promise<readonly string[]> {
    const { matching, engine } = this.#options;
    if (!matching.isTold) return Promise.resolve([]);
    const residual = engine.portfolio.residual(matching.balances());
    return Promise.resolve(
      residual === 0n
        ? []
        : [`the books of bot and simulated venue differ by ${formatFixed(residual)}`],
    );
  }

  compareAgain(): Promise<readonly string[]> {
    return this.reconcile();
  }

  tell(make: (time: EpochMs) => EngineEvent): void {
    this.#core.push(make);
  }

  closeEntries(): void {
    // Nothing to do: orders do not wait here, and the engine knows of the stop.
  }

  async stop(): Promise<void> {
    this.#stopPolling();
    const ended = new TransportError('E_CLOSED', 'the session has ended');
    this.#calls.abort(ended);
    await this.#options.activity.idle();
    this.#core.stop();
  }

  #stopPolling(): void {
    this.#isStopped = true;
    for (const price of this.#prices.values()) price.unsubscribe();
    this.#instruments.stop();
    this.#core.stopPolling();
    this.#cancelNews();
    this.#rates.stop();
    this.#cancelFunding();
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#stopPolling();
    this.#calls.abort(new TransportError('E_CLOSED', 'the session has failed'));
    this.#core.stop();
    this.#hooks.onFailure(error);
  }

  // Engine and venue.

  #processed(event: EngineEvent, commands: readonly Command[]): void {
    this.#hooks.onProcessed(event, commands);
    const difference = this.#options.matching.take(event, commands);
    if (difference !== undefined)
      throw new InvariantError(
        'E_MISSING',
        `expected the simulated venue to send ${difference.expected} again, received ${difference.received}`,
      );
    if (this.#isRunning) this.#tellNews();
  }

  /** Reports the news that is due, and sets a timer for the next. */
  #tellNews(): void {
    if (this.#isStopped) return;
    const { matching, time } = this.#options;
    const now = time.now();
    for (const update of matching.news(now))
      this.#core.push((at) => ({ kind: 'venue', time: at, update }));
    const next = Math.min(matching.nextNews(), matching.nextDue());
    if (next === this.#newsDue) return;
    this.#cancelNews();
    this.#newsDue = next;
    if (next === Number.POSITIVE_INFINITY) return;
    this.#cancelNews = time.after('arrivals', Math.max(1, next - now), () => {
      this.#wake();
    });
  }

  /** Passes the time to the venue by an event, so that the journal has it. */
  #wake(): void {
    const { matching, time } = this.#options;
    this.#newsDue = Number.POSITIVE_INFINITY;
    if (matching.nextDue() <= time.now()) this.#core.push((at) => ({ kind: 'timer', time: at }));
    else this.#tellNews();
  }

  // Prices.

  /** Watches the prices of instruments that are there. A gone instrument has no price, which is not an error of the others. */
  #watchPrices(): void {
    if (!this.#isRunning || this.#isStopped) return;
    for (const { id } of this.#options.instruments) {
      if (!this.#gone.has(id)) {
        if (!this.#prices.has(id)) this.#prices.set(id, this.#watchPrice(id));
        continue;
      }
      this.#prices.get(id)?.unsubscribe();
      this.#prices.delete(id);
      this.#hooks.onCondition(priceCondition(id), undefined);
    }
  }

  #watchPrice(instrumentId: InstrumentId): Subscription {
    const prices = new Subscription();
    const { values$, status$ } = this.#options.venue.feed.ticker(instrumentId);
    const onError = (error: unknown): void => {
      this.#fail(error);
    };
    prices.add(
      values$.subscribe({
        next: ({ last }) => {
          this.#takePrice(instrumentId, last);
        },
        error: onError,
      }),
    );
    prices.add(
      status$.subscribe({
        next: (status) => {
          this.#noteStatus(instrumentId, status);
        },
        error: onError,
      }),
    );
    return prices;
  }

  /** Reports an unchanged price only if a stop or the venue waits for it: each reported price is journaled. */
  #takePrice(instrumentId: InstrumentId, last: Fixed): void {
    const { matching, engine, time } = this.#options;
    this.#hooks.onStream({
      name: `${instrumentId} last`,
      state: 'live',
      lastData: time.now(),
    });
    const isWatched = engine.stopWatches().some((watch) => watch.instrumentId === instrumentId);
    const isSame = this.#last.get(instrumentId) === last;
    if (isSame && !isWatched && !matching.awaitsPrice(instrumentId)) return;
    this.#last.set(instrumentId, last);
    this.#core.push((at) => ({ kind: 'ticker', time: at, instrumentId, last }));
  }

  /** Without a price nothing fills and no stop is watched. */
  #noteStatus(instrumentId: InstrumentId, { state, code, lastData }: StreamStatus): void {
    this.#hooks.onStream({ name: `${instrumentId} last`, state, lastData });
    const isBad = state === 'stale' || state === 'down';
    const why = code === undefined ? '' : ` (${code})`;
    if (state === 'down') this.#instruments.suspect();
    this.#hooks.onCondition(
      priceCondition(instrumentId),
      isBad ? `the last price of ${instrumentId} is ${state}${why}` : undefined,
    );
  }

  // Funding.

  /** Settles the boundaries that have passed, also in the time without a bot, and sets a timer for the next. */
  #settleFunding(): void {
    const { time, fundingIntervalMs, instruments } = this.#options;
    if (this.#isStopped || !instruments.some(({ kind }) => kind === 'futures')) return;
    const now = time.now();
    const delayMs = nextMultiple(now, fundingIntervalMs) - now;
    this.#cancelFunding = time.after('account', delayMs, () => {
      this.#settleFunding();
    });
    this.#settleDue();
  }

  /** Settles due funding. For a gone contract this waits until it is there again. */
  #settleDue(): void {
    const { time, instruments, matching, activity } = this.#options;
    for (const { id, kind } of instruments) {
      if (kind !== 'futures' || this.#gone.has(id) || this.#settling.has(id)) continue;
      if (matching.fundingsDue(id, time.now()) > 0) void activity.during(() => this.#fund(id));
    }
  }

  /** Pays each passed boundary at the rate that the venue showed for it. */
  async #fund(instrumentId: InstrumentId): Promise<void> {
    const { matching, venue, time } = this.#options;
    const { signal } = this.#calls;
    const since = time.now();
    this.#settling.add(instrumentId);
    try {
      const { fundingRate, markPrice } = await patiently(
        () => venue.feed.readMark(instrumentId, { since, signal }),
        {
          time: timeOfPhase(time, 'account'),
          tries: Number.POSITIVE_INFINITY,
          // The venue also refuses a contract that has just gone and is not known to be gone.
          isPassing: (error) => mayPass(error) || error instanceof VenueRefusalError,
          isWanted: () => !this.#isStopped && !this.#gone.has(instrumentId),
          onFailure: (error) => {
            this.#instruments.failed(error);
          },
        },
      );
      const rate = this.#rates.paid(instrumentId, fundingRate) ?? 0n;
      const count = matching.fundingsDue(instrumentId, time.now());
      // Posted in its turn: the venue's actions follow the order of the journal.
      for (let settled = 0; settled < count; settled += 1)
        this.#core.pushIf(
          () => matching.holds(instrumentId),
          (at) => ({
            kind: 'venue',
            time: at,
            update: matching.settleFunding(instrumentId, { rate, markPrice }, at),
          }),
        );
    } catch (error: unknown) {
      if (!this.#gone.has(instrumentId)) this.#fail(error);
    } finally {
      this.#settling.delete(instrumentId);
    }
  }
}

function priceCondition(instrumentId: InstrumentId): string {
  return `price ${instrumentId}`;
}
