import { Observable, type OperatorFunction } from 'rxjs';
import {
  floorToInterval,
  nominalIntervalMs,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/** One configured candle stream. */
interface StreamKey {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
}

/** Candles of one close time, longest interval first, then the order of the configuration. */
export interface CandleSlice {
  readonly closeTime: EpochMs;
  readonly candles: readonly Candle[];
  /** Streams that were due and did not come in time. Their candles come later, in slices of their own. */
  readonly late: readonly StreamKey[];
}

/**
 * Releases candles of one close time together: when all due ones are there, or `alignMs` after the first of them.
 *
 * Cold; replays 0; completes with its source, after releasing waiting candles; errors with its source; scheduler: the time given.
 */
export function alignSlices(
  streams: readonly StreamKey[],
  { time, alignMs }: { readonly time: FeedTime; readonly alignMs: number },
): OperatorFunction<Candle, CandleSlice> {
  return (candles$) =>
    new Observable((subscriber) => {
      const aligner = new SliceAligner(streams, (slice) => subscriber.next(slice));
      const timers = new Map<EpochMs, () => void>();
      const source = candles$.subscribe({
        next: (candle) => {
          aligner.take(candle);
          const { closeTime } = candle;
          if (!aligner.isWaiting(closeTime) || timers.has(closeTime)) return;
          timers.set(
            closeTime,
            time.after(alignMs, () => {
              timers.delete(closeTime);
              aligner.releaseUntil(closeTime);
            }),
          );
        },
        error: (error: unknown) => {
          subscriber.error(error);
        },
        complete: () => {
          aligner.releaseUntil(Number.POSITIVE_INFINITY);
          subscriber.complete();
        },
      });
      return () => {
        source.unsubscribe();
        for (const cancel of timers.values()) cancel();
      };
    });
}

/** Collects candles by their close time. */
class SliceAligner {
  readonly #streams: readonly StreamKey[];
  readonly #release: (slice: CandleSlice) => void;
  readonly #waiting = new Map<EpochMs, Candle[]>();
  #released: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(streams: readonly StreamKey[], release: (slice: CandleSlice) => void) {
    this.#streams = streams;
    this.#release = release;
  }

  isWaiting(closeTime: EpochMs): boolean {
    return this.#waiting.has(closeTime);
  }

  take(candle: Candle): void {
    const { closeTime } = candle;
    if (closeTime <= this.#released) {
      this.#release({ closeTime, candles: [candle], late: [] });
      return;
    }
    const candles = [...(this.#waiting.get(closeTime) ?? []), candle];
    this.#waiting.set(closeTime, candles);
    if (this.#late(closeTime, candles).length === 0) this.releaseUntil(closeTime);
  }

  /** Releases earlier close times first, complete or not: slices come in the order of their close. */
  releaseUntil(closeTime: EpochMs): void {
    const due = [...this.#waiting.keys()].filter((time) => time <= closeTime).sort((a, b) => a - b);
    for (const time of due) {
      const candles = this.#waiting.get(time) ?? [];
      this.#waiting.delete(time);
      this.#released = time;
      this.#release({
        closeTime: time,
        candles: this.#inOrder(candles),
        late: this.#late(time, candles),
      });
    }
  }

  #late(closeTime: EpochMs, candles: readonly Candle[]): readonly StreamKey[] {
    return this.#streams.filter(
      (stream) =>
        floorToInterval(closeTime, stream.interval) === closeTime &&
        !candles.some((candle) => isOf(candle, stream)),
    );
  }

  #inOrder(candles: readonly Candle[]): readonly Candle[] {
    const place = (candle: Candle): number =>
      this.#streams.findIndex((stream) => isOf(candle, stream));
    return candles.toSorted(
      (a, b) =>
        nominalIntervalMs(b.interval) - nominalIntervalMs(a.interval) || place(a) - place(b),
    );
  }
}

function isOf(candle: Candle, { instrumentId, interval }: StreamKey): boolean {
  return candle.instrumentId === instrumentId && candle.interval === interval;
}
