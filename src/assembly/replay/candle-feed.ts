import { present, type Candle, type EpochMs } from '../../domain/index.js';
import type { BatchStream, CandleBatch, PriceSample, StreamRoute } from '../../engine/index.js';
import type { EquityRecorder, PassedCandles } from './equity-recorder.js';
import type { GapRecorder } from './gap-recorder.js';
import type { MarkCursor, MarkSeries, MarkView } from './mark-cursor.js';
import type { ReplayOptions } from './replay.js';
import type { SeriesCursor } from './series-cursor.js';

/** Most slices of a batch. */
const MOST_SLICES = 1_024;

const NO_PRICES: Float64Array = new Float64Array(0);

interface CandleFeedOptions extends Pick<
  ReplayOptions,
  'engine' | 'cursors' | 'marks' | 'gaps' | 'dataDelayMs'
> {
  readonly equity: Pick<EquityRecorder, 'isRecording' | 'nextDayEnd' | 'onBatch'>;
}

/** The marks of a contract, with the account that receives them. */
interface MarkSource {
  readonly series: MarkSeries;
  readonly account: StreamRoute['account'];
  /** Whether a stream of the batch delivers the marks that become known with its candles. */
  isInBatch: boolean;
}

/** A stored series in the present batch, and the stream that its candles go to. */
class FeedStream implements BatchStream, MarkView {
  readonly cursor: SeriesCursor;
  readonly route: StreamRoute;
  readonly markSource: MarkSource | undefined;
  first = 0;
  closes: Float64Array = NO_PRICES;
  firstClose = 0;
  marks: Float64Array | undefined;
  firstMark = 0;

  constructor(cursor: SeriesCursor, route: StreamRoute, markSource: MarkSource | undefined) {
    this.cursor = cursor;
    this.route = route;
    this.markSource = markSource;
  }

  /** Begins with the next rows, the first of which closes at `closeTime`. Returns how many follow without a gap, at most `most`. */
  begin(closeTime: EpochMs, most: number): number {
    const { cursor, markSource } = this;
    const count = cursor.rowsAhead(most);
    const marks = this.#show(closeTime);
    if (markSource === undefined || marks === 0) return count;
    markSource.isInBatch = true;
    return Math.min(count, marks);
  }

  /** Goes on with the next rows, which follow without a gap. Returns false if it has to begin again, because its marks come in another way than before. */
  goOn(closeTime: EpochMs): boolean {
    const hadMarks = this.marks !== undefined;
    this.#show(closeTime);
    return hadMarks === (this.marks !== undefined);
  }

  /** Shows the next rows where they are in memory now. Returns how many marks follow with them without a gap. */
  #show(closeTime: EpochMs): number {
    const { cursor, markSource } = this;
    const { row, block } = cursor;
    this.first = row;
    this.closes = block.columns.close;
    this.firstClose = row - block.first;
    return markSource === undefined
      ? 0
      : markSource.series.showFrom(closeTime, cursor.intervalMs, this);
  }

  candleOf(row: number): Candle {
    return this.cursor.candleOf(row);
  }
}

/**
 * The present batch, and how much of it has passed. One object serves all batches. Its fields start as floats, so that they change in place. Otherwise
 * each batch would allocate new objects for them.
 */
class FeedBatch implements CandleBatch, PassedCandles {
  readonly streams: FeedStream[] = [];
  count = 0;
  passed = 0;
  time: EpochMs = Number.NaN;
  stepMs = 0;
  prices: Float64Array = NO_PRICES;
  first = 0;
}

/** Delivers the stored candles of a run in batches: slices that may pass one after the other. */
export class CandleFeed {
  readonly #streams: FeedStream[] = [];
  readonly #marks: MarkCursor;
  readonly #markSources: MarkSource[] = [];
  readonly #equity: CandleFeedOptions['equity'];
  readonly #gaps: GapRecorder;
  readonly #dataDelayMs: number;
  readonly #batch = new FeedBatch();
  /** Close time of the next slice; NaN while it is not computed. */
  #next: EpochMs = Number.NaN;
  /** How many slices of the streams of the batch follow one another without a gap and without another stream, from the next slice on; 0 if not known. */
  #ahead = 0;
  /** Number of candles delivered since equity is recorded. */
  candles = 0;

  constructor({ engine, cursors, marks, equity, gaps, dataDelayMs }: CandleFeedOptions) {
    // Filled one by one, as in {@link CandleStream.findFollowers}, because these lists are read with each batch.
    for (const series of marks.series) {
      const account = engine.portfolio.instrument(series.instrumentId);
      this.#markSources.push({ series, account, isInBatch: false });
    }
    for (const cursor of cursors) {
      const { instrumentId } = cursor;
      const source = this.#markSources.find(({ series }) => series.instrumentId === instrumentId);
      this.#streams.push(new FeedStream(cursor, engine.routeOf(cursor), source));
    }
    this.#marks = marks;
    this.#equity = equity;
    this.#gaps = gaps;
    this.#dataDelayMs = dataDelayMs;
  }

