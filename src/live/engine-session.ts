import { from } from 'rxjs';
import {
  formatUtc,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type VenueInterval,
} from '../domain/index.js';
import {
  alignSlices,
  type CandleSlice,
  type MarketFeed,
  type StreamStatus,
} from '../feed/index.js';
import {
  describeAmbientUse,
  type Engine,
  type Command,
  type EngineEvent,
  type PriceSample,
} from '../engine/index.js';
import type { BotStatus } from './bot-control.js';
import type { Activity } from './activity.js';
import { EventPump } from './event-pump.js';
import { holeCondition } from './health-news.js';
import { MarketRunner, type HeldMarks } from './market-runner.js';
import { ReadingWatch } from './reading-watch.js';
import { timeOfPhase, type SessionTime } from './session-time.js';

/** One configured stream with the closed candles that warm the strategy up, oldest first. */
export interface WarmStream {
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  readonly history: readonly Candle[];
  /** Open time of the last candle that the engine has already. @defaultValue the last of its history */
  readonly after?: EpochMs | undefined;
}

export interface EngineSessionOptions {
  /** Constructed, started, and before its first event. */
  readonly engine: Engine;
  /** Where candles and marks come from. */
  readonly venue: { readonly feed: MarketFeed };
  readonly time: SessionTime;
  /** Counts what is under way, calls of the feed included. */
  readonly activity: Activity;
  /** In the order of the config. */
  readonly streams: readonly WarmStream[];
  /** Contracts whose marks are read, and at multiples of how many milliseconds. */
  readonly marks: ReadonlyMap<InstrumentId, number>;
  /** Marks that are known when the warm-up ends. @defaultValue none before the first that is read */
  readonly warmMarks?: readonly PriceSample[] | undefined;
  /** Prices of what the account holds from the start where no candle has one. @defaultValue none */
  readonly openingPrices?: readonly PriceSample[] | undefined;
  /** From a candle's close to when the engine is told of it in warm-up, as in a backtest. */
  readonly dataDelayMs: number;
  readonly alignMs: number;
  /** Whether candles wait for their marks however long that takes: where time stands meanwhile. @defaultValue at most `alignMs` */
  readonly awaitsMarks?: boolean | undefined;
  /** See {@link HeldMarks}. @defaultValue each mark is a call */
  readonly heldMarks?: HeldMarks | undefined;
  /** Whether the venue has an instrument no more: nothing is read of it. @defaultValue all are there */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
  /** How old a candle may be when it comes, in ms: with an older one, and for as long after it came, nothing is entered. */
  readonly lateMs: number;
  /** See {@link EventPumpOptions.breathe}. @defaultValue a warm-up is fed in one go */
  readonly breathe?: (() => Promise<void>) | undefined;
  /** Whether the engine was replayed from a journal. @defaultValue false */
  readonly isReplayed?: boolean | undefined;
  /** Called after each event, when it and its commands are on the disk. */
  readonly onProcessed: (event: EngineEvent, commands: readonly Command[]) => void;
  /** A condition begins, or ends (`text` undefined). */
  readonly onCondition: (name: string, text: string | undefined) => void;
  /** How a stream is. */
  readonly onStream?: ((stream: BotStatus['streams'][number]) => void) | undefined;
  /** Something that is worth a line in the log and needs nothing done. */
  readonly onNotice: (text: string) => void;
  /** The session cannot go on: it has stopped taking events. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * One engine with the market it sees: warm-up, closed candles with their marks, and its timers go in one by one, as does what others push.
 * What becomes of its commands is for others.
 */
export class EngineSession {
  readonly #options: EngineSessionOptions;
  readonly #pump: EventPump;
  readonly #readings: ReadingWatch;
  #market: MarketRunner | undefined;
  /** Open time of the last candle of each stream that was told from {@link run} on. */
  readonly #lastTold = new Map<string, EpochMs>();
  #cancelTimer = (): void => undefined;
  #cancelOld = (): void => undefined;
  #timerDue: EpochMs = Number.POSITIVE_INFINITY;
  #isOpened: boolean;
  #isReading = false;
  /** Of the engine's uses of the outside, how many have been told of. */
  #toldUses = 0;

  constructor(options: EngineSessionOptions) {
    this.#options = options;
    // An engine that was replayed up to its trading has valued what it held.
    this.#isOpened = options.engine.isWarm && options.isReplayed === true;
    this.#pump = new EventPump({
      engine: options.engine,
      now: () => options.time.now(),
      activity: options.activity,
      breathe: options.breathe,
      onProcessed: (event, commands) => {
        options.onProcessed(event, commands);
        this.#armTimer();
        if (this.#isReading) this.#readings.follow();
        if (options.engine.ambientUses.length > this.#toldUses) this.#tellUses();
      },
      onFailure: options.onFailure,
    });
    this.#readings = this.#watchReadings();
  }

