import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs';
import type { EpochMs, TradingError } from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/**
 * `live`: fresh and complete; `gap`: fresh, but some data is missing and will not come; `stale`: nothing new within the limit, or nothing yet;
 * `down`: calls fail one after the other.
 */
export type StreamState = 'live' | 'stale' | 'gap' | 'down';

export interface StreamStatus {
  readonly state: StreamState;
  readonly since: EpochMs;
  /** Time of the latest new data. */
  readonly lastData: EpochMs | undefined;
  /** Code of the last failure, while `down`. */
  readonly code: TradingError['code'] | undefined;
}

/** Failures in a row that make a stream `down`. */
const DOWN_AFTER = 3;

/** Keeps the state of a stream. Freshness is a deadline on the clock, so a call that never returns is noticed too. */
export class StreamMonitor {
  readonly #time: FeedTime;
  readonly #status: BehaviorSubject<StreamStatus>;
  #lastData: EpochMs | undefined;
  #freshUntil: EpochMs = Number.NEGATIVE_INFINITY;
  #failure: { readonly code: TradingError['code']; readonly count: number } | undefined;
  #hasGap = false;
  #cancel = (): void => undefined;

  constructor(time: FeedTime) {
    this.#time = time;
    this.#status = new BehaviorSubject<StreamStatus>(this.#read('stale'));
  }

  /** Hot; replays 1; never completes; never errors. Emits when the state changes. */
  get status$(): Observable<StreamStatus> {
    return this.#status.pipe(distinctUntilChanged((a, b) => a.state === b.state));
  }

  get status(): StreamStatus {
    return this.#status.getValue();
  }

  /** Notes new data. It counts as fresh until the deadline. */
  fresh(until: EpochMs): void {
    this.#lastData = this.#time.now();
    this.#freshUntil = until;
    this.#failure = undefined;
    this.#watch();
    this.#update();
  }

  /** Notes an answer without new data. */
  answered(): void {
    this.#failure = undefined;
    this.#update();
  }

  failed({ code }: TradingError, count: number): void {
    this.#failure = { code, count };
    this.#update();
  }

  /** Sets whether data is missing for good. */
  gap(hasGap: boolean): void {
    this.#hasGap = hasGap;
    this.#update();
  }

  /** Notes that polling has ended: the data becomes stale. */
  stop(): void {
    this.#cancel();
    this.#freshUntil = Number.NEGATIVE_INFINITY;
    this.#failure = undefined;
    this.#update();
  }

  #watch(): void {
    this.#cancel();
    const leftMs = this.#freshUntil - this.#time.now() + 1;
    this.#cancel = this.#time.after(leftMs, () => {
      this.#update();
      // The clock was set back meanwhile, or the timer fired early. No other code would look again.
      if (this.#time.now() <= this.#freshUntil) this.#watch();
    });
  }

  #update(): void {
    const state = this.#state();
    if (state !== this.#status.getValue().state) this.#status.next(this.#read(state));
  }

  #state(): StreamState {
    if (this.#failure !== undefined && this.#failure.count >= DOWN_AFTER) return 'down';
    if (this.#time.now() > this.#freshUntil) return 'stale';
    return this.#hasGap ? 'gap' : 'live';
  }

  #read(state: StreamState): StreamStatus {
    const code = state === 'down' ? this.#failure?.code : undefined;
    return { state, since: this.#time.now(), lastData: this.#lastData, code };
  }
}
