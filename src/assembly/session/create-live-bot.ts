import { openArchive, type Archive } from '../../archive/index.js';
import {
  ConfigError,
  nominalIntervalMs,
  UsageError,
  type EpochMs,
  type InstrumentId,
} from '../../domain/index.js';
import { FillBook } from '../../feed/index.js';
import {
  Activity,
  compareVenue,
  createSessionTime,
  divergenceError,
  lastTradeBefore,
  LiveBot,
  NO_JOURNAL,
  openJournal,
  patiently,
  readJournal,
  replayEntry,
  resumeFills,
  type BotLog,
  type BotStatus,
  type Engine,
  type Epoch,
  type EpochSource,
  type Journal,
  type LiveBotOptions,
  type SqliteJournal,
  type WarmStream,
} from '../../runtime/index.js';
import type { StrategyClass } from '../../strategy/index.js';
import type { SessionConfig } from '../bot-config.js';
import { createEngine } from '../create-engine.js';
import { createInstrument } from '../create-instruments.js';
import { readTerms, type MarketTerms } from '../load-terms.js';
import { describeEpoch } from '../replay-journal.js';
import type { LiveConnection, MachineTime } from './live-connection.js';
import { clockHostOf } from './live-connection.js';
import { watchExecution, watchJournal, type OnBoundary } from './boundaries.js';
import { createFeeEstimate } from './estimate-fee.js';
import { listStreams, openEngine } from './open-engine.js';
import { findRuleDifferences } from './verify-rules.js';

export interface LiveBotInputs {
  readonly config: SessionConfig;
  readonly strategyClass: StrategyClass;
  /** Hash of the plugin and what it imports. */
  readonly sourceHash: string;
  readonly mode: BotStatus['mode'];
  /** Absolute path of what it records itself in. */
  readonly journal: string;
  /** What its epochs say of where it came from. */
  readonly source: EpochSource;
  readonly connection: LiveConnection;
  readonly machine: MachineTime;
  readonly log: BotLog;
  /** Told of every boundary that is come to; for the crash test. */
  readonly onBoundary?: OnBoundary | undefined;
}

/** How long the venue takes a request after its timestamp, where nothing else is asked for. */
const RECV_WINDOW_MS = 5_000;
/** Between two comparisons of everything with the venue. */
const RECONCILE_MS = 60_000;

/**
 * Makes a bot from its configuration and its journal: a new one warms up, one that was running when its process ended is replayed and
 * goes on. It runs once it is started.
 *
 * @throws {ConfigError} when the configuration does not fit strategy or venue; {JournalError} as `openJournal`, `E_REPLAY_DIVERGED` when the
 * engine does not do what the journal says; errors of the venue.
 */
export async function createLiveBot(inputs: LiveBotInputs): Promise<LiveBot> {
  const { config: written, connection, journal: file } = inputs;
  refuseMargin(written);
  const { simulation, live } = written;
  // What the bot may use is what it counts with.
  const config: SessionConfig = {
    ...written,
    simulation: { ...simulation, balances: live.allocation },
  };
  const archive = openArchive(simulation.archive);
  const terms = await readTerms(config, archive);
  const controller = new AbortController();
  const time = inputs.machine;
  await patiently(() => connection.client.serverTime(clockHostOf(config), controller.signal), {
    time,
  });
  await patiently(() => verifyRules(config, terms, connection, controller.signal), { time });
  const journal = await openJournal({ file });
  try {
    return await assemble({ ...inputs, config }, { archive, terms, journal, controller });
  } catch (error: unknown) {
    journal.close();
    throw error;
  }
}

interface Parts {
  readonly archive: Archive;
  readonly terms: MarketTerms;
  readonly journal: SqliteJournal;
  readonly controller: AbortController;
}

/** What a session begins with: a new engine, or one that was replayed. */
interface Begun {
  readonly engine: Engine;
  readonly streams: readonly WarmStream[];
  readonly isReplayed: boolean;
  readonly fills: FillBook;
  readonly lastTrades: ReadonlyMap<InstrumentId, string>;
  readonly initialEquity: LiveBotOptions['initialEquity'];
  /** When the bot began: what was traded before is not its own. */
  readonly since: EpochMs;
}