  #watchReadings(): ReadingWatch {
    const { engine, venue, time } = this.#options;
    return new ReadingWatch({
      feed: venue.feed,
      now: () => time.now(),
      wanted: () => engine.wantedReadings().filter((each) => !this.#isGone(each.instrumentId)),
      onReading: (make) => {
        this.#pump.push((at) => ({ kind: 'reading', time: at, reading: make(at) }));
      },
      onStatus: ({ kind, instrumentId }, status) => {
        const isOrAre = kind === 'trades' ? 'are' : 'is';
        const name = `${instrumentId} ${kind}`;
        this.#tellStream(`${kind} of ${instrumentId} ${isOrAre}`, name, status);
      },
      onFailure: this.#options.onFailure,
    });
  }

  /** Each place once: how often it was comes to be known later. */
  #tellUses(): void {
    const { engine, onNotice } = this.#options;
    for (const use of engine.ambientUses.slice(this.#toldUses))
      onNotice(describeAmbientUse(use, (file) => file));
    this.#toldUses = engine.ambientUses.length;
  }

  /** Feeds the warm-up; what is pushed afterwards comes after it. Resolves when it is over. A session whose engine was replayed needs none. */
  warmUp(): Promise<void> {
    for (const slice of slicesOf(this.#options)) this.#warm(slice);
    const { warmMarks: marks = [], engine } = this.#options;
    if (marks.length > 0) this.#pump.push(() => ({ kind: 'marks', time: engine.now(), marks }));
    // What comes next may be a price that the strategy trades on, long before a candle.
    this.#open();
    return this.#pump.drained();
  }

  /** Reads the market from now on. A second call changes nothing. */
  run(): void {
    if (this.#isReading) return;
    this.#runMarket();
    this.#armTimer();
    this.#isReading = true;
    this.#readings.follow();
  }

  /** Reads the market of what is there now: something has gone, or is there again. What was read and not told yet is read anew. */
  followListings(): void {
    if (!this.#isReading) return;
    const { onCondition, streams } = this.#options;
    this.#market?.stop();
    // What could not be read of what has gone is no trouble any more.
    onCondition('marks', undefined);
    for (const { instrumentId, interval } of streams)
      if (this.#isGone(instrumentId)) onCondition(`stream ${instrumentId} ${interval}`, undefined);
    this.#runMarket();
    this.#readings.follow();
  }

  /** Appends an event; `make` is given its time. */
  push(make: (time: EpochMs) => EngineEvent): void {
    this.#pump.push(make);
  }

  /** Appends an event that is dropped when it is no longer wanted once its turn has come. */
  pushIf(isWanted: () => boolean, make: (time: EpochMs) => EngineEvent): void {
    this.#pump.pushIf(isWanted, make);
  }

  /** Reads no market any more. */
  expectEnd(): void {
    this.#market?.stop();
    this.#isReading = false;
    this.#readings.stop();
  }

  /** Reads no market any more, and wakes for no timer. What was pushed is still taken. */
  stopPolling(): void {
    this.expectEnd();
    this.#cancelTimer();
    this.#cancelOld();
  }

  /** Takes nothing any more. */
  stop(): void {
    this.stopPolling();
    this.#pump.stop();
  }

  #isGone(instrumentId: InstrumentId): boolean {
    return this.#options.isGone?.(instrumentId) === true;
  }

  #runMarket(): void {
    const { venue, time, marks, alignMs, onNotice, onCondition } = this.#options;
    const isThere = (id: InstrumentId): boolean => !this.#isGone(id);
    const streams = this.#options.streams.filter(({ instrumentId }) => isThere(instrumentId));
    this.#market = new MarketRunner({
      feed: venue.feed,
      time,
      activity: this.#options.activity,
      streams: streams.map(({ instrumentId, interval, history, after }) => ({
        instrumentId,
        interval,
        after:
          this.#lastTold.get(`${instrumentId} ${interval}`) ?? after ?? history.at(-1)?.openTime,
      })),
      marks: new Map([...marks].filter(([id]) => isThere(id))),
      alignMs,
      awaitsMarks: this.#options.awaitsMarks ?? false,
      heldMarks: this.#options.heldMarks,
      onSlice: (slice) => {
        this.#takeSlice(slice);
      },
      onMarks: (samples) => {
        this.#open();
        this.#pump.push((at) => ({ kind: 'marks', time: at, marks: samples }));
      },
      onMarkState: (error) => {
        onCondition('marks', error && `marks: ${error.message}`);
      },
      onNotice: ({ instrumentId, interval }, notice) => {
        if (notice.kind === 'hole')
          onCondition(
            holeCondition(instrumentId, interval),
            `${instrumentId} ${interval}: no candles from ${formatUtc(notice.from)} to ${formatUtc(notice.to)}`,
          );
        else if (notice.kind === 'candleRevised')
          onNotice(
            `${instrumentId} ${interval}: the venue has changed the candle of ${formatUtc(notice.after.openTime)} after it was final`,
          );
      },
      onStatus: ({ instrumentId, interval }, status) => {
        const name = `${instrumentId} ${interval}`;
        this.#tellStream(`candles of ${name} are`, name, status);
      },
      onFailure: this.#options.onFailure,
    });
    this.#market.start();
  }

  /** A stream that is not fresh leaves the bot degraded; one to which nobody listens any more does not. */
  #tellStream(what: string, name: string, status: StreamStatus | undefined): void {
    const { onStream, onCondition } = this.#options;
    if (status === undefined) {
      onCondition(`stream ${name}`, undefined);
      return;
    }
    const { state, code, lastData } = status;
    onStream?.({ name, state, lastData });
    const isBad = state === 'stale' || state === 'down';
    const why = code === undefined ? '' : ` (${code})`;
    onCondition(`stream ${name}`, isBad ? `${what} ${state}${why}` : undefined);
  }

  #warm({ closeTime, candles }: CandleSlice): void {
    this.#open();
    const time = closeTime + this.#options.dataDelayMs;
    this.#pump.push(() => ({ kind: 'candles', time, candles }));
  }

