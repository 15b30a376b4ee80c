import { filter, map, merge, type Subscription } from 'rxjs';
import {
  fixedToNumber,
  TradingError,
  TransportError,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type VenueInterval,
} from '../../domain/index.js';
import {
  alignSlices,
  type CandleNotice,
  type CandleSlice,
  type MarketFeed,
  type ReadOptions,
  type StreamStatus,
} from '../../feed/index.js';
import type { PriceSample } from '../../engine/index.js';
import type { Activity } from '../bot/activity.js';
import { timeOfPhase, type SessionTime } from './session-time.js';

/** One configured stream. */
interface RunningStream {
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  /** Open time of the last candle that the engine already has. @defaultValue the last closed candle */
  readonly after: EpochMs | undefined;
}

/** Reads the marks of held contracts with one call. Returns undefined if single calls cost no more. */
export type HeldMarks = (
  instrumentIds: readonly InstrumentId[],
  options: ReadOptions,
) => Promise<ReadonlyMap<InstrumentId, Fixed>> | undefined;

/** Names the contracts whose marks are read at a close. With late candles, a close is asked about again. */
export type MarksAt = (closeTime: EpochMs) => readonly InstrumentId[];

interface MarketRunnerOptions {
  readonly feed: MarketFeed;
  readonly time: SessionTime;
  readonly activity: Activity;
  /** In the order of the config. */
  readonly streams: readonly RunningStream[];
  readonly marksAt: MarksAt;
  /** How long the candles of one close wait for late ones, and then again for their marks. */
  readonly alignMs: number;
  /** Whether candles wait for their marks without limit, also where a candle is missing; for runs in which time stands still meanwhile. */
  readonly awaitsMarks: boolean;
  /** Reads marks of some contracts with one call, at `since` or later. @defaultValue each mark is a call */
  readonly heldMarks?: HeldMarks | undefined;
  readonly onSlice: (slice: CandleSlice) => void;
  /** Takes marks: before the candles of their close if they arrived in time. */
  readonly onMarks: (marks: readonly PriceSample[]) => void;
  /** Takes the error if marks could not be read, or undefined when they can be again. Positions are valued at older marks meanwhile. */
  readonly onMarkState: (error: TradingError | undefined) => void;
  readonly onNotice: (stream: RunningStream, notice: CandleNotice) => void;
  readonly onStatus: (stream: RunningStream, status: StreamStatus) => void;
  /** A stream has ended for good. */
  readonly onFailure: (error: unknown) => void;
}

/** Pause before marks are read again. The next close may be an hour or a day away, and positions are valued at older marks until then. */
const MARKS_AGAIN_MS = 5_000;

/** Delivers the closed candles of all streams, slice by slice, each with the marks of its time. */
export class MarketRunner {
  readonly #options: MarketRunnerOptions;
  readonly #controller = new AbortController();
  #subscription: Subscription | undefined;
  /** A slice also waits for the marks of earlier slices. */
  #before: Promise<void> = Promise.resolve();
  /** Latest close time of a released slice. */
  #closed: EpochMs = Number.NEGATIVE_INFINITY;
  /** Contracts whose marks could not be read, and the function that cancels the next try. */
  readonly #unread = new Set<InstrumentId>();
  #cancelAgain: (() => void) | undefined;

  constructor(options: MarketRunnerOptions) {
    this.#options = options;
  }

