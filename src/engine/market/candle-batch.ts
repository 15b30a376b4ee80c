import type { Candle, EpochMs } from '../../domain/index.js';
import type { EngineEvent } from '../events.js';
import type { StreamRoute } from './candle-stream.js';

/** Candles of one stream in a batch, one row after the other. */
export interface BatchStream {
  readonly route: StreamRoute;
  /** Row of the first candle, counted as in {@link Engine.precomputeSeries}. */
  readonly first: number;
  /** Closes of the candles, from `firstClose` on. */
  readonly closes: Float64Array;
  readonly firstClose: number;
  /** Marks that become known with the candles, from `firstMark` on; undefined if there are none. */
  readonly marks: Float64Array | undefined;
  readonly firstMark: number;
  /** The candle of a row. Call it only on delivery: storing new objects in old ones costs as much as creating them. */
  candleOf(row: number): Candle;
}

/**
 * Slices that pass one after the other, `stepMs` apart, at least one. Each slice has a candle of every stream. Before the last slice, nothing happens
 * except what follows from the slices.
 */
export interface CandleBatch {
  /** Longest interval first, then the order of the config (DESIGN R1). */
  readonly streams: readonly BatchStream[];
  /** How many at most. The engine takes fewer while more than the strategy looks at each of them, and up to the end of a warm-up. */
  count: number;
  /** When the first slice is known. */
  readonly time: EpochMs;
  readonly stepMs: number;
  /** How many slices the engine has processed: fewer than `count` if a slice led to something that comes before the next slice. */
  passed: number;
}

/** The first slice, as the event that a journal records. */
export function firstSliceOf({
  time,
  streams,
}: CandleBatch): Extract<EngineEvent, { readonly kind: 'candles' }> {
  return { kind: 'candles', time, candles: streams.map((one) => one.candleOf(one.first)) };
}

/** One slice that came as an event, as a batch. */
export class SingleSlice implements CandleBatch {
  readonly streams: readonly BatchStream[];
  count = 1;
  readonly time: EpochMs;
  readonly stepMs = 0;
  passed = 0;

  constructor(
    { time, candles }: { readonly time: EpochMs; readonly candles: readonly Candle[] },
    routeOf: (candle: Candle) => StreamRoute,
  ) {
    this.time = time;
    this.streams = candles.map((candle) => ({
      route: routeOf(candle),
      first: 0,
      closes: Float64Array.of(candle.close),
      firstClose: 0,
      marks: undefined,
      firstMark: 0,
      candleOf: () => candle,
    }));
  }
}
