import { type EpochMs, type Instrument, nounOf, present } from '../domain/index.js';
import { noticeMade } from '../archive/index.js';
import type { HoldingRecord, RunRecord } from '../report/index.js';
import { createRandom, type Engine } from '../engine/index.js';
import { createDrawnLatency, type SimulatedVenue } from '../simulator/index.js';
import { listProtections } from './active-checks.js';
import type { BranchRun } from './bounds/branch-run.js';
import { watchBranch } from './bounds/watch-branch.js';
import { createCursors, listDrivingCursors } from './replay/create-cursors.js';
import { createEngine } from './create-engine.js';
import { noticeEarlyRules } from './market/early-rules.js';
import { createInstrument } from './market/create-instruments.js';
import { createVenue } from './create-venue.js';
import { describeNondeterminism } from '../determinism/index.js';
import { EquityRecorder } from './replay/equity-recorder.js';
import { GapRecorder } from './replay/gap-recorder.js';
import { identify } from './identity/run-identity.js';
import { listCalls } from './list-calls.js';
import { listFinalPrices } from './market/final-prices.js';
import { listCaveats } from './list-caveats.js';
import { listLeftPositions } from './list-left-positions.js';
import { listSurplus } from './list-surplus.js';
import { drivingSeries, type LoadedSeries } from './market/load-market.js';
import type { MarketTerms } from './market/load-terms.js';
import { MarkCursor } from './replay/mark-cursor.js';
import { listRangeCaveats } from './list-range-caveats.js';
import { listOpeningPrices } from './market/opening-prices.js';
import { prepareMarket, type LoadedMarket } from './market/prepare-market.js';
import { resolveParameters } from './plugins/resolve-parameters.js';
import type { Replay, ReplayOptions } from './replay/replay.js';
import { ReplayLoop } from './replay/replay-loop.js';
import type { BacktestOptions, RunOptions } from './run-options.js';
import { findBeginning, findRunSpan, type RunSpan } from './market/run-span.js';
import type { SeriesCursor } from './replay/series-cursor.js';
import { precomputeRun, shareCandles } from './replay/shared-work.js';
import type { StateWatch } from './replay/state-watch.js';
import { listStopGrids } from './replay/stop-grids.js';

/** Seed offset, so that latency and the strategy draw different random numbers. */
export const LATENCY_STREAM = 1_000_003;

/**
 * Instants between two breaths: a fraction of a millisecond of computing, so that a slow strategy can be interrupted too. They are counted, not timed,
 * because the effect of a strategy's promises between two breaths must not depend on the machine.
 */
const INSTANTS_PER_BREATH = 2_048;

/**
 * Replays stored candles through a strategy, risk and the simulated venue, and returns the record of the run.
 *
 * @throws {ConfigError} when the configuration does not fit strategy or data; {DataError} and {DataGapError} from the archive; {StrategyError} when the
 * strategy fails; the signal's reason when interrupted.
 */
export async function replayBacktest(options: BacktestOptions): Promise<RunRecord> {
  const market = await prepareMarket(options.config, options.archive);
  try {
    return await replayMarket(market, options);
  } finally {
    await market.close();
  }
}

/**
 * Does the same as {@link replayBacktest} on data that is already open. Many runs can share the data, one after the other, because nothing is written to it.
 *
 * `market` must be the result of {@link prepareMarket} for the configuration. Only the parameters may differ.
 */
export async function replayMarket(market: LoadedMarket, options: RunOptions): Promise<RunRecord> {
  const run = new BacktestRun(options, market);
  await run.play();
  return run.record();
}

/**
 * Runs only the part of {@link replayBacktest} before the first candle, for the whole range. It finds errors that make the run impossible.
 *
 * @throws as `runBacktest`.
 */
export async function tryBacktest(options: BacktestOptions): Promise<void> {
  const market = await prepareMarket(options.config, options.archive);
  try {
    new BacktestRun(options, market).abandon();
  } finally {
    await market.close();
  }
}

/** Does the same as {@link replayMarket} for one run of a search over paths. Undefined if the run has reached the state of another run. */
export async function replayBranch(
  market: LoadedMarket,
  options: RunOptions & { readonly branch: BranchRun },
): Promise<RunRecord | undefined> {
  const run = new BacktestRun(options, market);
  await run.play();
  return options.branch.joined === undefined ? run.record() : undefined;
}

const createReplayLoop = (options: ReplayOptions): Replay => new ReplayLoop(options);

/** One run, made of its parts. */
class BacktestRun {
  readonly #options: RunOptions;
  readonly #series: readonly LoadedSeries[];
  readonly #terms: MarketTerms;
  readonly #instruments: readonly Instrument[];
  readonly #parameters: Readonly<Record<string, unknown>>;
  readonly #span: RunSpan;
  readonly #constructed: EpochMs;
  readonly #engine: Engine;
  readonly #venue: SimulatedVenue;
  readonly #cursors: readonly SeriesCursor[];
  readonly #equity: EquityRecorder;
  readonly #gaps: GapRecorder;
  readonly #marks: MarkCursor;
  readonly #loop: Replay;
  readonly #warnings: string[] = [];
  #closingOrders = 0;
  #from: EpochMs | undefined;
  #initialEquity = 0n;
  #openingHoldings: RunRecord['openingHoldings'] = [];

