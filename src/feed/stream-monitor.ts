import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs';
import type { EpochMs, TradingError } from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/**
 * `live`: fresh and whole; `gap`: fresh, and something is missing that will not come; `stale`: nothing new within the bound, or nothing
 * yet; `down`: calls fail one after the other.
 */
export type StreamState = 'live' | 'stale' | 'gap' | 'down';

export interface StreamStatus {
  readonly state: StreamState;
  readonly since: EpochMs;
  /** When something new was last learned. */
  readonly lastData: EpochMs | undefined;
  /** Of the last failure, while `down`. */
  readonly code: TradingError['code'] | undefined;
}

/** Failures in a row that make a stream `down`. */
const DOWN_AFTER = 3;

/** Knows how a stream is. Freshness is a deadline on the clock, so that a call that never returns is noticed too. */
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

  /** Something new was learned; it counts as fresh until the deadline. */
  fresh(until: EpochMs): void {
    this.#lastData = this.#time.now();
    this.#freshUntil = until;
    this.#failure = undefined;
    this.#watch();
    this.#update();
  }

  /** A call was answered, with nothing new. */
  answered(): void {
    this.#failure = undefined;
    this.#update();
  }

  failed({ code }: TradingError, count: number): void {
    this.#failure = { code, count };
    this.#update();
  }

  /** Whether something is missing for good. */
  gap(hasGap: boolean): void {
    this.#hasGap = hasGap;
    this.#update();
  }

  /** Nobody watches any more: what was learned grows old. */
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
      // The clock was set back meanwhile, or the timer came early: nothing else would ever look again.
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
