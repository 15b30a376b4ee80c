import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  connectLive,
  createLiveBot,
  createPositionGuard,
  createPaperBot,
  createProcessQueue,
  verifyClock,
  warmBeside,
  whenLetGo,
  type BanMemory,
  type LiveConnection,
  type LoadedPlugin,
  type SessionConfig,
  type VenueProfile,
} from '../assembly/index.js';
import { describeFinding, type PluginFinding } from '../determinism/index.js';
import type { CallQueue, Credentials } from '../client/index.js';
import { present, TransportError, type EpochMs } from '../domain/index.js';
import {
  asTrading,
  GUARDED_PAUSE_MS,
  startHeartbeat,
  type BotControl,
  type BotLog,
  type BotStatus,
  type GuardStandby,
  type LiveBot,
  type PatienceOptions,
} from '../live/index.js';
import type { EpochSource } from '../journal/index.js';
import { planStops } from '../venue/index.js';
import { claimContracts, type ContractClaim } from './claim-contracts.js';
import { socketPlace } from './control/socket-place.js';
import { RestartingBot } from './restarting-bot.js';
import { takeBack } from './control/take-back.js';
import { StartingBot, type Making } from './starting-bot.js';
import { VerifiedClock } from './verified-clock.js';

/** What a bot's strategy is, and what its text says of why two runs may differ. */
export interface BotStrategy {
  readonly plugin: Pick<LoadedPlugin, 'strategyClass' | 'sourceHash'>;
  readonly scan: { readonly findings: readonly PluginFinding[] };
}

/** One bot that is to run. */
export interface BotSetup extends GuardSetup {
  readonly bot: BotStrategy;
  /** What would take over from it. @defaultValue nothing */
  readonly guarded?: (() => GuardStandby) | undefined;
  /** Reads its file and its plugin again. @defaultValue it cannot be reloaded */
  readonly reload?: (() => Promise<BotSetup>) | undefined;
}

/** A bot without its strategy: what it holds is to be guarded. */
export interface GuardSetup {
  readonly config: SessionConfig;
  readonly mode: BotStatus['mode'];
  /** Absolute path of what it records itself in. */
  readonly journal: string;
  /** What its epochs say of where it came from. */
  readonly source: EpochSource;
  /** Undefined on paper. */
  readonly credentials: Credentials | undefined;
  /** What `check --online` has found the venue to be able to do. @defaultValue nobody has looked */
  readonly profile?: VenueProfile | undefined;
  readonly log: BotLog;
  /** As of what makes a bot. */
  readonly goneForMs?: (() => number) | undefined;
}

const breathe = (): Promise<void> => nextTurn();

/** What all bots of a process share. */
export interface CreateBotsDeps {
  /** The machine's clock and timers. */
  readonly time: {
    now(): EpochMs;
    after(delayMs: number, action: () => void): () => void;
  };
  /** Uniform in [0, 1); spreads retries. */
  readonly random: () => number;
  /** Commands are logged and go nowhere. */
  readonly isDryRun: boolean;
  /** What earlier processes were told of bans. @defaultValue nothing is remembered */
  readonly bans?: BanMemory | undefined;
  /** Limits that they share with bots of the process that were begun before. @defaultValue their own */
  readonly queue?: CallQueue | undefined;
  /** Whether new bots may find out by a smallest round trip what the venue does not show of their contracts. */
  readonly probes: boolean;
}

/**
 * Begins to make bots that share client, budgets and feeds, each by itself: one that waits for its venue, or cannot start, does not keep the
 * others from running. Each is there at once, to be asked how far it is; one that cannot be made is one whose `ended` says that it failed.
 */
export type CreateBots = (
  setups: readonly BotSetup[],
  deps: CreateBotsDeps,
) => Promise<readonly BotControl[]>;