  constructor(options: RunOptions, { series, terms }: LoadedMarket) {
    const { config } = options;
    const { simulation } = config;
    this.#options = options;
    this.#series = series;
    this.#terms = terms;
    this.#warnings.push(...noticeMade(series.map(({ info }) => info)), ...terms.notes);
    this.#instruments = config.instruments.map(createInstrument);
    this.#parameters = resolveParameters(config, options.strategyClass);
    this.#span = findRunSpan(simulation, series);
    this.#constructed = simulation.from ?? this.#firstTime();
    const played = { from: this.#constructed, to: this.#span.end };
    this.#warnings.push(...noticeEarlyRules(config.instruments, terms, played));
    this.#engine = this.#createEngine();
    this.#equity = new EquityRecorder(this.#engine.portfolio, {
      keepsCloses: options.keepCloses ?? false,
    });
    const warmup = this.#engine.construct();
    this.#cursors = createCursors(series, {
      from: simulation.from,
      until: this.#span.end - simulation.dataDelayMs,
      warmup,
      warn: (warning) => this.#warnings.push(warning),
    });
    if (options.candles !== undefined) shareCandles(options.candles, this.#cursors);
    if (options.precomputed !== undefined)
      precomputeRun(options.precomputed, this.#cursors, this.#engine);
    const driving = drivingSeries(series);
    this.#venue = createVenue(
      {
        simulation,
        path: simulation.path,
        instruments: this.#instruments,
        driving,
        span: this.#span,
        terms,
        branch: options.branch,
      },
      (update) => {
        this.#loop.receive(update);
      },
    );
    this.#gaps = new GapRecorder(listDrivingCursors(this.#cursors, driving));
    this.#marks = new MarkCursor(this.#instruments, terms);
    this.#loop = this.#createLoop();
  }

  #createLoop(): Replay {
    const { config, branch, createReplay = createReplayLoop } = this.#options;
    const { simulation } = config;
    const random = createRandom(simulation.seed + LATENCY_STREAM);
    return createReplay({
      engine: this.#engine,
      venue: this.#venue,
      cursors: this.#cursors,
      marks: this.#marks,
      equity: this.#equity,
      gaps: this.#gaps,
      latency: createDrawnLatency(
        simulation.latency,
        branch === undefined ? random : branch.countDraws(random),
      ),
      end: this.#span.end,
      dataDelayMs: simulation.dataDelayMs,
      updatePollMs: simulation.updatePollMs,
      stopGrids: listStopGrids(config),
      watch: branch && this.#watchBranch(branch),
      onStart: (opened) => {
        this.#start(Math.min(Math.max(opened, simulation.from ?? opened), this.#span.end));
      },
    });
  }

  #watchBranch(branch: BranchRun): StateWatch {
    return watchBranch(branch, {
      config: this.#options.config,
      engine: this.#engine,
      venue: this.#venue,
      equity: this.#equity,
      cursors: this.#cursors,
    });
  }

  #createEngine(): Engine {
    const { config, strategyClass, createLog, journal, memory, branch } = this.#options;
    const { onConstructed, reviseIntent } = this.#options;
    return createEngine({
      config,
      strategyClass,
      onConstructed,
      reviseIntent,
      terms: this.#terms,
      constructed: this.#constructed,
      ...(journal && { journal }),
      ...(createLog && { log: createLog(() => this.#engine.now()) }),
      records: { memory },
      cashWatch: branch,
      inputs: branch,
    });
  }

  #firstTime(): EpochMs {
    return Math.min(...this.#series.map(({ rows }) => rows.openTime(0)));
  }

  /** Called when the strategy is warm: from here on equity is counted. */
  #start(from: EpochMs): void {
    const { portfolio } = this.#engine;
    // A strategy without warm-up has not received any mark yet. The first candle may open later than trading begins, and its marks are not known by then.
    const begins = Math.max(this.#engine.now(), this.#span.from ?? -Infinity);
    const marks = this.#marks.take(begins - this.#options.config.simulation.dataDelayMs);
    if (marks !== undefined)
      this.#engine.process({ kind: 'marks', time: this.#engine.now(), marks });
    this.#engine.process({
      kind: 'opening',
      time: this.#engine.now(),
      prices: listOpeningPrices(this.#cursors, portfolio, from),
    });
    this.#openingHoldings = [...portfolio.instruments()]
      .filter(({ long }) => long.holding.quantity > 0n)
      .map(({ instrument, long }) => ({ instrumentId: instrument.id, holding: long.holding }));
    this.#from = from;
    this.#initialEquity = portfolio.equity();
    this.#equity.start(from, this.#initialEquity);
  }

  /** Plays the run to its end. The strategy is unsubscribed in every case. */
  async play(): Promise<void> {
    try {
      await this.#replay();
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** Stops the engine, so that the strategy releases its resources. */
  abandon(): void {
    try {
      this.#engine.stop();
    } catch {
      // A failed engine throws its failure again, but the caller already throws the error that ended the run.
    }
  }

  async #replay(): Promise<void> {
    const { signal, onProgress, breathe } = this.#options;
    const started = findBeginning(this.#span, this.#cursors);
    this.#engine.start(started);
    this.#options.onBegin?.({
      constructed: this.#constructed,
      started,
      terms: this.#terms.hash,
      state: this.#engine.keptState,
    });
    const left = (): number => this.#cursors.reduce((sum, { end, row }) => sum + end - row, 0);
    const total = left();
    while (this.#loop.advance(INSTANTS_PER_BREATH) === INSTANTS_PER_BREATH) {
      onProgress?.({ done: total - left(), total, time: this.#loop.now });
      await breathe?.();
      signal?.throwIfAborted();
      this.#engine.assertHealthy();
    }
    if (this.#loop.isCut) {
      this.#engine.stop();
      return;
    }
    // Nothing is traded before the strategy is warm. So a run in which it was never warm trades nothing at its end either.
    const closesPositions = this.#options.config.simulation.closeAtEnd && this.#loop.candles > 0;
    const closing = this.#loop.finish({ closesPositions });
    this.#closingOrders = closing.orders;
    if (closing.fills > 0)
      this.#warnings.push(
        `closeAtEnd: ${nounOf(closing.fills, 'the last fill closes', `the last ${String(closing.fills)} fills close`)} positions at the last close`,
      );
    if (closesPositions)
      this.#warnings.push(
        ...listLeftPositions({ engine: this.#engine, terms: this.#terms, end: this.#loop.now }),
      );
    this.#engine.stop();
    await breathe?.();
    signal?.throwIfAborted();
    this.#engine.assertHealthy();
  }

  record(): RunRecord {
    const { config, strategyClass, sourceHash } = this.#options;
    const { portfolio } = this.#engine;
    // The engine may learn of the fill of a resting order after a later fill that came as the answer to an order.
    const fills = this.#engine.fills.inOrderOfTime();
    const undecided = this.#venue.undecided();
    const from = present(this.#from, 'start of the run');
    const traded = {
      instruments: this.#instruments,
      equityCurrency: config.equityCurrency,
      openingHoldings: this.#openingHoldings,
      fills,
      financings: this.#engine.financings,
    };
    return {
      ...traded,
      run: identify(
        {
          strategy: strategyClass.name,
          parameters: this.#parameters as RunRecord['run']['parameters'],
          from,
          to: this.#loop.now,
          candles: this.#loop.candles,
        },
        [config, { series: this.#series, terms: this.#terms.hash }, sourceHash],
      ),
      initialEquity: this.#initialEquity,
      finalEquity: portfolio.equity(),
      finalPrices: listFinalPrices(portfolio),
      finalBalances: portfolio.balances(),
      residual: portfolio.residual(this.#venue.accounts.balances()),
      ...this.#equity.finish(this.#loop.now),
      intents: this.#engine.intentCounts.judged,
      orders: this.#engine.orders,
      closingOrders: this.#closingOrders,
      refusals: this.#engine.refusals,
      worked: this.#engine.worked,
      protections: listProtections(config.risk.protections),
      halts: this.#engine.halts,
      costs: this.#engine.costs,
      calls: listCalls(config),
      gaps: this.#gaps.figures(portfolio, from),
      warnings: this.#listWarnings({ ...traded, run: { from } }),
      undecidedCandles: undecided.count,
      undecidedMoney: [...undecided.money].reduce(
        (sum, [quote, amount]) => sum + portfolio.valueOf(quote, amount),
        0n,
      ),
      undecidedSpans: undecided.spans,
      isPathAsked: this.#venue.isPathAsked,
    };
  }

  #listWarnings(record: HoldingRecord): readonly string[] {
    const { config } = this.#options;
    const { portfolio } = this.#engine;
    const { from, to, dataDelayMs } = config.simulation;
    return [
      ...this.#warnings,
      ...listRangeCaveats({
        cursors: this.#cursors,
        from: from ?? this.#firstTime(),
        to: (to ?? this.#span.end) - dataDelayMs,
        gaps: this.#gaps,
        portfolio,
        record,
      }),
      ...describeNondeterminism(this.#options, this.#engine),
      ...listCaveats({ config, loop: this.#loop, engine: this.#engine, venue: this.#venue }),
      ...listSurplus({ portfolio, terms: this.#terms, end: this.#loop.now }),
    ];
  }
}
