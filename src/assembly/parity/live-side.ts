import type { Archive } from '../../archive/index.js';
import { RestAccount, type VenueClient, type VenueClientOptions } from '../../client/index.js';
import { present, type EpochMs, type InstrumentId } from '../../domain/index.js';
import { createRandom, type Engine, type Journal } from '../../engine/index.js';
import {
  Activity,
  patiently,
  SESSION_PHASES,
  seekingSession,
  type MarketSession,
  type SessionVenue,
} from '../../live/index.js';
import type { SimulatedAccount } from '../../local-exchange/index.js';
import {
  serveExchange,
  type FaultRule,
  type LocalExchange,
  type ExchangeTimers,
} from '../../local-exchange/index.js';
import type { ParityNote, ParityTrace } from '../../report/index.js';
import { createDrawnLatency } from '../../simulator/index.js';
import type { RunInputs } from '../bot/journal/replay-journal.js';
import { openEngine } from '../bot/open-engine.js';
import { createForcedTerms } from '../bot/terms/forced-terms.js';
import { createInstrument } from '../market/create-instruments.js';
import { listOpeningPrices } from '../market/opening-prices.js';
import type { LoadedMarket } from '../market/prepare-market.js';
import { SeriesCursor } from '../replay/series-cursor.js';
import { listStopGrids } from '../replay/stop-grids.js';
import { StopSampler } from '../replay/stop-sampler.js';
import { LATENCY_STREAM } from '../run-backtest.js';
import type { RunBegin } from '../run-options.js';
import { findDisagreements } from './find-disagreements.js';
import type { BeginLive, InterruptedBot, Interruption, LiveBeginning } from './interruptions.js';
import { createLockstepClient } from './lockstep-client.js';
import { createLockstepExchange, LOCKSTEP_USER, venueUnder } from './lockstep-exchange.js';
import { LockstepRest, MAX_ROUNDS, unsettled } from './lockstep-rest.js';
import { LockstepTime } from './lockstep-time.js';
import { LockstepTravel } from './lockstep-travel.js';
import { createLockstepVenue } from './lockstep-venue.js';
import { LoopYields, type LoopYieldsOptions } from './loop-yields.js';
import { startSession } from './start-session.js';
import { toldMarks } from './told-marks.js';
import { TraceRecorder } from './trace-recorder.js';
import { TransportTime } from './transport-time.js';

export interface LiveSideOptions extends RunInputs, LoopYieldsOptions {
  readonly archive: Archive;
  /** Real time, for the server's own delays. */
  readonly timers: ExchangeTimers;
  /** Faults that begin with trading, for parity to detect. */
  readonly faults?: readonly FaultRule[] | undefined;
  /** Replaces the client's connections, so that a test can change answers on their way. */
  readonly dispatcher?: VenueClientOptions['dispatcher'];
  /** Records the events and commands of the live engine. @defaultValue none */
  readonly journal?: Journal | undefined;
  /** Called before the first event of the live engine. */
  readonly onBegin?: ((begin: RunBegin) => void) | undefined;
  /** Makes the live engine at each of its beginnings. @defaultValue a new engine without a past */
  readonly begin?: BeginLive | undefined;
  /** Actions on the live bot, in order of time. @defaultValue none */
  readonly interruptions?: readonly Interruption[] | undefined;
  readonly onProgress?: ((time: EpochMs, from: EpochMs, to: EpochMs) => void) | undefined;
}

/** The running parts of the live side. An interruption may end them and begin new ones. */
interface LiveProcess {
  readonly engine: Engine;
  readonly session: MarketSession;
}

/** How long after its timestamp the venue accepts a request, in ms. Here a request arrives at the instant it is sent, and all clocks are the same. */
const RECV_WINDOW_MS = 5_000;
const MAX_NOTES = 100;
const LEARNING = SESSION_PHASES.filter((phase) => phase !== 'arrivals');

/**
 * A bot that trades over HTTP at a local exchange in lockstep. Market time moves only to the next instant at which something can happen, and only when
 * nothing is queued or under way.
 */
export class LiveSide {
  readonly #options: LiveSideOptions;
  readonly #market: LoadedMarket;
  readonly #from: EpochMs;
  readonly #time: LockstepTime;
  readonly #transport: TransportTime;
  readonly #activity = new Activity();
  readonly #recorder = new TraceRecorder();
  readonly #notes: ParityNote[] = [];
  readonly #exchange: LocalExchange;
  readonly #sampler: StopSampler;
  readonly #yields: LoopYields;
  readonly #rest: LockstepRest;
  #disagreements: readonly string[] = [];
  #requests = 0;
  readonly #travel: LockstepTravel;
  readonly #interruptions: Interruption[];
  readonly #interrupted = this.#createInterrupted();
  #connection: { readonly client: VenueClient; readonly signal: AbortSignal } | undefined;
  #process: LiveProcess | undefined;
  /** Whether the process runs. */
  #isUp = true;
  #isTrading = false;