/** The one place that knows how a session is made: see {@link CreateBots}. Setups without a strategy are guarded. */
export async function createBots(
  setups: readonly (BotSetup | GuardSetup)[],
  deps: CreateBotsDeps,
): Promise<readonly BotControl[]> {
  const isPaper = setups.every(({ mode }) => mode === 'paper');
  const queue = deps.queue ?? createProcessQueue(deps.time, isPaper ? 'paper' : 'live');
  const connections = new Map<string, LiveConnection>();
  const stopPlan = planStops(setups.flatMap(({ config }) => config.instruments));
  const connect = ({ config, credentials, profile }: GuardSetup): LiveConnection => {
    // Bots with one key on one venue share its client, its limits and its market data.
    const { spotUrl = '', futuresUrl = '' } = config.venue;
    const name = [credentials?.key.reveal() ?? '', spotUrl, futuresUrl].join(' ');
    const known = connections.get(name);
    if (known !== undefined) return known;
    const { time: machine, random, isDryRun, bans } = deps;
    const made = connectLive({
      ...{ config, credentials, machine, random, queue, isDryRun, bans, profile },
      stopPlan,
    });
    connections.set(name, made);
    return made;
  };
  const over = new AbortController();
  // A bot that goes on from a journal may have something to guard: then the venue is waited for.
  const hasPast = setups.some(({ journal }) => existsSync(journal));
  const waiting = hasPast
    ? { tries: Number.POSITIVE_INFINITY, longestPauseMs: GUARDED_PAUSE_MS }
    : {};
  // Once for all bots of a connection.
  const verified = new Map<LiveConnection, VerifiedClock>();
  const connectVerified = async (setup: GuardSetup, making: Making): Promise<LiveConnection> => {
    const connection = connect(setup);
    const clock = verified.get(connection) ?? new VerifiedClock();
    verified.set(connection, clock);
    const verify = (patience: Pick<PatienceOptions, 'onFailure'>): Promise<void> =>
      verifyClock(setup.config, connection, deps.time, {
        ...patience,
        ...waiting,
        signal: over.signal,
      });
    await clock.wait(verify, making);
    return connection;
  };
  const bots = await Promise.all(
    setups.map(async (setup) => {
      // What guards a bot in its place has its socket, too: it is to be gone before the bot can be asked anything.
      const taking = await Promise.allSettled([takesBack(setup, deps)]);
      const context = { connect: connectVerified, taking: taking[0] };
      return startBot(setup, context, deps);
    }),
  );
  void Promise.all(bots.map(({ ended }) => ended)).then(() => {
    over.abort(new TransportError('E_CLOSED', 'all bots have ended'));
    return Promise.all([...connections.values()].map((connection) => connection.close()));
  });
  return bots;
}

async function takesBack(
  { mode, journal, ...setup }: BotSetup | GuardSetup,
  { isDryRun }: CreateBotsDeps,
): Promise<void> {
  if ('bot' in setup && mode === 'live' && !isDryRun) await takeBack(journal, socketPlace());
}

interface CreateContext {
  readonly connect: (setup: GuardSetup, making: Making) => Promise<LiveConnection>;
  /** Whether a guard has handed back what it held. */
  readonly taking: PromiseSettledResult<void>;
}

function startBot(
  setup: BotSetup | GuardSetup,
  context: CreateContext,
  deps: CreateBotsDeps,
): StartingBot {
  const bot = aStarting(setup, (making) => createBot(setup, { ...context, making }, deps), deps);
  return 'bot' in setup ? bot : Object.assign(bot, { handBack: () => void bot.stop('keep') });
}

/** A bot, or what guards one, that is there while it is being made. */
function aStarting(
  setup: BotSetup | GuardSetup,
  make: (making: Making) => Promise<BotControl>,
  { time }: Pick<CreateBotsDeps, 'time'>,
): StartingBot {
  const isBot = 'bot' in setup;
  return new StartingBot({
    name: setup.config.name,
    mode: setup.mode,
    now: () => time.now(),
    log: setup.log,
    guardedBy: () => ({
      process: isBot ? 'bot' : 'guard',
      standby: isBot ? (setup.guarded?.() ?? 'off') : 'off',
    }),
    make,
  });
}

