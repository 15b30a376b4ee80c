import { concat, defer, filter, from, Observable, share, tap } from 'rxjs';
import {
  closeTimeOf,
  floorToInterval,
  type EpochMs,
  type InstrumentId,
  type VenueInterval,
} from '../domain/index.js';
import type { MarketDataSource } from '../venue/index.js';
import { CandleTracker, type CandleNotice } from './candle-tracker.js';
import type { FeedTime } from './feed-time.js';
import { poll } from './poll.js';
import { StreamMonitor } from './stream-monitor.js';

export interface CandlePlan {
  /** Delay of the first poll after an interval's end, in ms. @defaultValue 300 */
  readonly settleMs: number;
  /**
   * Pause between polls while the closed candle is missing, in ms. It grows by half each time, up to 5 s if it starts below that. Polls also start
   * anew when the next candle closes. @defaultValue 1000
   */
  readonly missingMs: number;
  /** How long to wait for a candle that is missing between others, in ms; then it is a hole. @defaultValue 5000 */
  readonly holePatienceMs: number;
  /** Time after its end when a candle is final even if no later candle has opened, in ms. @defaultValue 2000 */
  readonly finalMs: number;
  /** Allowed lateness of a candle before the stream is stale, in ms. @defaultValue 10000 */
  readonly graceMs: number;
}

export const CANDLE_PLAN: CandlePlan = {
  settleMs: 300,
  missingMs: 1_000,
  holePatienceMs: 5_000,
  finalMs: 2_000,
  graceMs: 10_000,
};

const MOST_MISSING_MS = 5_000;

interface CandleStreamOptions {
  readonly source: Pick<MarketDataSource, 'candles'>;
  readonly time: FeedTime;
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  /** Added to each poll after an interval's end, in ms, so that streams do not all poll at once. */
  readonly staggerMs: number;
  readonly plan: CandlePlan;
}

/** One series of closed candles, polled once for all subscribers. */
export class PolledCandles {
  readonly #options: CandleStreamOptions;
  readonly #monitor: StreamMonitor;
  readonly #live$: Observable<CandleNotice>;
  #tracker: CandleTracker | undefined;
  #isGapped = false;

  constructor(options: CandleStreamOptions) {
    this.#options = options;
    this.#monitor = new StreamMonitor(options.time);
    this.#live$ = defer(() => this.#poll()).pipe(
      tap({ finalize: () => this.#monitor.stop() }),
      share(),
    );
  }

  /** Hot; replays 1; never completes; never errors. */
  get status$(): StreamMonitor['status$'] {
    return this.#monitor.status$;
  }

  /**
   * Notices after the candle that opened at `after`; by default after the last candle that has closed by now.
   *
   * Hot; replays remembered candles that closed after `after`; never completes; errors when calls fail for good; scheduler: the time given. The first
   * subscriber starts the polling, the last one ends it.
   */
  watch(after?: EpochMs): Observable<CandleNotice> {
    return defer(() => {
      const start = after ?? this.#lastClosed();
      // Without subscribers no tracker is kept: its candles may be old.
      if (this.#tracker === undefined) this.#tracker = this.#createTracker(start);
      const known$ = from(this.#known(this.#tracker, start));
      const live$ = this.#live$.pipe(
        filter((notice) => notice.kind !== 'candle' || notice.candle.openTime > start),
      );
      return concat(known$, live$);
    });
  }

  /** Candles that a late subscriber missed; a hole for candles that are no longer remembered. */
  #known(tracker: CandleTracker, after: EpochMs): readonly CandleNotice[] {
    const candles = tracker.deliveredAfter(after);
    const from = closeTimeOf(after, this.#options.interval);
    const to = candles[0]?.openTime ?? tracker.nextOpen;
    const notices = candles.map((candle): CandleNotice => ({ kind: 'candle', candle }));
    return from < to ? [{ kind: 'hole', from, to }, ...notices] : notices;
  }

  #poll(): Observable<CandleNotice> {
    const { source, time, instrumentId, interval, plan, staggerMs } = this.#options;
    const tracker = this.#tracker ?? this.#createTracker(this.#lastClosed());
    this.#isGapped = false;
    let asked = 0;
    let misses = 0;
    const lateMs = plan.settleMs + staggerMs;
    const delayAfter = (): number => {
      const now = time.now();
      const due = tracker.nextClose + lateMs - now;
      if (due > 0) {
        misses = 0;
        return due;
      }
      misses += 1;
      const patience = Math.max(MOST_MISSING_MS, plan.missingMs);
      // A missing candle must not delay the poll for the next one.
      const next = closeTimeOf(floorToInterval(now - lateMs, interval), interval) + lateMs - now;
      return Math.min(next, patience, plan.missingMs * 1.5 ** (misses - 1));
    };
    const outcomes$ = poll({
      time,
      call: (signal) => {
        asked = tracker.wanted(time.now());
        return source.candles(instrumentId, interval, { limit: asked, signal });
      },
      delayAfter,
    });
    return new Observable<CandleNotice>((subscriber) => {
      const polling = outcomes$.subscribe({
        next: (outcome) => {
          if (outcome.kind === 'failure') {
            this.#monitor.failed(outcome.error, outcome.failures);
            return;
          }
          // A clock that is ahead must not make a candle final before its end.
          const passed = Math.min(outcome.at, time.passed?.() ?? outcome.at);
          const notices = tracker.take(outcome.value, passed, asked);
          this.#report(notices, tracker);
          for (const notice of notices) subscriber.next(notice);
        },
        error: (error: unknown) => {
          subscriber.error(error);
        },
      });
      return () => {
        polling.unsubscribe();
        this.#tracker = undefined;
      };
    });
  }

  #report(notices: readonly CandleNotice[], tracker: CandleTracker): void {
    const { time, plan } = this.#options;
    // A hole is reported until later candles come without a further hole.
    if (notices.some(({ kind }) => kind === 'candle'))
      this.#isGapped = notices.some(({ kind }) => kind === 'hole');
    this.#monitor.gap(this.#isGapped);
    const isBehind = time.now() >= tracker.nextClose + plan.graceMs;
    if (isBehind) this.#monitor.answered();
    else this.#monitor.fresh(tracker.nextClose + plan.graceMs);
  }

  #createTracker(after: EpochMs): CandleTracker {
    const { interval, plan } = this.#options;
    const { holePatienceMs, finalMs } = plan;
    return new CandleTracker({ interval, after, holePatienceMs, finalMs });
  }

  #lastClosed(): EpochMs {
    const { time, interval } = this.#options;
    return floorToInterval(floorToInterval(time.now(), interval) - 1, interval);
  }
}