  constructor(options: LiveSideOptions, market: LoadedMarket, from: EpochMs) {
    this.#options = options;
    this.#market = market;
    this.#from = from;
    this.#time = new LockstepTime(from);
    this.#transport = new TransportTime(from);
    this.#exchange = createLockstepExchange({
      ...{ config: options.config, market, from },
      transport: this.#transport,
    });
    this.#yields = new LoopYields(options);
    this.#rest = new LockstepRest({
      time: this.#time,
      transport: this.#transport,
      activity: this.#activity,
      yields: this.#yields,
    });
    this.#sampler = new StopSampler(this.#venue(), listStopGrids(options.config));
    this.#interruptions = [...(options.interruptions ?? [])];
    const { latency, seed } = options.config.simulation;
    this.#travel = new LockstepTravel({
      time: this.#time,
      latency: createDrawnLatency(latency, createRandom(seed + LATENCY_STREAM)),
      answeredAt: (instrumentId) => this.#answeredAt(instrumentId),
    });
  }

  /** Number of calls that the run made. */
  get requests(): number {
    return this.#requests;
  }

  /** Differences between the bot and its venue at the end, in orders, positions and balances. Commands that were still on their way do not count. */
  get disagreements(): readonly string[] {
    return this.#disagreements;
  }

  get notes(): readonly ParityNote[] {
    return this.#notes;
  }

  /** When an order that arrives now is answered: now if a candle is open, otherwise when the next one opens. */
  #answeredAt(instrumentId: InstrumentId): EpochMs {
    // Asking for the next instant lets the venue catch up.
    this.#exchange.next();
    const market = this.#venue().market(instrumentId);
    return market.isOpen ? this.#time.now() : market.nextBoundary();
  }

  #venue(): SimulatedAccount['venue'] {
    return venueUnder(
      present(this.#exchange.parts.accounts.byUser(LOCKSTEP_USER), 'the account').account,
    );
  }

  async play(to: EpochMs): Promise<ParityTrace> {
    const { timers } = this.#options;
    const served = await serveExchange(this.#exchange, {
      port: 0,
      timers,
      control: undefined,
      // Transport time stands while a call is on its way, so a client that waits for a lost answer would wait for ever.
      lostMs: 0,
    });
    const client = createLockstepClient(served, this.#transport, this.#options.dispatcher);
    const controller = new AbortController();
    this.#connection = { client, signal: controller.signal };
    try {
      await this.#begin();
      this.#exchange.advanceTo(this.#from);
      this.#isTrading = true;
      for (const rule of this.#options.faults ?? []) this.#exchange.addFault(rule);
      await this.#run(to);
      return await this.#finish();
    } finally {
      controller.abort();
      await served.close();
      await client.close();
    }
  }

  async #finish(): Promise<ParityTrace> {
    const { client, signal } = present(this.#connection, 'the connection');
    const { engine, session } = present(this.#process, 'the process');
    this.#requests = this.#exchange.counters.requests;
    this.#disagreements = await this.#rest.during(
      // If the last answers were lost, calls to the venue pause for a while.
      patiently(
        () =>
          findDisagreements({
            ...{ engine, session, signal },
            source: new RestAccount(client),
            instruments: this.#options.config.instruments.map(createInstrument),
            rules: this.#market.terms.rules,
            now: () => this.#time.now(),
          }),
        { time: this.#transport },
      ),
    );
    await this.#rest.during(session.stop(), this.#time);
    return this.#recorder.trace({
      refusals: engine.refusals,
      worked: engine.worked,
      balances: engine.portfolio.balances(),
    });
  }

  /** Begins with a new engine, or where another process has ended, and waits until the bot is at rest. */
  async #begin(): Promise<void> {
    const { config, archive, onBegin, begin = this.#beginNew } = this.#options;
    const { client, signal } = present(this.#connection, 'the connection');
    const venue = createLockstepVenue({
      ...{ client, time: this.#time, activity: this.#activity },
      dataDelayMs: config.simulation.dataDelayMs,
    });
    const begun = await this.#rest.during(
      begin({
        ...this.#options,
        terms: this.#market.terms,
        now: this.#time.now(),
        source: venue.market,
        archive,
        readsFundingRates: true,
        journal: this.#journal(),
        onBegin,
        signal,
      }),
    );
    const { engine } = begun;
    const session = this.#openSession(begun, venue);
    this.#process = { engine, session };
    const isResolving = startSession(session, {
      ...{ engine, isReplayed: begun.isReplayed },
      ...{ activity: this.#activity, transport: this.#transport },
      isRunning: () => this.#isUp && this.#process?.session === session,
      onFailure: this.#rest.fail,
    });
    this.#rest.watch(() => isResolving() || session.commands.awaitsOutcome);
    await this.#rest.settle();
  }

  readonly #beginNew: BeginLive = async (options) => {
    const { engine, streams } = await openEngine(options);
    const cursors = this.#market.series.map((series) => new SeriesCursor(series));
    const openingPrices = listOpeningPrices(cursors, engine.portfolio, this.#from);
    return { engine, streams, openingPrices };
  };

  #openSession(begun: LiveBeginning, venue: SessionVenue): MarketSession {
    const { config } = this.#options;
    const { simulation } = config;
    return seekingSession({
      ...begun,
      venue,
      time: this.#time,
      activity: this.#activity,
      instruments: config.instruments.map(createInstrument),
      ...toldMarks(this.#market, config, { ...begun, now: this.#time.now() }),
      isSequential: true,
      dataDelayMs: simulation.dataDelayMs,
      fundingRateKnown: simulation.futures.fundingRateKnown,
      updatePollMs: simulation.updatePollMs,
      stopGrids: listStopGrids(config),
      idleMs: Number.POSITIVE_INFINITY,
      alignMs: 0,
      lateMs: Number.POSITIVE_INFINITY,
      lastTrades: begun.lastTrades ?? new Map(),
      forcedTerms: createForcedTerms(config, this.#market.terms),
      travel: (command, given, depart) => {
        this.#travel.send(command, given, depart);
      },
      recvWindowMs: RECV_WINDOW_MS,
      clockBoundMs: 0,
      orderClockBoundMs: 0,
      machine: this.#time,
      onProcessed: () => undefined,
      onCondition: (_name, text) => {
        if (text !== undefined) this.#note(text);
      },
      onNotice: (text) => {
        this.#note(text);
      },
      onFailure: this.#rest.fail,
    });
  }

  #journal(): Journal {
    const { journal } = this.#options;
    if (journal === undefined) return this.#recorder;
    return {
      append: (event, commands, intents, state) => {
        journal.append(event, commands, intents, state);
        this.#recorder.append(event, commands);
      },
    };
  }

  /** Keeps only the first notes, which show most of a problem: a lasting fault makes thousands. */
  #note(text: string): void {
    if (!this.#isTrading) return;
    if (this.#notes.length < MAX_NOTES) this.#notes.push({ time: this.#time.now(), text });
  }

  async #run(to: EpochMs): Promise<void> {
    let rounds = 0;
    for (let next = this.#next(); next < to; next = this.#next()) {
      rounds = next > this.#time.now() ? 0 : rounds + 1;
      if (rounds >= MAX_ROUNDS) throw unsettled(next, `${String(MAX_ROUNDS)} rounds`);
      await this.#instant(next);
      await this.#interrupt();
      this.#options.onProgress?.(next, this.#from, to);
      // If nothing was to be done, nothing has waited yet, and signals would never have their turn.
      await this.#yields.next();
    }
    await this.#end(to);
  }

  /** Runs the interruptions that are due, once none of the bot's commands is on its way. */
  async #interrupt(): Promise<void> {
    while (this.#nextInterruption() <= this.#time.now() && this.#travel.isEmpty) {
      const interruption = present(this.#interruptions.shift(), 'an interruption');
      await interruption.act(this.#interrupted, this.#time.now());
    }
  }

  #nextInterruption(): EpochMs {
    return this.#interruptions[0]?.time ?? Number.POSITIVE_INFINITY;
  }

  /** The view of the bot for interruptions. */
  #createInterrupted(): InterruptedBot {
    const running = (): LiveProcess => present(this.#process, 'the process');
    return {
      get engine() {
        return running().engine;
      },
      tell: async (make) => {
        running().session.tell(make);
        await this.#rest.settle();
      },
      stop: async () => {
        const { session } = running();
        this.#isUp = false;
        await this.#rest.during(session.stop());
      },
      start: async () => {
        this.#isUp = true;
        await this.#begin();
      },
    };
  }

  /** The last instant: no candle opens and no command arrives any more. The bot learns what happened until then. */
  async #end(to: EpochMs): Promise<void> {
    this.#exchange.advanceTo(to);
    this.#time.moveTo(to);
    await this.#learn();
    this.#isTrading = false;
    this.#process?.session.expectEnd();
    this.#time.moveTo(to);
    await this.#rest.fire('account', 'any time');
  }

  /** The next instant at which the bot can learn, do or decide anything. */
  #next(): EpochMs {
    const interruption = this.#nextInterruption();
    const next = Math.min(
      // An interruption that is already due waits for commands on their way.
      interruption > this.#time.now() ? interruption : Number.POSITIVE_INFINITY,
      this.#time.nextDue(),
      this.#exchange.next()?.time ?? Number.POSITIVE_INFINITY,
    );
    return this.#sampler.nextInstant(next, this.#watches());
  }

  #watches(): ReturnType<Engine['stopWatches']> {
    return this.#isUp ? (this.#process?.engine.stopWatches() ?? []) : [];
  }

  async #instant(time: EpochMs): Promise<void> {
    this.#exchange.advanceTo(time);
    this.#time.moveTo(time);
    await this.#learn();
    await this.#rest.fire('arrivals');
    this.#exchange.advanceTo(time);
  }

  /** Fires the phases of this instant that come before candles open. */
  async #learn(): Promise<void> {
    for (const phase of LEARNING) {
      await this.#rest.fire(phase);
      if (phase === 'samples') this.#sampler.take(this.#time.now(), this.#watches());
    }
  }
}