async function assemble(inputs: LiveBotInputs, parts: Parts): Promise<LiveBot> {
  const { config, connection, machine, mode, log, onBoundary = () => undefined } = inputs;
  const { terms, journal, controller } = parts;
  const { simulation, live } = config;
  const instruments = config.instruments.map(createInstrument);
  const hooks: { bot?: LiveBot } = {};
  const begun = await begin(inputs, parts, (verdict, id) => hooks.bot?.onVerdict(verdict, id));
  const { engine } = begun;
  const time = createSessionTime(connection.time);
  const bot = new LiveBot({
    ...begun,
    name: config.name,
    mode,
    log,
    machine,
    venue: {
      ...connection.venue,
      execution: watchExecution(connection.venue.execution, onBoundary),
    },
    time,
    activity: new Activity(),
    instruments,
    marks: finestIntervals(config),
    isSequential: false,
    dataDelayMs: simulation.dataDelayMs,
    updatePollMs: simulation.updatePollMs,
    stopPollMs: simulation.stopPollMs,
    idleMs: RECONCILE_MS,
    alignMs: live.alignMs,
    lateMs: live.staleAfterMs + live.alignMs,
    staleAfterMs: live.staleAfterMs,
    loopStallMs: live.loopStallMs,
    recvWindowMs: RECV_WINDOW_MS,
    clockBoundMs: connection.clockBoundMs(),
    estimateFee: createFeeEstimate(simulation, { instruments, now: () => time.now() }),
    ignoresForeign: live.foreignOrders === 'ignore',
    travel: (_command, _given, depart) => {
      depart();
    },
    budgets: () => connection.budgets(),
    reconcile: (session) => {
      onBoundary('reconciliation');
      return compareVenue({
        engine,
        session,
        source: connection.venue.account,
        instruments,
        rules: terms.rules,
        now: () => time.now(),
        signal: controller.signal,
        foreignOrders: live.foreignOrders,
      });
    },
    onEnd: () => {
      controller.abort();
      journal.close();
      return Promise.resolve();
    },
  });
  hooks.bot = bot;
  return bot;
}

type OnVerdict = NonNullable<Parameters<typeof createEngine>[0]['onVerdict']>;

async function begin(inputs: LiveBotInputs, parts: Parts, onVerdict: OnVerdict): Promise<Begun> {
  const { journal: file } = inputs;
  const reader = await readJournal(file);
  try {
    const epoch = reader.epochs().at(-1);
    if (epoch === undefined || epoch.closed !== undefined)
      return await beginAnew(inputs, parts, onVerdict);
    refuseOtherInputs(epoch, inputs, parts.terms);
    const begun = replay(inputs, parts, { onVerdict, epoch, entries: reader.entries(epoch) });
    if (begun.engine.isWarm) return begun;
    // It has never traded, and its warm-up is read again.
    begun.engine.stop();
    parts.journal.closeEpoch('ended before it was warm');
    return await beginAnew(inputs, parts, onVerdict);
  } finally {
    reader.close();
  }
}

async function beginAnew(
  inputs: LiveBotInputs,
  { archive, terms, journal, controller }: Parts,
  onVerdict: OnVerdict,
): Promise<Begun> {
  const { connection, mode, source, log, onBoundary = () => undefined } = inputs;
  const now = (): EpochMs => connection.time.now();
  const opened = await openEngine({
    ...inputs,
    terms,
    now: now(),
    source: connection.venue.market,
    archive,
    journal: watchJournal(journal, onBoundary),
    log: log.strategy(now),
    onVerdict,
    signal: controller.signal,
    patience: { time: inputs.machine },
    onBegin: (begin) => {
      journal.beginEpoch(describeEpoch(inputs, begin, { mode, source }));
    },
  });
  const fills = new FillBook();
  return {
    ...opened,
    isReplayed: false,
    fills,
    lastTrades: await patiently(() => newestTrades(inputs, controller.signal), {
      time: inputs.machine,
    }),
    initialEquity: undefined,
    since: now(),
  };
}

/** The newest own trade of each instrument: what was traded before this bot is not its own. */
async function newestTrades(
  { config, connection }: LiveBotInputs,
  signal: AbortSignal,
): Promise<ReadonlyMap<InstrumentId, string>> {
  const { account: source } = connection.venue;
  const last = new Map<InstrumentId, string>();
  for (const { instrumentId } of config.instruments) {
    const id = await lastTradeBefore(connection.time.now(), { source, instrumentId, signal });
    if (id !== undefined) last.set(instrumentId, id);
  }
  return last;
}

