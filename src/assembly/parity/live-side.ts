import {
  RestAccount,
  RestExecution,
  RestMarketData,
  type VenueClient,
  type VenueClientOptions,
} from '../../client/index.js';
import { InvariantError, present, type EpochMs, type InstrumentId } from '../../domain/index.js';
import { CANDLE_PLAN, MarketFeed, PollQueue } from '../../feed/index.js';
import {
  buildVenueExchange,
  serveExchange,
  SimulatedAccount,
  type FaultRule,
  type LocalExchange,
  type ExchangeTimers,
} from '../../local-exchange/index.js';
import type { ParityNote, ParityTrace } from '../../report/index.js';
import {
  Activity,
  patiently,
  SESSION_PHASES,
  timeOfPhase,
  TrackedMarketData,
  seekingSession,
  type MarketSession,
  type SessionVenue,
} from '../../live/index.js';
import { createRandom, type Engine, type Journal } from '../../engine/index.js';
import { createDatedFees, createDrawnLatency } from '../../simulator/index.js';
import type { Archive } from '../../archive/index.js';
import { createInstrument } from '../market/create-instruments.js';
import { createVenueOptions } from '../create-venue.js';
import { drivingSeries } from '../market/load-market.js';
import { createPathChooser } from '../path-modes.js';
import type { RunInputs } from '../bot/replay-journal.js';
import type { LoadedMarket } from '../market/prepare-market.js';
import { LATENCY_STREAM } from '../run-backtest.js';
import type { RunBegin } from '../run-options.js';
import { findRunSpan } from '../market/run-span.js';
import { createForcedTerms } from '../bot/forced-terms.js';
import { listOpeningPrices } from '../market/opening-prices.js';
import { SeriesCursor } from '../replay/series-cursor.js';
import { openEngine } from '../bot/open-engine.js';
import { listStopGrids } from '../replay/stop-grids.js';
import { StopSampler } from '../replay/stop-sampler.js';
import { createLockstepClient, LOCKSTEP_KEY } from './lockstep-client.js';
import { LockstepRest, MAX_ROUNDS, unsettled } from './lockstep-rest.js';
import { LockstepTime } from './lockstep-time.js';
import { findDisagreements } from './find-disagreements.js';
import { LockstepTravel } from './lockstep-travel.js';
import { LoopYields, type LoopYieldsOptions } from './loop-yields.js';
import { toldMarks } from './told-marks.js';
import { TraceRecorder } from './trace-recorder.js';
import { TransportTime } from './transport-time.js';

export interface LiveSideOptions extends RunInputs, LoopYieldsOptions {
  readonly archive: Archive;
  /** Real time, for the server's own delays. */
  readonly timers: ExchangeTimers;
  /** Put in force when trading begins: what parity has to find. */
  readonly faults?: readonly FaultRule[] | undefined;
  /** Stands in for the client's connections: what a test does to answers on their way. */
  readonly dispatcher?: VenueClientOptions['dispatcher'];
  /** Keeps what the live engine takes and does. @defaultValue nothing is kept */
  readonly journal?: Journal | undefined;
  /** Called before the first event of the live engine. */
  readonly onBegin?: ((begin: RunBegin) => void) | undefined;
  readonly onProgress?: ((time: EpochMs, from: EpochMs, to: EpochMs) => void) | undefined;
}

/** How long the venue takes a request after its timestamp, in ms. Here it arrives at its instant, and all clocks are one. */
const RECV_WINDOW_MS = 5_000;
const MAX_NOTES = 100;
const LEARNING = SESSION_PHASES.filter((phase) => phase !== 'arrivals');
const USER = '7';

