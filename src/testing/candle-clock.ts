import {
  closeTimeOf,
  ConfigError,
  floorToInterval,
  formatUtc,
  nominalIntervalMs,
  present,
  UsageError,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../domain/index.js';
import { completeShape, type CandleShape } from './candle-shapes.js';

/** An instrument with the intervals that the strategy reads. */
interface PlayedStream {
  readonly instrumentId: InstrumentId;
  readonly intervals: readonly Interval[];
}

/** One candle of the finest interval and one instrument, with the mark price at its close. */
interface PlayedCandle {
  readonly candle: Candle;
  readonly mark: number;
}

/** Everything that happens within one candle's time. */
export interface PlayedSlice {
  readonly openTime: EpochMs;
  readonly closeTime: EpochMs;
  readonly played: readonly PlayedCandle[];
  /** Candles that close at its end: the played ones, and longer ones made of them, longest first. */
  readonly closing: readonly Candle[];
}

/** Gives candles their times, one after the other, and builds the candles of longer intervals. */
export class CandleClock {
  readonly interval: Interval;
  readonly #streams: readonly PlayedStream[];
  readonly #last = new Map<InstrumentId, number>();
  /** Longer candles that are not complete yet, by instrument and interval. */
  readonly #open = new Map<string, Candle>();
  #now: EpochMs;

  /** @throws {ConfigError} `E_CONFIG_VALUE` if the shortest intervals of the instruments differ. */
  constructor(streams: readonly PlayedStream[], start: EpochMs) {
    const finest = new Set(streams.map(({ intervals }) => finestOf(intervals)));
    const [interval] = finest;
    if (finest.size > 1)
      throw new ConfigError('E_CONFIG_VALUE', {
        location: { file: 'options.instruments' },
        expected:
          'the same shortest interval for each instrument, because their candles are played together',
        received: [...finest].join(', '),
      });
    this.interval = present(interval, 'an interval');
    this.#streams = streams;
    this.#now = start;
  }

  /** Open time of the next candle. */
  get now(): EpochMs {
    return this.#now;
  }

  /** @throws {UsageError} `E_USAGE` if the next candle closes before `now`. */
  requireTime(now: EpochMs): void {
    const closeTime = closeTimeOf(this.#now, this.interval);
    if (now <= closeTime) return;
    throw new UsageError(
      'E_USAGE',
      `play: expected a candle that closes at ${formatUtc(now)} or later, because pass() went so far, received one from ${formatUtc(this.#now)} to ${formatUtc(closeTime)}; for whole candles play GAP instead of pass()`,
    );
  }

  /** Moves on by one candle, with the given shapes of the instruments. */
  next(shapes: ReadonlyMap<InstrumentId, CandleShape>): PlayedSlice {
    const openTime = this.#now;
    const closeTime = closeTimeOf(openTime, this.interval);
    this.#now = closeTime;
    const played: PlayedCandle[] = [];
    const longer: Candle[] = [];
    for (const { instrumentId, intervals } of this.#streams) {
      const shape = shapes.get(instrumentId);
      if (shape !== undefined) {
        const whole = completeShape(shape, this.#last.get(instrumentId), openTime);
        this.#last.set(instrumentId, whole.close);
        const { mark, ...prices } = whole;
        const own = { instrumentId, interval: this.interval, openTime, closeTime, ...prices };
        played.push({ candle: own, mark });
      }
      const own = shape === undefined ? undefined : played.at(-1)?.candle;
      for (const interval of intervals)
        if (interval !== this.interval) longer.push(...this.#lengthen(instrumentId, interval, own));
    }
    longer.sort((a, b) => nominalIntervalMs(b.interval) - nominalIntervalMs(a.interval));
    return {
      openTime,
      closeTime,
      played,
      closing: [...longer, ...played.map(({ candle }) => candle)],
    };
  }

  /** Adds a candle to the longer candle that contains it. Returns the longer candle once it is complete, otherwise nothing. */
  #lengthen(
    instrumentId: InstrumentId,
    interval: Interval,
    part: Candle | undefined,
  ): readonly Candle[] {
    const key = `${instrumentId} ${interval}`;
    const before = this.#open.get(key);
    const longer = part === undefined ? before : joined(before, part, interval);
    if (longer === undefined) return [];
    if (this.#now < longer.closeTime) {
      this.#open.set(key, longer);
      return [];
    }
    this.#open.delete(key);
    return [longer];
  }
}

function joined(before: Candle | undefined, part: Candle, interval: Interval): Candle {
  const openTime = floorToInterval(part.openTime, interval);
  const { instrumentId, open, high, low, close, volume } = part;
  const closeTime = closeTimeOf(openTime, interval);
  const own = { instrumentId, interval, openTime, closeTime, close };
  if (before === undefined) return { ...own, open, high, low, volume };
  return {
    ...own,
    open: before.open,
    high: Math.max(before.high, high),
    low: Math.min(before.low, low),
    volume: before.volume + volume,
  };
}

function finestOf(intervals: readonly Interval[]): Interval {
  return present(
    intervals.toSorted((a, b) => nominalIntervalMs(a) - nominalIntervalMs(b))[0],
    'an interval',
  );
}
