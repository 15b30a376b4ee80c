import {
  connectLive,
  createLiveBot,
  createPositionGuard,
  createPaperBot,
  createProcessQueue,
  verifyClock,
  type LiveConnection,
  type SessionConfig,
} from '../../assembly/index.js';
import { describeFinding } from '../../determinism/index.js';
import type { Credentials } from '../../client/index.js';
import { TradingError, type EpochMs } from '../../domain/index.js';
import {
  asTrading,
  startHeartbeat,
  type BotControl,
  type BotEnd,
  type BotLog,
  type BotStatus,
  type GuardStandby,
  type LiveBot,
} from '../../live/index.js';
import type { EpochSource } from '../../journal/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import { claimContracts, type ContractClaim } from './claim-contracts.js';
import { socketPlace } from './find-bot.js';
import { RestartingBot } from './restarting-bot.js';
import { takeBack } from './guard/take-back.js';

/** One bot that is to run. */
export interface BotSetup extends GuardSetup {
  readonly bot: LoadedBot;
  /** What would take over from it. @defaultValue nothing */
  readonly guarded?: (() => GuardStandby) | undefined;
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
  readonly log: BotLog;
}

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
  /** Whether new bots may find out by a smallest round trip what the venue does not show of their contracts. */
  readonly probes: boolean;
}

/**
 * Makes bots that run from now on and share client, budgets and feeds. A bot that cannot start is one whose `ended` says that it failed; it
 * does not keep the others from running.
 *
 * @throws {TradingError} when none can run.
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
  const queue = createProcessQueue(deps.time, isPaper ? 'paper' : 'live');
  const connections = new Map<string, LiveConnection>();
  const connect = ({ config, credentials }: GuardSetup): LiveConnection => {
    // Bots with one key on one venue share its client, its limits and its market data.
    const { spotUrl = '', futuresUrl = '' } = config.venue;
    const name = [credentials?.key.reveal() ?? '', spotUrl, futuresUrl].join(' ');
    const known = connections.get(name);
    if (known !== undefined) return known;
    const { time: machine, random, isDryRun } = deps;
    const made = connectLive({ config, credentials, machine, random, queue, isDryRun });
    connections.set(name, made);
    return made;
  };
  // Once for all bots of a connection.
  const verified = new Map<LiveConnection, Promise<void>>();
  const connectVerified = async (setup: GuardSetup): Promise<LiveConnection> => {
    const connection = connect(setup);
    const verifying = verified.get(connection) ?? verifyClock(setup.config, connection, deps.time);
    verified.set(connection, verifying);
    await verifying;
    return connection;
  };
  const bots: BotControl[] = [];
  for (const setup of setups) bots.push(await createBot(setup, connectVerified, deps));
  void Promise.all(bots.map(({ ended }) => ended)).then(() =>
    Promise.all([...connections.values()].map((connection) => connection.close())),
  );
  return bots;
}

async function createBot(
  setup: BotSetup | GuardSetup,
  connect: (setup: GuardSetup) => Promise<LiveConnection>,
  { time, probes, isDryRun }: CreateBotsDeps,
): Promise<BotControl> {
  const { mode, journal, log } = setup;
  let claim: ContractClaim | undefined;
  try {
    if (mode === 'live' && !isDryRun) {
      if ('bot' in setup) await takeBack(journal, socketPlace());
      claim = await claimContracts(setup, socketPlace());
    }
    const connection = await connect(setup);
    const make = async (): Promise<LiveBot> => {
      const made = await makeBot(setup, connection, { time, probes });
      accompany(made, { time, log });
      return made;
    };
    const first = await make();
    if (!('bot' in setup)) {
      void first.ended.then(() => claim?.release());
      return Object.assign(first, { handBack: () => void first.stop('keep') });
    }
    const made = new RestartingBot({
      first,
      again: () =>
        make().catch((error: unknown) =>
          failedBot(setup, { error: asTrading(error), now: time.now() }),
        ),
    });
    void made.ended.then(() => {
      claim?.release();
    });
    return made;
  } catch (error: unknown) {
    claim?.release();
    if (!(error instanceof TradingError)) throw error;
    return failedBot(setup, { error, now: time.now() });
  }
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
  connection: LiveConnection,
  { time, probes }: Pick<CreateBotsDeps, 'time' | 'probes'>,
): Promise<LiveBot> {
  const { config, mode, journal, source, log } = setup;
  const common = { config, journal, source, connection, machine: time, log };
  if (!('bot' in setup)) return createPositionGuard(common);
  const { plugin, scan } = setup.bot;
  for (const finding of scan.findings)
    log.warning({ time: time.now(), code: finding.code, text: describeFinding(finding) });
  const { strategyClass, sourceHash } = plugin;
  const inputs = { ...common, strategyClass, sourceHash, mode, guarded: setup.guarded };
  return mode === 'paper' ? createPaperBot(inputs) : createLiveBot({ ...inputs, probes });
}

/** A bot that could not start: it has failed, and does nothing. */
function failedBot(
  { config, mode }: GuardSetup,
  { error, now }: { readonly error: TradingError; readonly now: EpochMs },
): BotControl {
  const end: BotEnd = { kind: 'failed', error };
  return {
    name: config.name,
    ended: Promise.resolve(end),
    status: () => ({
      name: config.name,
      mode,
      state: 'stopped',
      since: now,
      reasons: [error.message],
      time: now,
      equity: undefined,
      profit: undefined,
      streams: [],
      positions: [],
      orders: [],
      guardedBy: { process: 'bot', standby: 'off' },
      guards: [],
      worked: [],
      waiting: [],
      cancels: [],
      margins: [],
      budgets: [],
      events: 0,
      commands: 0,
      lastDecision: undefined,
    }),
    pause: () => undefined,
    resume: () => undefined,
    halt: () => undefined,
    flatten: () => undefined,
    restartStrategy: () => undefined,
    stop: () => Promise.resolve(end),
  };
}
