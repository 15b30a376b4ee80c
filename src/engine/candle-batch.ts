import type { Candle, EpochMs } from '../domain/index.js';
import type { StreamRoute } from './candle-stream.js';
import type { EngineEvent } from './events.js';

/** Candles of one stream in a batch, one row after the other. */
export interface BatchStream {
  readonly route: StreamRoute;
  /** Where the first is stored, counted as in {@link Engine.precomputeSeries}. */
  readonly first: number;
  /** Their closes, from `firstClose` on. */
  readonly closes: Float64Array;
  readonly firstClose: number;
  /** Marks that become known with them, from `firstMark` on; undefined where none do. */
  readonly marks: Float64Array | undefined;
  readonly firstMark: number;
  /** The candle of a row. It is asked for as it is handed over: to keep what is young in what is old costs as much as to make it. */
  candleOf(row: number): Candle;
}

/**
 * Slices that pass one after the other, `stepMs` apart, at least one: with each comes a candle of every one of the streams. Nothing but what follows
 * from them happens before the last.
 */
export interface CandleBatch {
  /** Longest interval first, then the order of the config (DESIGN R1). */
  readonly streams: readonly BatchStream[];
  readonly count: number;
  /** When the first slice is known. */
  readonly time: EpochMs;
  readonly stepMs: number;
  /** How many slices the engine has taken: fewer than there are where one led to something that comes before the next. */
  passed: number;
}

/** The first slice as the event that a journal has of it. */
export function firstSliceOf({
  time,
  streams,
}: CandleBatch): Extract<EngineEvent, { readonly kind: 'candles' }> {
  return { kind: 'candles', time, candles: streams.map((one) => one.candleOf(one.first)) };
}

/** One slice that came as an event, as a batch. */
export class SingleSlice implements CandleBatch {
  readonly streams: readonly BatchStream[];
  readonly count = 1;
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