  /** Time at which the next slice is known; Infinity at the end. */
  nextTime(): EpochMs {
    return this.#nextCloseTime() + this.#dataDelayMs;
  }

  /** Open time of the finest candle in the next slice. */
  nextOpenTime(): EpochMs {
    const closeTime = this.#nextCloseTime();
    const closing = this.#streams.filter(({ cursor }) => cursor.nextCloseTime() === closeTime);
    return Math.max(...closing.map(({ cursor }) => cursor.nextOpenTime()));
  }

  /** Takes the marks that become known with the next slice; undefined if there are none. */
  takeMarks(): readonly PriceSample[] | undefined {
    return this.#marks.take(this.#nextCloseTime());
  }

  /**
   * Begins a batch of the next slices that are known by `until`: as many as follow one another without a gap and from the same series, at most `most`, and
   * not beyond the end of a day. There must be at least one.
   */
  begin(until: EpochMs, most: number): CandleBatch {
    const batch = this.#batch;
    const closeTime = this.#nextCloseTime();
    if (!this.#goOn(closeTime)) this.#ahead = this.#lookAhead(closeTime);
    const time = closeTime + this.#dataDelayMs;
    const end = Math.min(until, this.#equity.nextDayEnd);
    const inTime = Math.floor((end - time) / batch.stepMs) + 1;
    batch.count = Math.max(1, Math.min(most, this.#ahead, inTime));
    batch.time = time;
    return batch;
  }

  /** Goes on with slices that were looked up before, as after a batch that ended early. Returns false if they have to be looked up again. */
  #goOn(closeTime: EpochMs): boolean {
    if (this.#ahead === 0) return false;
    for (const stream of this.#batch.streams) if (!stream.goOn(closeTime)) return false;
    return true;
  }

  /** Finds the streams of the next slice, and returns how many slices of them follow one another, at most {@link MOST_SLICES}. */
  #lookAhead(closeTime: EpochMs): number {
    const batch = this.#batch;
    const { streams } = batch;
    let count = MOST_SLICES;
    let others = Number.POSITIVE_INFINITY;
    let length = 0;
    for (const stream of this.#streams) {
      const { cursor } = stream;
      const next = cursor.nextCloseTime();
      if (next > closeTime) others = Math.min(others, next);
      else {
        if (cursor.isAfterGap()) this.#gaps.note(cursor);
        count = Math.min(count, stream.begin(closeTime, count));
        // Series of different lengths do not close together again at the next slice.
        if (length > 0 && streams[0]?.cursor.intervalMs !== cursor.intervalMs) count = 1;
        streams[length] = stream;
        length += 1;
      }
    }
    while (streams.length > length) streams.pop();
    others = Math.min(others, this.#tellOtherMarks(closeTime));
    const stepMs = present(streams[0], 'a candle').cursor.intervalMs;
    batch.stepMs = stepMs;
    return Math.max(1, Math.min(count, Math.ceil((others - closeTime) / stepMs)));
  }

  /** Sets the marks that do not come with the candles of the batch. Returns when the next of them is known. */
  #tellOtherMarks(closeTime: EpochMs): EpochMs {
    let next = Number.POSITIVE_INFINITY;
    for (const source of this.#markSources) {
      if (!source.isInBatch) next = Math.min(next, tell(source, closeTime));
      source.isInBatch = false;
    }
    return next;
  }

  /** Moves on after the slices that have passed. Samples equity now at each of them, because nothing was booked meanwhile. */
  end(): void {
    const batch = this.#batch;
    const { streams, passed, time, stepMs } = batch;
    if (this.#equity.isRecording) {
      batch.count = passed;
      this.candles += passed * streams.length;
      this.#equity.onBatch(batch);
    }
    for (const { cursor } of streams) cursor.row += passed;
    this.#ahead -= passed;
    this.#next = this.#ahead > 0 ? this.#next + passed * stepMs : Number.NaN;
    const last = time + (passed - 1) * stepMs - this.#dataDelayMs;
    for (const source of this.#markSources) tell(source, last);
  }

  #nextCloseTime(): EpochMs {
    if (!Number.isNaN(this.#next)) return this.#next;
    let next = Number.POSITIVE_INFINITY;
    for (const { cursor } of this.#streams) {
      const time = cursor.nextCloseTime();
      if (time < next) next = time;
    }
    this.#next = next;
    return next;
  }
}

/** Sets the mark that is known at a time, if it is new. Returns when the next mark is known. */
function tell({ series, account }: MarkSource, time: EpochMs): EpochMs {
  if (series.nextTime <= time) account.markNumber = series.goOn(time);
  return series.nextTime;
}
