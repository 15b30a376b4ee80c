import type { Observable } from 'rxjs';
import {
  DomainError,
  matchInstrumentId,
  present,
  type Candle,
  type DepthReading,
  type EpochMs,
  type IndexReading,
  type InstrumentId,
  type Interval,
  type MarkPrice,
  type MarketReading,
  type ReadingStream,
  type TickerReading,
  type TradePrint,
} from '../../domain/index.js';
import type {
  AnyIndicator,
  InstrumentStreams,
  Market,
  StreamReference,
} from '../../strategy/index.js';
import { FollowUp } from '../intents/follow-up.js';
import { refusePromise } from '../strategy/refuse-promise.js';
import {
  CandleStream,
  type StreamId,
  type StreamWarmup,
  type WarmupTerms,
} from './candle-stream.js';
import { Channel } from './channel.js';
import { ReadingHub } from './reading-hub.js';

/** Its result is ignored, except that a promise is refused. */
export type CandleListener = (candle: Candle) => unknown;

interface HubInstrument extends InstrumentStreams {
  /** Whether no orders are sent to it. @defaultValue false */
  readonly isReadOnly?: boolean | undefined;
}

/** Hands candles to indicators, streams and listeners, and knows when the strategy is warm. */
export class MarketHub implements Market {
  readonly #instruments: readonly HubInstrument[];
  /** Whether no orders are sent to some instrument. */
  readonly hasReadOnly: boolean;
  readonly #streams: readonly CandleStream[];
  /** Whole slices, each after all of its candles. */
  readonly slices: Channel<readonly Candle[]>;
  readonly #marks = new Map<InstrumentId, Channel<MarkPrice>>();
  readonly #first: InstrumentId;
  readonly #names = new Map<string, InstrumentId>();
  /** The name that was looked up last, and its instrument if that is known. */
  #latestName: string | undefined;
  #latestId: InstrumentId | undefined;
  readonly #readings: ReadingHub;
  readonly #followUp: FollowUp;
  readonly #onFailure: (error: unknown) => void;
  #listeners: readonly CandleListener[] = [];
  #coldStreams = 0;
  isWarm = true;
  #expected = 0;
  #isFixed = false;