/** Feeds the journal's open epoch to a fresh engine. Nothing is sent; what it does not do again stops the start. */
function replay(
  inputs: LiveBotInputs,
  { terms, journal }: Parts,
  {
    onVerdict,
    epoch,
    entries,
  }: {
    readonly onVerdict: OnVerdict;
    readonly epoch: Epoch;
    readonly entries: Iterable<Parameters<typeof replayEntry>[1]>;
  },
): Begun {
  const { config, connection, log, onBoundary = () => undefined } = inputs;
  const sink: { target: Journal } = { target: NO_JOURNAL };
  const engine = createEngine({
    ...inputs,
    terms,
    constructed: epoch.header.constructed,
    checkpoint: epoch.header.checkpoint,
    journal: {
      append: (event, commands) => {
        sink.target.append(event, commands);
      },
    },
    log: log.strategy(() => connection.time.now()),
    onVerdict,
  });
  engine.construct();
  engine.start(epoch.header.started);
  const lastOpen = new Map<string, EpochMs>();
  let initialEquity: Begun['initialEquity'];
  for (const entry of entries) {
    onBoundary('replay');
    const divergence = replayEntry(engine, entry);
    if (divergence !== undefined) throw divergenceError(divergence);
    const { event } = entry;
    if (event.kind === 'opening') initialEquity = engine.portfolio.equity();
    if (event.kind !== 'candles') continue;
    for (const { instrumentId, interval, openTime } of event.candles)
      lastOpen.set(`${instrumentId} ${interval}`, openTime);
  }
  journal.resumeEpoch();
  sink.target = watchJournal(journal, onBoundary);
  const fills = new FillBook();
  const instruments = new Map(
    config.instruments.map((each) => [each.instrumentId, createInstrument(each)]),
  );
  const lastTrades = resumeFills(
    {
      orders: engine.orders,
      fills: engine.fills.map(({ record }) => record),
      feeAssetOf: (id) => {
        const instrument = instruments.get(id);
        return instrument?.kind === 'futures' ? instrument.marginAsset : (instrument?.quote ?? '');
      },
    },
    fills,
  );
  return {
    engine,
    streams: listStreams(config).map((stream) => ({
      ...stream,
      history: [],
      after: lastOpen.get(`${stream.instrumentId} ${stream.interval}`),
    })),
    isReplayed: true,
    fills,
    lastTrades,
    initialEquity,
    since: epoch.header.constructed,
  };
}

/**
 * A bot's state is rebuilt by what built it.
 *
 * @throws {UsageError} `E_REPLAY_INPUTS` when plugin, parameters, configuration, terms or engine are others than those of the open epoch.
 */
function refuseOtherInputs(epoch: Epoch, inputs: LiveBotInputs, terms: MarketTerms): void {
  const { header } = epoch;
  const { constructed, started } = header;
  const now = describeEpoch(inputs, { constructed, started, terms: terms.hash }, header);
  for (const name of ['engine', 'plugin', 'parameters', 'config', 'terms'] as const) {
    if (header.hashes[name] === now.hashes[name]) continue;
    throw new UsageError(
      'E_REPLAY_INPUTS',
      `${inputs.journal}: expected the ${name} with which the bot was running, received another; start it once as it was and stop it in order, or move its journal away once nothing of it is at the venue`,
    );
  }
}

async function verifyRules(
  config: SessionConfig,
  terms: MarketTerms,
  { venue, time }: LiveConnection,
  signal: AbortSignal,
): Promise<void> {
  const differences = await findRuleDifferences(config, terms, {
    source: venue.market,
    now: time.now(),
    signal,
  });
  if (differences.length === 0) return;
  throw new ConfigError('E_CONFIG_RULES', {
    location: { file: config.name, key: 'simulation.rules' },
    expected: "the venue's rules as they are now",
    received: differences.join('; '),
    suggestion: 'bring them up to date and test again',
  });
}

/** The interface shows no balance or debt of margin accounts (DESIGN R13). */
function refuseMargin(config: SessionConfig): void {
  const margin = config.instruments.find(({ kind }) => kind === 'margin');
  if (margin === undefined) return;
  throw new ConfigError('E_CONFIG_VALUE', {
    location: { file: config.name, key: 'instruments' },
    expected:
      'spot and futures instruments: margin accounts cannot be read, and this version does not trade them blind',
    received: margin.instrumentId,
  });
}

/** Contracts whose marks are read with every candle of their finest interval. */
function finestIntervals({ instruments }: SessionConfig): ReadonlyMap<InstrumentId, number> {
  return new Map(
    instruments
      .filter(({ kind }) => kind === 'futures')
      .map(({ instrumentId, intervals }) => [
        instrumentId,
        Math.min(...intervals.map(nominalIntervalMs)),
      ]),
  );
}
