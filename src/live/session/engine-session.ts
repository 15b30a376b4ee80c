import { from } from 'rxjs';
import {
  formatUtc,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type VenueInterval,
} from '../../domain/index.js';
import {
  alignSlices,
  type CandleSlice,
  type MarketFeed,
  type StreamStatus,
} from '../../feed/index.js';
import {
  describeAmbientUse,
  type Engine,
  type Command,
  type EngineEvent,
  type PriceSample,
} from '../../engine/index.js';
import type { BotStatus } from '../bot/bot-control.js';
import type { Activity } from '../bot/activity.js';
import { EventPump } from './event-pump.js';
import { holeCondition } from '../bot/health-news.js';
import { MarketRunner, type HeldMarks, type MarksAt } from './market-runner.js';
import { ReadingWatch } from '../market/reading-watch.js';
import { timeOfPhase, type SessionTime } from './session-time.js';

/** One configured stream with the closed candles that warm the strategy up, oldest first. */
export interface WarmStream {
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  readonly history: readonly Candle[];
  /** Open time of the last candle that the engine already has. @defaultValue the last of its history */
  readonly after?: EpochMs | undefined;
}

export interface EngineSessionOptions {
  /** Constructed, started, and before its first event. */
  readonly engine: Engine;
  /** Source of candles and marks. */
  readonly venue: { readonly feed: MarketFeed };
  readonly time: SessionTime;
  /** Counts work that is under way, including calls of the feed. */
  readonly activity: Activity;
  /** In the order of the config. */
  readonly streams: readonly WarmStream[];
  readonly marksAt: MarksAt;
  /** Marks known at the end of the warm-up. @defaultValue none before the first reading */
  readonly warmMarks?: readonly PriceSample[] | undefined;
  /** Prices of opening holdings for which no candle gives a price. @defaultValue none */
  readonly openingPrices?: readonly PriceSample[] | undefined;
  /** Delay from a candle's close to its event in the warm-up, in ms, as in a backtest. */
  readonly dataDelayMs: number;
  readonly alignMs: number;
  /** Whether candles wait for their marks without limit; for runs in which time stands still meanwhile. @defaultValue they wait at most `alignMs` */
  readonly awaitsMarks?: boolean | undefined;
  /** See {@link HeldMarks}. @defaultValue each mark is a call */
  readonly heldMarks?: HeldMarks | undefined;
  /** Whether an instrument is gone from the venue. It is then not read. @defaultValue all are there */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
  /** Largest age of a candle at arrival, in ms. After an older candle no entry is made, for another `lateMs`. */
  readonly lateMs: number;
  /** See {@link EventPumpOptions.breathe}. @defaultValue a warm-up is fed in one go */
  readonly breathe?: (() => Promise<void>) | undefined;
  /** Whether the engine was replayed from a journal. @defaultValue false */
  readonly isReplayed?: boolean | undefined;
  /** Called after each event, when it and its commands are stored on disk. */
  readonly onProcessed: (event: EngineEvent, commands: readonly Command[]) => void;
  /** Called when a condition begins, or ends (`text` undefined). */
  readonly onCondition: (name: string, text: string | undefined) => void;
  /** Called with the state of a stream. */
  readonly onStream?: ((stream: BotStatus['streams'][number]) => void) | undefined;
  /** Takes a text for the log; nothing needs to be done. */
  readonly onNotice: (text: string) => void;
  /** Called when the session cannot go on. It has stopped taking events. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * One engine and its market. Events go in one by one: warm-up, closed candles with their marks, timers, and events that other parts push. Other parts
 * carry out its commands.
 */
export class EngineSession {
  readonly #options: EngineSessionOptions;
  readonly #pump: EventPump;
  readonly #readings: ReadingWatch;
  #market: MarketRunner | undefined;
  /** Open time of the last candle of each stream that the engine was given since {@link run}. */
  readonly #lastTold = new Map<string, EpochMs>();
  #cancelTimer = (): void => undefined;
  #cancelOld = (): void => undefined;
  #timerDue: EpochMs = Number.POSITIVE_INFINITY;
  #isOpened: boolean;
  #isReading = false;
  /** Number of ambient uses (clock, randomness) that were already reported. */
  #toldUses = 0;

  constructor(options: EngineSessionOptions) {
    this.#options = options;
    // A replayed engine that is warm has already valued its opening holdings.
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

  /** Reports each place once. The number of uses is not known yet. */
  #tellUses(): void {
    const { engine, onNotice } = this.#options;
    for (const use of engine.ambientUses.slice(this.#toldUses))
      onNotice(describeAmbientUse(use, (file) => file));
    this.#toldUses = engine.ambientUses.length;
  }

  /** Feeds the warm-up; events pushed later come after it. Resolves when the warm-up is over. A replayed engine needs none. */
  warmUp(): Promise<void> {
    for (const slice of slicesOf(this.#options)) this.#warm(slice);
    const { warmMarks: marks = [], engine } = this.#options;
    if (marks.length > 0) this.#pump.push(() => ({ kind: 'marks', time: engine.now(), marks }));
    // The next event may be a price that the strategy trades on, long before a candle.
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

  /** Restarts reading the market after an instrument has gone or returned. Data that was read but not yet given to the engine is read again. */
  followListings(): void {
    if (!this.#isReading) return;
    const { onCondition, streams } = this.#options;
    this.#market?.stop();
    // Failed readings of gone instruments no longer matter.
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

  /** Appends an event. It is dropped if `isWanted` returns false when its turn comes. */
  pushIf(isWanted: () => boolean, make: (time: EpochMs) => EngineEvent): void {
    this.#pump.pushIf(isWanted, make);
  }

  /** Stops reading the market. */
  expectEnd(): void {
    this.#market?.stop();
    this.#isReading = false;
    this.#readings.stop();
  }

  /** Stops reading the market and stops timers. Events that were pushed are still taken. */
  stopPolling(): void {
    this.expectEnd();
    this.#cancelTimer();
    this.#cancelOld();
  }

  /** Stops the session. No more events are taken. */
  stop(): void {
    this.stopPolling();
    this.#pump.stop();
  }

  #isGone(instrumentId: InstrumentId): boolean {
    return this.#options.isGone?.(instrumentId) === true;
  }

  #runMarket(): void {
    const { venue, time, marksAt, alignMs, onNotice, onCondition } = this.#options;
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
      marksAt: (closeTime) => marksAt(closeTime).filter(isThere),
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

  /** A stale stream degrades the bot. A stream without listeners (`status` undefined) does not. */
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
    // No entry is made on an old candle, also some time later. The next candle may be a day away.
    if (isOld)
      this.#cancelOld = time.after('market', lateMs, () => {
        onCondition('old', undefined);
      });
    for (const { instrumentId, interval } of late)
      this.#options.onNotice(
        `${instrumentId} ${interval}: its candle is late and is processed alone`,
      );
    this.#open();
    this.#pump.push((time) => ({ kind: 'candles', time, candles }));
  }

  /** Values the opening holdings once, when the strategy is warm and before anything can be traded. */
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
      // A candle of the same time has fired the timer already, or fires it before this event has its turn.
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
