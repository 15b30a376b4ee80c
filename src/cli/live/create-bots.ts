import {
  connectLive,
  createLiveBot,
  createPaperBot,
  createProcessQueue,
  verifyClock,
  type BotInputs,
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
  type LiveBot,
} from '../../live/index.js';
import type { EpochSource } from '../../journal/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import { claimContracts, type ContractClaim } from './claim-contracts.js';
import { socketPlace } from './find-bot.js';
import { RestartingBot } from './restarting-bot.js';

/** One bot that is to run. */
export interface BotSetup {
  readonly config: SessionConfig;
  readonly bot: LoadedBot;
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

/** The one place that knows how a session is made. */
export const createBots: CreateBots = async (setups, deps) => {
  const isPaper = setups.every(({ mode }) => mode === 'paper');
  const queue = createProcessQueue(deps.time, isPaper ? 'paper' : 'live');
  const connections = new Map<string, LiveConnection>();
  const connect = ({ config, credentials }: BotSetup): LiveConnection => {
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
  const connectVerified = async (setup: BotSetup): Promise<LiveConnection> => {
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
};

async function createBot(
  setup: BotSetup,
  connect: (setup: BotSetup) => Promise<LiveConnection>,
  { time, probes, isDryRun }: CreateBotsDeps,
): Promise<BotControl> {
  const { config, bot, mode, journal, source, log } = setup;
  let claim: ContractClaim | undefined;
  try {
    if (mode === 'live' && !isDryRun) claim = await claimContracts(setup, socketPlace());
    const { strategyClass, sourceHash } = bot.plugin;
    for (const finding of bot.scan.findings)
      log.warning({ time: time.now(), code: finding.code, text: describeFinding(finding) });
    const inputs: BotInputs = {
      config,
      strategyClass,
      sourceHash,
      mode,
      journal,
      source,
      connection: await connect(setup),
      machine: time,
      log,
    };
    const make = async (): Promise<LiveBot> => {
      const made = await (mode === 'paper'
        ? createPaperBot(inputs)
        : createLiveBot({ ...inputs, probes }));
      accompany(made, { time, log });
      return made;
    };
    const made = new RestartingBot({
      first: await make(),
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

/** A bot that could not start: it has failed, and does nothing. */
function failedBot(
  { config, mode }: BotSetup,
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