  /** `servesReadings`: whether polled data besides candles is available. `followUp` is set when marks are requested. `onFailure` takes errors of listeners. */
  constructor(
    instruments: readonly HubInstrument[],
    servesReadings = false,
    followUp = new FollowUp(),
    onFailure: (error: unknown) => void = rethrow,
  ) {
    this.#onFailure = onFailure;
    this.#instruments = instruments;
    this.hasReadOnly = instruments.some(({ isReadOnly }) => isReadOnly === true);
    this.#followUp = followUp;
    this.slices = new Channel(followUp);
    this.#readings = new ReadingHub(servesReadings);
    this.#first = present(instruments[0], 'first instrument').instrumentId;
    this.#streams = instruments.flatMap(({ instrumentId, intervals }) =>
      intervals.map((interval) => new CandleStream({ instrumentId, interval }, followUp)),
    );
  }

  get slices$(): Observable<readonly Candle[]> {
    return this.slices.values$;
  }

  /** Instruments that may be traded, in the order of the config. */
  get instrumentIds(): readonly InstrumentId[] {
    return this.#instruments
      .filter(({ isReadOnly }) => isReadOnly !== true)
      .map(({ instrumentId }) => instrumentId);
  }

  /** The instrument that an intent names, if it is read-only; otherwise undefined. */
  findReadOnly(name: string | undefined): InstrumentId | undefined {
    const id = this.resolveInstrument(name);
    const isReadOnly = this.#instruments.some((one) => one.instrumentId === id && one.isReadOnly);
    return isReadOnly ? id : undefined;
  }

  candles$(instrument?: string, interval?: Interval): Observable<Candle> {
    return this.#resolve({ ...(instrument && { instrument }), ...(interval && { interval }) })
      .channel.values$;
  }

  marks$(instrument?: string): Observable<MarkPrice> {
    const instrumentId = this.resolveInstrument(instrument);
    let channel = this.#marks.get(instrumentId);
    if (channel === undefined) {
      channel = new Channel();
      this.#marks.set(instrumentId, channel);
      this.#followUp.isNeeded = true;
    }
    return channel.values$;
  }

  ticker$(instrument?: string): Observable<TickerReading> {
    return this.#readings.ticker$(this.resolveInstrument(instrument));
  }

  depth$(instrument?: string): Observable<DepthReading> {
    return this.#readings.depth$(this.resolveInstrument(instrument));
  }

  trades$(instrument?: string): Observable<TradePrint> {
    return this.#readings.trades$(this.resolveInstrument(instrument));
  }

  index$(instrument?: string): Observable<IndexReading> {
    return this.#readings.index$(this.resolveInstrument(instrument));
  }

  /** Streams besides candles and marks that have subscribers. */
  wantedReadings(): readonly ReadingStream[] {
    return this.#readings.wanted();
  }

  /** Funding rate of a contract, as it was read last. */
  fundingRate(instrumentId: InstrumentId): number | undefined {
    return this.#readings.fundingRate(instrumentId);
  }

  deliverReading(reading: MarketReading): void {
    try {
      this.#readings.deliver(reading);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** @throws {DomainError} `E_INDICATOR_LATE` once the warm-up is fixed: it would not count the indicator's lookback. */
  attach(indicator: AnyIndicator, reference: StreamReference): void {
    if (this.#isFixed) {
      throw new DomainError(
        'E_INDICATOR_LATE',
        'expected indicators to be made while the strategy is constructed, in its fields',
      );
    }
    this.#resolve(reference).indicators.push(indicator);
  }

  listen(onCandle: CandleListener): () => void {
    this.#listeners = [...this.#listeners, onCandle];
    this.#followUp.isNeeded = true;
    return () => {
      this.#listeners = this.#listeners.filter((candidate) => candidate !== onCandle);
      this.#followUp.isNeeded = true;
    };
  }

  /**
   * The only listener to the rows that a stream has begun, if these rows need nothing else but that indicators follow them; otherwise undefined. Stays
   * so up to the last row, or until a follow-up is needed.
   */
  onlyListenerOf(stream: CandleStream): CandleListener | undefined {
    const isOnly = this.isWarm && stream.isOnlyFollowed && !this.slices.isObserved;
    return isOnly && this.#listeners.length === 1 ? this.#listeners[0] : undefined;
  }

  /**
   * Fixes how many candles each stream delivers before it is warm: the longest lookback of its indicators, at least `minimum`. With `start`, it delivers
   * more, until the indicators have forgotten where they began. A stream that has candles for its longest lookback is warm with the last candle before
   * the start.
   *
   * @throws {DomainError} `E_WARMUP` when `minimum` or a lookback is not a whole number from 0.
   */
  beginWarmup(terms: WarmupTerms): readonly StreamWarmup[] {
    this.#isFixed = true;
    const { minimum } = terms;
    const attached = this.#streams.flatMap(({ indicators }) => indicators);
    for (const candles of [minimum, ...attached.map(({ lookback }) => lookback)]) {
      if (!Number.isSafeInteger(candles) || candles < 0) {
        throw new DomainError(
          'E_WARMUP',
          `expected warmup and lookbacks to be whole numbers of candles >= 0, received ${String(candles)}`,
        );
      }
    }
    const shared = new Set(attached.filter((one, index) => attached.indexOf(one) !== index));
    const warmups = this.#streams.map((stream) => {
      stream.sharedIndicators = shared;
      stream.findFollowers();
      return stream.beginWarmup(terms);
    });
    this.#coldStreams = this.#streams.filter((stream) => stream.warmupLeft > 0).length;
    this.isWarm = this.#coldStreams === 0;
    return warmups;
  }

  /**
   * Delivers one candle of a slice: to the indicators first, then to the stream, then to the listeners. `wasWarm`: whether the strategy was warm before
   * the slice, because a slice that ends the warm-up belongs to the warm-up as a whole. Call {@link CandleStream.beginRows} before.
   */
  deliver(stream: CandleStream, row: number, candle: Candle, wasWarm: boolean): void {
    try {
      this.#deliver(stream, row, candle, wasWarm);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #deliver(stream: CandleStream, row: number, candle: Candle, wasWarm: boolean): void {
    stream.feed(row, candle);
    if (stream.warmupLeft > 0) {
      this.#warmUp(stream, candle);
      return;
    }
    if (stream.channel.isObserved) stream.channel.push(candle);
    if (!wasWarm) return;
    const listeners = this.#listeners;
    for (let index = 0; index < listeners.length; index += 1) {
      const listener = listeners[index] as CandleListener;
      refusePromise('onCandle', listener(candle));
    }
  }

  /** Delivers a whole slice. Call after each of its candles has been delivered. */
  deliverSlice(candles: readonly Candle[]): void {
    this.#tell(this.slices, candles);
  }

  #tell<T>(channel: Channel<T>, value: T): void {
    try {
      channel.push(value);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #warmUp(stream: CandleStream, candle: Candle): void {
    stream.channel.push(candle);
    // A subscriber has failed, and `silence` has ended the warm-up.
    if (stream.warmupLeft === 0) return;
    stream.warmupLeft -= 1;
    if (stream.warmupLeft > 0 && !stream.isWarmWith(candle)) return;
    stream.warmupLeft = 0;
    this.#coldStreams -= 1;
    this.isWarm = this.#coldStreams === 0;
    this.#followUp.isNeeded = true;
  }

  /** Least number of slices until another stream is warm; Infinity if all are. */
  get slicesUntilWarmer(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { candlesUntilWarm } of this.#streams) least = Math.min(least, candlesUntilWarm);
    return least;
  }

  stream({ instrumentId, interval }: StreamId): CandleStream {
    return this.#resolve({ instrument: instrumentId, interval });
  }

  /** Whether a stream of mark prices was requested, which may be subscribed to later. */
  get hasMarkStreams(): boolean {
    return this.#marks.size > 0;
  }

  /** Whether any stream of mark prices has a subscriber. */
  get observesMarks(): boolean {
    if (this.#marks.size === 0) return false;
    for (const channel of this.#marks.values()) if (channel.isObserved) return true;
    return false;
  }

  /** Delivers a mark price. Costs nothing without a subscriber. */
  deliverMark(instrumentId: InstrumentId, time: EpochMs, price: number): void {
    const channel = this.#marks.get(instrumentId);
    if (channel?.isObserved === true) this.#tell(channel, { instrumentId, time, price });
  }

  /** Stops all deliveries, because the strategy has failed. The hub then counts as warm. */
  silence(): void {
    for (const stream of this.#streams) {
      stream.channel.silence();
      stream.indicators.length = 0;
      stream.findFollowers();
      stream.warmupLeft = 0;
    }
    for (const channel of this.#marks.values()) channel.silence();
    this.#marks.clear();
    this.slices.silence();
    this.#readings.silence();
    this.#listeners = [];
    this.#coldStreams = 0;
    this.isWarm = true;
  }

  complete(): void {
    for (const { channel } of this.#streams) channel.complete();
    for (const channel of this.#marks.values()) channel.complete();
    this.slices.complete();
    this.#readings.complete();
    this.#listeners = [];
  }

  /**
   * Full id of an instrument named by id, by bare symbol, or not at all (the first).
   *
   * @throws {DomainError} `E_INSTRUMENT_UNKNOWN` when none or several have the name.
   */
  resolveInstrument(name: string | undefined): InstrumentId {
    if (name === undefined) return this.#first;
    const known = this.knownInstrument(name);
    if (known !== undefined) return known;
    const match = matchInstrumentId(
      this.#instruments.map(({ instrumentId }) => instrumentId),
      name,
    );
    this.#names.set(name, match);
    this.#latestName = undefined;
    return match;
  }

  /** As {@link resolveInstrument}, for names that were resolved before; undefined for others. */
  knownInstrument(name: string | undefined): InstrumentId | undefined {
    if (name === undefined) return this.#first;
    if (name !== this.#latestName) {
      this.#latestName = name;
      this.#latestId = this.#names.get(name);
    }
    return this.#latestId;
  }

  #resolve({ instrument, interval }: StreamReference): CandleStream {
    const instrumentId = this.resolveInstrument(instrument);
    const stream = this.#streams.find(
      (candidate) =>
        candidate.instrumentId === instrumentId &&
        (interval === undefined || candidate.interval === interval),
    );
    if (stream === undefined) {
      const known = this.#streams
        .map((candidate) => `${candidate.instrumentId} ${candidate.interval}`)
        .join(', ');
      throw new DomainError(
        'E_STREAM_UNKNOWN',
        `expected one stream of ${known}, received ${instrumentId} ${String(interval)}`,
      );
    }
    return stream;
  }

  /**
   * The stream of a candle. Streams usually come in the same order, so the stream after the last one is tried first.
   *
   * @throws {DomainError} `E_STREAM_UNKNOWN` when the candle is of no configured stream.
   */
  streamOf(candle: Candle): CandleStream {
    const streams = this.#streams;
    for (let tries = 0; tries < streams.length; tries += 1) {
      const stream = streams[this.#expected];
      this.#expected = this.#expected + 1 >= streams.length ? 0 : this.#expected + 1;
      if (stream?.instrumentId === candle.instrumentId && stream.interval === candle.interval)
        return stream;
    }
    throw new DomainError(
      'E_STREAM_UNKNOWN',
      `expected a candle of a configured stream, received ${candle.instrumentId} ${candle.interval}`,
    );
  }
}

function rethrow(error: unknown): never {
  throw error;
}