  start(): void {
    const { feed, streams, time, alignMs, onNotice, onStatus, onFailure } = this.#options;
    const watched = streams.map((stream) => {
      const { instrumentId, interval, after } = stream;
      return { stream, ...feed.candles(instrumentId, interval, after) };
    });
    const candles$ = merge(
      ...watched.map(({ stream, values$ }) =>
        values$.pipe(
          filter((notice): notice is Extract<CandleNotice, { kind: 'candle' }> => {
            if (notice.kind !== 'candle') onNotice(stream, notice);
            return notice.kind === 'candle';
          }),
          map(({ candle }) => candle),
        ),
      ),
    );
    const aligned$ = candles$.pipe(
      alignSlices(streams, { time: timeOfPhase(time, 'market'), alignMs }),
    );
    this.#subscription = aligned$.subscribe({
      next: (slice) => {
        this.#take(slice);
      },
      error: onFailure,
    });
    for (const { stream, status$ } of watched) {
      this.#subscription.add(
        status$.subscribe({
          next: (status) => {
            onStatus(stream, status);
          },
          error: onFailure,
        }),
      );
    }
  }

  /** Stops. Slices that wait for their marks are dropped. */
  stop(): void {
    this.#subscription?.unsubscribe();
    this.#cancelAgain?.();
    this.#controller.abort(new TransportError('E_CLOSED', 'the session has ended'));
  }

  #take(slice: CandleSlice): void {
    const { activity, awaitsMarks, onSlice, onFailure } = this.#options;
    // If candles are already late, calls are scarce: the available candles do not wait for marks as well.
    const isWhole = awaitsMarks || (slice.late.length === 0 && slice.closeTime > this.#closed);
    const marks = this.#readMarks(this.#marksDue(slice), this.#marksSince(slice));
    const end = activity.begin();
    this.#before = this.#before
      .then(async () => {
        if (isWhole) await this.#inTime(marks);
        if (!this.#controller.signal.aborted) onSlice(slice);
      })
      .catch(onFailure)
      .finally(end);
  }

  /** Contracts whose marks belong to a slice. A late single candle needs only the mark of its own contract. */
  #marksDue({ closeTime, candles, late }: CandleSlice): readonly InstrumentId[] {
    const isLate = closeTime <= this.#closed;
    this.#closed = Math.max(this.#closed, closeTime);
    const due = this.#options.marksAt(closeTime);
    // If time stands still, a late candle never comes.
    if (this.#options.awaitsMarks) return due;
    const others = new Set(late.map(({ instrumentId }) => instrumentId));
    return due
      .filter((id) => !others.has(id))
      .filter((id) => !isLate || candles.some(({ instrumentId }) => instrumentId === id));
  }

  /**
   * Earliest time of a slice's marks. In runs where time stands still it is now: late candles get marks of the same lateness, and a mark that another
   * part read at the close was not known then.
   */
  #marksSince({ closeTime }: CandleSlice): EpochMs {
    const { awaitsMarks, time } = this.#options;
    return awaitsMarks ? time.now() : closeTime;
  }

  async #readMarks(instrumentIds: readonly InstrumentId[], since: EpochMs): Promise<void> {
    const { feed, heldMarks, activity, onMarks, onMarkState, onFailure } = this.#options;
    const { signal } = this.#controller;
    if (instrumentIds.length === 0) return;
    await activity.during(async () => {
      try {
        const held = await heldMarks?.(instrumentIds, { since, signal });
        const marks = await Promise.all(
          instrumentIds.map(async (instrumentId) => {
            const known = held?.get(instrumentId);
            const price = known ?? (await feed.readMark(instrumentId, { since, signal })).markPrice;
            return { instrumentId, price: fixedToNumber(price) };
          }),
        );
        for (const id of instrumentIds) this.#unread.delete(id);
        if (this.#unread.size === 0) onMarkState(undefined);
        onMarks(marks);
      } catch (error: unknown) {
        if (signal.aborted) return;
        if (error instanceof TradingError) {
          onMarkState(error);
          this.#readAgain(instrumentIds);
        } else onFailure(error);
      }
    });
  }

  /** Reads marks again later. If time stands still it would not help: nothing has changed. */
  #readAgain(instrumentIds: readonly InstrumentId[]): void {
    const { time, awaitsMarks } = this.#options;
    if (awaitsMarks) return;
    for (const id of instrumentIds) this.#unread.add(id);
    this.#cancelAgain ??= time.after('market', MARKS_AGAIN_MS, () => {
      this.#cancelAgain = undefined;
      void this.#readMarks([...this.#unread], time.now());
    });
  }

  /** Resolves when the marks are there, or after the longest wait. */
  async #inTime(marks: Promise<void>): Promise<void> {
    const { awaitsMarks, time, alignMs } = this.#options;
    if (awaitsMarks) return marks;
    let cancel = (): void => undefined;
    const patience = new Promise<void>((resolve) => {
      cancel = time.after('market', alignMs, resolve);
    });
    await Promise.race([marks, patience]);
    cancel();
  }
}
