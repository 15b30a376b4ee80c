import { from } from 'rxjs';
import {
  formatUtc,
  TransportError,
  type Candle,
  type EpochMs,
  type Instrument,
  type InstrumentId,
  type TradingError,
  type VenueInterval,
} from '../../domain/index.js';
import {
  alignSlices,
  type CandleSlice,
  type EstimateFee,
  type FillBook,
  type MarketFeed,
} from '../../feed/index.js';
import type {
  AccountSource,
  ExecutionAdapter,
  MarketDataSource,
  OrderUpdate,
} from '../../venue/index.js';
import type { Engine } from '../engine.js';
import type { Command, EngineEvent, PriceSample } from '../events.js';
import type { BotStatus } from './bot-control.js';
import { AccountReader } from './account-reader.js';
import { AccountWatch } from './account-watch.js';
import type { Activity } from './activity.js';
import { CommandLanes } from './command-lanes.js';
import { EventPump } from './event-pump.js';
import { MarketRunner } from './market-runner.js';
import { OwnOrders, type OwnOrderState } from './own-orders.js';
import { timeOfPhase, type SessionTime } from './session-time.js';
import { StopSamples } from './stop-samples.js';

/** Where a session's market data and its account come from, and where its commands go. */
export interface SessionVenue {
  readonly market: MarketDataSource;
  readonly account: AccountSource;
  readonly execution: ExecutionAdapter;
  readonly feed: MarketFeed;
}

/** One configured stream with the closed candles that warm the strategy up, oldest first. */
export interface WarmStream {
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  readonly history: readonly Candle[];
  /** Open time of the last candle that the engine has already. @defaultValue the last of its history */
  readonly after?: EpochMs | undefined;
}

export interface MarketSessionOptions {
  /** Constructed, started, and before its first event. */
  readonly engine: Engine;
  readonly venue: SessionVenue;
  readonly time: SessionTime;
  /** Counts what is under way, calls of the feed included. */
  readonly activity: Activity;
  readonly instruments: readonly Instrument[];
  /** In the order of the config. */
  readonly streams: readonly WarmStream[];
  /** Contracts whose marks are read, and at multiples of how many milliseconds. */
  readonly marks: ReadonlyMap<InstrumentId, number>;
  /** From a candle's close to when the engine is told of it in warm-up, as in a backtest. */
  readonly dataDelayMs: number;
  readonly alignMs: number;
  readonly updatePollMs: number;
  readonly stopPollMs: number;
  readonly idleMs: number;
  /** How old a candle may be when it comes: on older ones nothing is entered. */
  readonly lateMs: number;
  /** Newest own trade that is known already, by instrument. */
  readonly lastTrades: ReadonlyMap<InstrumentId, string>;
  /** What was traded before is nobody's concern. @defaultValue everything is the bot's */
  readonly since?: EpochMs | undefined;
  /** Whether orders and executions that are not the bot's are let be. @defaultValue false: they degrade it */
  readonly ignoresForeign?: boolean | undefined;
  /** Whether the engine was replayed from a journal. @defaultValue false */
  readonly isReplayed?: boolean | undefined;
  /** What was told of fills before. @defaultValue nothing */
  readonly fills?: FillBook | undefined;
  /** What an execution costs whose trade the venue does not serve. @defaultValue such an execution is waited for */
  readonly estimateFee?: EstimateFee | undefined;
  /**
   * Lets a command travel: calls `depart` when it is to be sent. In live that is at once; in lockstep, when it would arrive.
   */
  readonly travel: (command: Command, time: EpochMs, depart: () => void) => void;
  /** Whether commands go one after the other, as a simulated venue takes them. */
  readonly isSequential: boolean;
  /** Looks for an order whose submit has no known outcome; resolves when it is known. */
  readonly resolveUnknown: (order: OwnOrderState, session: MarketSession) => Promise<void>;
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
 * One engine on a venue that is reached by polling: events go in one by one, commands go out, and what became of them comes back as events.
 *
 * It knows nothing of who asked for it: a live bot, or a parity run whose time moves in steps.
 */
export class MarketSession {
  readonly orders = new OwnOrders();
  readonly lanes: CommandLanes;
  readonly reader: AccountReader;
  readonly #options: MarketSessionOptions;
  readonly #pump: EventPump;
  readonly #watch: AccountWatch;
  readonly #samples: StopSamples;
  readonly #controller = new AbortController();
  readonly #searches = new AbortController();
  #market: MarketRunner | undefined;
  #cancelTimer = (): void => undefined;
  #timerDue: EpochMs = Number.POSITIVE_INFINITY;
  #isOpened: boolean;
  #isStopped = false;