  #takeSlice({ closeTime, candles, late }: CandleSlice): void {
    const { time, lateMs, onCondition, onStream } = this.#options;
    for (const { instrumentId, interval, openTime } of candles) {
      const name = `${instrumentId} ${interval}`;
      this.#lastTold.set(name, openTime);
      onStream?.({ name, state: 'live', lastData: time.now() });
    }
    const isOld = time.now() - closeTime > lateMs;
    this.#cancelOld();
    onCondition('old', isOld ? `candles of ${formatUtc(closeTime)} come late` : undefined);
    // What is decided on it enters nothing, also some time later. The next candle may be a day away.
    if (isOld)
      this.#cancelOld = time.after('market', lateMs, () => {
        onCondition('old', undefined);
      });
    for (const { instrumentId, interval } of late)
      this.#options.onNotice(`${instrumentId} ${interval}: its candle is late and comes alone`);
    this.#open();
    this.#pump.push((time) => ({ kind: 'candles', time, candles }));
  }

  /** What the account holds from the start is valued once, when the strategy is warm and before anything can be traded. */
  #open(): void {
    const { engine, openingPrices = [] } = this.#options;
    this.#pump.pushIf(
      () => engine.isWarm && !this.#isOpened,
      () => {
        this.#isOpened = true;
        const prices = openingPrices.filter(({ instrumentId }) =>
          Number.isNaN(engine.portfolio.instrument(instrumentId).lastNumber),
        );
        return { kind: 'opening', time: engine.now(), prices };
      },
    );
  }

  #armTimer(): void {
    const { engine, time } = this.#options;
    const due = engine.nextTimer();
    if (due === this.#timerDue) return;
    this.#cancelTimer();
    this.#timerDue = due;
    if (due === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = time.after('timers', Math.max(0, due - time.now()), () => {
      this.#timerDue = Number.POSITIVE_INFINITY;
      // A candle of the same instant has fired it already, or does before it is its turn.
      const isDue = (): boolean => engine.nextTimer() <= time.now();
      if (isDue()) this.#pump.pushIf(isDue, (at) => ({ kind: 'timer', time: at }));
      else this.#armTimer();
    });
  }
}

/** The warm-up as slices, in order. */
function slicesOf({ streams, time }: EngineSessionOptions): readonly CandleSlice[] {
  const candles = streams
    .flatMap(({ history }) => history)
    .sort((a, b) => a.closeTime - b.closeTime);
  const slices: CandleSlice[] = [];
  from(candles)
    .pipe(alignSlices(streams, { time: timeOfPhase(time, 'market'), alignMs: 0 }))
    .subscribe({
      next: (slice) => slices.push(slice),
      error: (error: unknown) => {
        throw error;
      },
    });
  return slices;
}