/**
 * A bot over HTTP, and the exchange in lockstep it talks to. Market time moves only to the next instant at which something can happen, and
 * only when nothing is queued or under way.
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
  #engine: Engine | undefined;
  #isTrading = false;

  constructor(options: LiveSideOptions, market: LoadedMarket, from: EpochMs) {
    this.#options = options;
    this.#market = market;
    this.#from = from;
    this.#time = new LockstepTime(from);
    this.#transport = new TransportTime(from);
    this.#exchange = this.#createExchange();
    this.#yields = new LoopYields(options);
    this.#rest = new LockstepRest({
      time: this.#time,
      transport: this.#transport,
      activity: this.#activity,
      yields: this.#yields,
    });
    this.#sampler = new StopSampler(this.#venue(), listStopGrids(options.config));
  }

  /** Calls that the run made. */
  get requests(): number {
    return this.#requests;
  }

  /** In what the bot's orders, positions and balances were not those of its venue at the end. What was still on its way is not among them. */
  get disagreements(): readonly string[] {
    return this.#disagreements;
  }

  get notes(): readonly ParityNote[] {
    return this.#notes;
  }

  #createExchange(): LocalExchange {
    const { config } = this.#options;
    const { simulation } = config;
    const { series, terms } = this.#market;
    return buildVenueExchange({
      venue: createVenueOptions({
        simulation,
        path: simulation.path,
        instruments: config.instruments.map(createInstrument),
        driving: drivingSeries(series),
        span: findRunSpan(simulation, series),
        terms,
        fees: createDatedFees(simulation.fees, simulation.feeChanges),
      }),
      start: this.#from,
      account: { name: 'parity', userId: USER, ...LOCKSTEP_KEY },
      updatePollMs: simulation.updatePollMs,
      // As candles do, marks come late: a mark is told with the candles of its instant.
      seen: {
        order: createPathChooser(simulation.path),
        markDelayMs: simulation.dataDelayMs,
        fundingRateKnown: simulation.futures.fundingRateKnown,
      },
      profile: config.live.venueStops === 'family' ? 'family' : 'interface',
      faults: { seed: 1, rules: [] },
      limits: {},
      transport: this.#transport,
    });
  }

  /** When an order that arrives now is answered: a candle is open, or opens at this instant, or later. */
  #answeredAt(instrumentId: InstrumentId): EpochMs {
    // The venue goes on when it is asked.
    this.#exchange.next();
    const market = this.#venue().market(instrumentId);
    return market.isOpen ? this.#time.now() : market.nextBoundary();
  }

  #venue(): SimulatedAccount['venue'] {
    return venueUnder(present(this.#exchange.parts.accounts.byUser(USER), 'the account').account);
  }

  async play(to: EpochMs): Promise<ParityTrace> {
    const { timers } = this.#options;
    const served = await serveExchange(this.#exchange, {
      port: 0,
      timers,
      control: undefined,
      // Transport time stands while a call is on its way: who waits for an answer that does not come would wait for ever.
      lostMs: 0,
    });
    const client = createLockstepClient(served, this.#transport, this.#options.dispatcher);
    const controller = new AbortController();
    try {
      const session = await this.#open(client, controller.signal);
      await this.#run(session, to);
      this.#requests = this.#exchange.counters.requests;
      this.#disagreements = await this.#rest.during(
        // The last answers may have been lost: then the venue is left alone for a while.
        patiently(
          () =>
            findDisagreements({
              engine: present(this.#engine, 'the engine'),
              session,
              source: new RestAccount(client),
              instruments: this.#options.config.instruments.map(createInstrument),
              rules: this.#market.terms.rules,
              now: () => this.#time.now(),
              signal: controller.signal,
            }),
          { time: this.#transport },
        ),
      );
      await this.#rest.during(session.stop(), this.#time);
      const engine = present(this.#engine, 'the engine');
      return this.#recorder.trace({
        refusals: engine.refusals,
        worked: engine.worked,
        balances: engine.portfolio.balances(),
      });
    } finally {
      controller.abort();
      await served.close();
      await client.close();
    }
  }

  async #open(client: VenueClient, signal: AbortSignal): Promise<MarketSession> {
    const { config, archive, onBegin } = this.#options;
    const { simulation } = config;
    const market = new TrackedMarketData(
      new RestMarketData(client, undefined, this.#time),
      this.#activity,
    );
    const feed = new MarketFeed({
      source: market,
      time: timeOfPhase(this.#time, 'market'),
      plan: {
        // Market time stands while the bot asks: what has ended is final, and what is not there never comes.
        candles: {
          ...CANDLE_PLAN,
          settleMs: simulation.dataDelayMs,
          finalMs: 0,
          holePatienceMs: 0,
          missingMs: Number.POSITIVE_INFINITY,
        },
        staggerMs: 0,
      },
    });
    const venue: SessionVenue = {
      market,
      feed,
      pollQueue: new PollQueue(timeOfPhase(this.#time, 'account')),
      account: new RestAccount(client),
      execution: new RestExecution(client),
    };
    const travel = new LockstepTravel({
      time: this.#time,
      latency: createDrawnLatency(
        simulation.latency,
        createRandom(simulation.seed + LATENCY_STREAM),
      ),
      answeredAt: (instrumentId) => this.#answeredAt(instrumentId),
    });
    const { engine, streams } = await this.#rest.during(
      openEngine({
        ...this.#options,
        terms: this.#market.terms,
        now: this.#from,
        source: market,
        archive,
        readsFundingRates: true,
        journal: this.#journal(),
        onBegin,
        signal,
      }),
    );
    const session = seekingSession({
      engine,
      streams,
      openingPrices: listOpeningPrices(
        this.#market.series.map((series) => new SeriesCursor(series)),
        engine.portfolio,
        this.#from,
      ),
      venue,
      time: this.#time,
      activity: this.#activity,
      instruments: config.instruments.map(createInstrument),
      ...toldMarks(this.#market, config, this.#from),
      isSequential: true,
      dataDelayMs: simulation.dataDelayMs,
      fundingRateKnown: simulation.futures.fundingRateKnown,
      updatePollMs: simulation.updatePollMs,
      stopGrids: listStopGrids(config),
      idleMs: Number.POSITIVE_INFINITY,
      alignMs: 0,
      lateMs: Number.POSITIVE_INFINITY,
      lastTrades: new Map(),
      forcedTerms: createForcedTerms(config, this.#market.terms),
      travel: (command, given, depart) => {
        travel.send(command, given, depart);
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
    this.#engine = engine;
    this.#rest.watch(() => session.commands.awaitsOutcome);
    session.warmUp();
    session.run();
    await this.#rest.settle();
    this.#exchange.advanceTo(this.#from);
    this.#isTrading = true;
    for (const rule of this.#options.faults ?? []) this.#exchange.addFault(rule);
    return session;
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

  /** The first notes tell most of what went wrong; a fault that lasts makes thousands. */
  #note(text: string): void {
    if (!this.#isTrading) return;
    if (this.#notes.length < MAX_NOTES) this.#notes.push({ time: this.#time.now(), text });
  }

  async #run(session: MarketSession, to: EpochMs): Promise<void> {
    let rounds = 0;
    for (let next = this.#next(); next < to; next = this.#next()) {
      rounds = next > this.#time.now() ? 0 : rounds + 1;
      if (rounds >= MAX_ROUNDS) throw unsettled(next, `${String(MAX_ROUNDS)} rounds`);
      await this.#instant(next);
      this.#options.onProgress?.(next, this.#from, to);
      // Where nothing was to be done nobody waited, and signals would never have their turn.
      await this.#yields.next();
    }
    await this.#end(session, to);
  }

  /** The last instant: candles do not open any more, nothing arrives, and what happened until then is learned. */
  async #end(session: MarketSession, to: EpochMs): Promise<void> {
    this.#exchange.advanceTo(to);
    this.#time.moveTo(to);
    await this.#learn();
    this.#isTrading = false;
    session.expectEnd();
    this.#time.moveTo(to);
    await this.#rest.fire('account', 'any time');
  }

  /** The next instant at which the bot can learn, do or want anything. */
  #next(): EpochMs {
    const watches = this.#engine?.stopWatches() ?? [];
    return Math.min(
      this.#time.nextDue(),
      this.#exchange.next()?.time ?? Number.POSITIVE_INFINITY,
      this.#sampler.nextTime(watches),
    );
  }

  async #instant(time: EpochMs): Promise<void> {
    this.#exchange.advanceTo(time);
    this.#time.moveTo(time);
    await this.#learn();
    await this.#rest.fire('arrivals');
    this.#exchange.advanceTo(time);
  }

  /** What is due at this instant before candles open. */
  async #learn(): Promise<void> {
    for (const phase of LEARNING) {
      await this.#rest.fire(phase);
      if (phase === 'samples')
        this.#sampler.take(this.#time.now(), this.#engine?.stopWatches() ?? []);
    }
  }
}

/** The venue under the parity account: which samples of last can matter is known to its candles alone. */
function venueUnder(account: unknown): SimulatedAccount['venue'] {
  if (account instanceof SimulatedAccount) return account.venue;
  throw new InvariantError('E_MISSING', 'the account is not simulated');
}