  constructor(options: MarketSessionOptions) {
    this.#options = options;
    // An engine that was replayed up to its trading has valued what it held.
    this.#isOpened = options.engine.isWarm && options.isReplayed === true;
    const { engine, time, venue, instruments, activity } = options;
    const { orders } = this;
    const { signal } = this.#controller;
    const onFailure = (error: unknown): void => {
      this.#fail(error);
    };
    this.#pump = new EventPump({
      engine,
      now: () => time.now(),
      activity,
      onProcessed: (event, commands) => {
        this.#processed(event, commands);
      },
      onFailure,
    });
    this.reader = new AccountReader({
      source: venue.account,
      orders,
      instruments,
      lastTrades: options.lastTrades,
      fills: options.fills,
      estimateFee: options.estimateFee,
      now: () => time.now(),
      signal,
      onUpdate: (update) => {
        this.#pump.push((at) => ({ kind: 'venue', time: at, update }));
      },
      onForeign: (trades) => {
        for (const { instrumentId, venueOrderId, time: at } of trades)
          if (at >= (options.since ?? Number.NEGATIVE_INFINITY))
            this.#noteForeign(
              instrumentId,
              `an execution on ${formatUtc(at)} is of order ${venueOrderId}`,
            );
      },
      onForeignOrders: (found) => {
        for (const { instrumentId, venueOrderId } of found)
          this.#noteForeign(instrumentId, `order ${venueOrderId} works there`);
      },
    });
    const common = { time, activity, signal, onFailure };
    this.lanes = new CommandLanes({
      ...common,
      adapter: venue.execution,
      reader: this.reader,
      orders,
      isSequential: options.isSequential,
      onUpdate: (update) => {
        this.#pump.push((at) => ({ kind: 'venue', time: at, update }));
      },
      resolveUnknown: (order) => options.resolveUnknown(order, this),
      onRefusedKey: (error) => {
        options.onCondition('key', error.message);
      },
    });
    this.#watch = new AccountWatch({
      ...common,
      reader: this.reader,
      orders,
      source: venue.account,
      market: venue.market,
      instruments,
      holds: (id) => this.#holdsContract(id),
      updatePollMs: options.updatePollMs,
      idleMs: options.idleMs,
      onUpdate: (update) => {
        this.#pump.push((at) => ({ kind: 'venue', time: at, update }));
      },
      onState: (error) => {
        this.#state('account', error);
      },
    });
    this.#samples = new StopSamples({
      ...common,
      source: venue.market,
      watches: () => engine.stopWatches(),
      stopPollMs: options.stopPollMs,
      onLast: (instrumentId, last) => {
        this.#pump.push((at) => ({ kind: 'ticker', time: at, instrumentId, last }));
      },
      onState: (error) => {
        this.#state('stops', error);
      },
    });
  }

  /** Feeds the warm-up. A session whose engine was replayed needs none. */
  warmUp(): void {
    for (const slice of slicesOf(this.#options)) this.#warm(slice);
  }

  /** Polls from now on. */
  run(): void {
    this.#runMarket();
    this.#watch.start();
    this.#samples.start();
    this.#armTimer();
  }

  /** Ends the searches for lost orders when the session stops: they may take long, and the next start goes on with them. */
  get searching(): AbortSignal {
    return this.#searches.signal;
  }

  /** Something that was found out about one of the bot's orders. */
  learn(update: OrderUpdate): void {
    this.#pump.push((time) => ({ kind: 'venue', time, update }));
  }

  /** The market has ended: orders that work are still polled, nothing else is read. */
  expectEnd(): void {
    this.#market?.stop();
    this.#samples.stop();
  }

  /** Something the owner wants. */
  tell(make: (time: EpochMs) => EngineEvent): void {
    this.#pump.push(make);
  }

  /** Reads orders and executions of every instrument now. */
  async readAccount(): Promise<void> {
    await this.#options.activity.during(() => this.#watch.readAll());
  }

  /** Ends polling, lets what is on its way settle, and takes nothing any more. */
  async stop(): Promise<void> {
    this.#stopPolling();
    const ended = new TransportError('E_CLOSED', 'the session has ended');
    this.#searches.abort(ended);
    await this.#options.activity.idle();
    this.#pump.stop();
    this.#controller.abort(ended);
  }

  #stopPolling(): void {
    this.#isStopped = true;
    this.#market?.stop();
    this.#watch.stop();
    this.#samples.stop();
    this.#cancelTimer();
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#stopPolling();
    this.#pump.stop();
    this.#options.onFailure(error);
  }

  // Market.

  #runMarket(): void {
    const { venue, time, streams, marks, alignMs, onNotice, onCondition } = this.#options;
    this.#market = new MarketRunner({
      feed: venue.feed,
      source: venue.market,
      time,
      activity: this.#options.activity,
      streams: streams.map(({ instrumentId, interval, history, after }) => ({
        instrumentId,
        interval,
        after: after ?? history.at(-1)?.openTime,
      })),
      marks,
      alignMs,
      signal: this.#controller.signal,
      onSlice: (slice, samples) => {
        this.#takeSlice(slice, samples);
      },
      onNotice: ({ instrumentId, interval }, notice) => {
        if (notice.kind === 'hole')
          onCondition(
            `hole ${instrumentId} ${interval}`,
            `${instrumentId} ${interval}: no candles from ${formatUtc(notice.from)} to ${formatUtc(notice.to)}`,
          );
        else if (notice.kind === 'candleRevised')
          onNotice(
            `${instrumentId} ${interval}: the venue has changed the candle of ${formatUtc(notice.after.openTime)} after it was final`,
          );
      },
      onStatus: ({ instrumentId, interval }, { state, code, lastData }) => {
        this.#options.onStream?.({ name: `${instrumentId} ${interval}`, state, lastData });
        const name = `stream ${instrumentId} ${interval}`;
        const isBad = state === 'stale' || state === 'down';
        const why = code === undefined ? '' : ` (${code})`;
        onCondition(
          name,
          isBad ? `candles of ${instrumentId} ${interval} are ${state}${why}` : undefined,
        );
      },
      onFailure: (error) => {
        this.#fail(error);
      },
    });
    this.#market.start();
  }

  #warm({ closeTime, candles }: CandleSlice): void {
    this.#open();
    const time = closeTime + this.#options.dataDelayMs;
    this.#pump.push(() => ({ kind: 'candles', time, candles }));
  }

  #takeSlice({ closeTime, candles, late }: CandleSlice, marks: readonly PriceSample[]): void {
    const { time, lateMs, onCondition, onStream } = this.#options;
    for (const { instrumentId, interval } of candles)
      onStream?.({ name: `${instrumentId} ${interval}`, state: 'live', lastData: time.now() });
    const isOld = time.now() - closeTime > lateMs;
    onCondition('old', isOld ? `candles of ${formatUtc(closeTime)} come late` : undefined);
    for (const { instrumentId, interval } of late)
      this.#options.onNotice(`${instrumentId} ${interval}: its candle is late and comes alone`);
    this.#open();
    if (marks.length > 0) this.#pump.push((time) => ({ kind: 'marks', time, marks }));
    this.#pump.push((time) => ({ kind: 'candles', time, candles }));
  }

  /** What the account holds from the start is valued once, when the strategy is warm and before anything can be traded. */
  #open(): void {
    const { engine } = this.#options;
    this.#pump.pushIf(
      () => engine.isWarm && !this.#isOpened,
      () => {
        this.#isOpened = true;
        return { kind: 'opening', time: engine.now(), prices: [] };
      },
    );
  }

  // Engine.

  #processed(event: EngineEvent, commands: readonly Command[]): void {
    this.#options.onProcessed(event, commands);
    for (const command of commands) {
      this.#options.travel(command, event.time, () => {
        void this.lanes.give(command);
      });
    }
    this.#armTimer();
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
      // A candle of the same instant has fired it already.
      if (engine.nextTimer() <= time.now()) this.#pump.push((at) => ({ kind: 'timer', time: at }));
      else this.#armTimer();
    });
  }

  #holdsContract(instrumentId: InstrumentId): boolean {
    const { instrument, long, short } = this.#options.engine.portfolio.instrument(instrumentId);
    return (
      instrument.kind === 'futures' && (long.holding.quantity > 0n || short.holding.quantity > 0n)
    );
  }

  /** What is not the bot's can change its position: entries wait until the owner has seen to it. */
  #noteForeign(instrumentId: InstrumentId, text: string): void {
    const { ignoresForeign = false, onNotice, onCondition } = this.#options;
    const line = `${instrumentId}: ${text}, which this bot did not send`;
    if (ignoresForeign) onNotice(line);
    else onCondition(`foreign ${instrumentId}`, line);
  }

  #state(name: string, error: TradingError | undefined): void {
    this.#options.onCondition(name, error && `${name}: ${error.message}`);
  }
}

/** The warm-up as slices, in order. */
function slicesOf({ streams, time }: MarketSessionOptions): readonly CandleSlice[] {
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