async function createBot(
  setup: BotSetup | GuardSetup,
  { connect, taking, making }: CreateContext & { readonly making: Making },
  deps: CreateBotsDeps,
): Promise<BotControl> {
  const { time, probes, isDryRun } = deps;
  const { mode, log } = setup;
  if (taking.status === 'rejected') throw taking.reason;
  let claim: ContractClaim | undefined;
  try {
    if (mode === 'live' && !isDryRun) claim = await claimOf(setup, making, time);
    const connection = await connect(setup, making);
    const running: { setup: BotSetup | GuardSetup; bot?: LiveBot } = { setup };
    const make = async (of: BotSetup | GuardSetup): Promise<LiveBot> => {
      const bot = await makeBot(of, { connection, making }, { time, probes });
      Object.assign(running, { setup: of, bot });
      accompany(bot, { time, log });
      return bot;
    };
    /** What it is to become: read, checked, and warmed up beside it. */
    const prepare = async (reload: NonNullable<BotSetup['reload']>) => {
      const next = await reload();
      const { config, journal } = next;
      const { strategyClass, sourceHash } = next.bot.plugin;
      await warmBeside(
        { config, journal, strategyClass, sourceHash, connection, breathe, signal: making.signal },
        present(running.bot, 'a bot that runs').engine.checkpoint(),
      );
      return () => make(next);
    };
    const { reload } = { reload: undefined, ...setup };
    const isReloadable = mode === 'live' && !isDryRun && reload !== undefined;
    const made = new RestartingBot({
      first: await make(setup),
      now: () => time.now(),
      again: () =>
        make(running.setup).catch((error: unknown) =>
          aStarting(running.setup, () => Promise.reject(asTrading(error)), deps),
        ),
      prepare: isReloadable ? () => prepare(reload) : undefined,
      onReload: ({ since, text, state }) => {
        log.warning({ time: since, text: `reload ${state}: ${text}` });
      },
    });
    void made.ended.then(() => {
      claim?.release();
    });
    return made;
  } catch (error: unknown) {
    claim?.release();
    throw error;
  }
}

/** What guards a bot lets go of its contracts, where the two began at the same instant. */
function claimOf(
  setup: BotSetup | GuardSetup,
  { signal }: Making,
  machine: CreateBotsDeps['time'],
): Promise<ContractClaim> {
  const claim = (): Promise<ContractClaim> => claimContracts(setup, socketPlace());
  return 'bot' in setup ? whenLetGo(claim, { machine, journal: setup.journal, signal }) : claim();
}

/** Lets a bot run, with its pulse in the log. */
function accompany(
  made: LiveBot,
  { time, log }: { readonly time: CreateBotsDeps['time']; readonly log: BotLog },
): void {
  const stopHeartbeat = startHeartbeat({
    time,
    log,
    status: () => made.status(),
    lastEvent: () => made.lastEvent,
    takeWorstLagMs: () => made.takeWorstLagMs(),
  });
  void made.ended.then(() => {
    stopHeartbeat();
  });
  void made.start();
}

function makeBot(
  setup: BotSetup | GuardSetup,
  { connection, making }: { readonly connection: LiveConnection; readonly making: Making },
  { time, probes }: Pick<CreateBotsDeps, 'time' | 'probes'>,
): Promise<LiveBot> {
  const { config, mode, journal, source, log, goneForMs } = setup;
  const common = {
    ...{ config, journal, source, connection, machine: time, log, goneForMs, breathe },
    ...making,
  };
  if (!('bot' in setup)) return createPositionGuard(common);
  const { plugin, scan } = setup.bot;
  for (const finding of scan.findings)
    log.warning({ time: time.now(), code: finding.code, text: describeFinding(finding) });
  const { strategyClass, sourceHash } = plugin;
  const inputs = { ...common, strategyClass, sourceHash, mode, guarded: setup.guarded };
  return mode === 'paper' ? createPaperBot(inputs) : createLiveBot({ ...inputs, probes });
}
