import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createLiveBot,
  createPositionGuard,
  createPaperBot,
  createProcessQueue,
  requireFit,
  verifyClock,
  warmBeside,
  whenLetGo,
  type LiveConnection,
} from '../assembly/index.js';
import { describeFinding } from '../determinism/index.js';
import { present, TransportError } from '../domain/index.js';
import {
  asTrading,
  GUARDED_PAUSE_MS,
  startHeartbeat,
  type BotControl,
  type BotLog,
  type LiveBot,
  type PatienceOptions,
} from '../live/index.js';
import type { StrategyContext } from '../strategy/index.js';
import type { BotSetup, CreateBotsDeps, GuardSetup } from './bot-setup.js';
import { Connections } from './connections.js';
import { claimContracts, type ContractClaim } from './claim-contracts.js';
import { socketPlace } from './control/socket-place.js';
import { RestartingBot } from './restarting-bot.js';
import { takeBack } from './control/take-back.js';
import { StartingBot, type Making } from './starting-bot.js';
import { VerifiedClock } from './verified-clock.js';

/** Two turns of the event loop: events that came while the process was busy, such as a signal, are not handled in the current turn. */
async function breathe(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/**
 * Starts to make bots that share client, budgets and feeds. Each is made separately: a bot that waits for its venue, or cannot start, does not delay
 * the others. Each is returned at once, and can be asked for its progress. If a bot cannot be made, its `ended` reports the failure.
 */
export type CreateBots = (
  setups: readonly BotSetup[],
  deps: CreateBotsDeps,
) => Promise<readonly BotControl[]>;

/** The only place that makes sessions: see {@link CreateBots}. For a setup without a strategy it makes a guard. */
export async function createBots(
  setups: readonly (BotSetup | GuardSetup)[],
  deps: CreateBotsDeps,
): Promise<readonly BotControl[]> {
  const isPaper = setups.every(({ mode }) => mode === 'paper');
  const queue = deps.queue ?? createProcessQueue(deps.time, isPaper ? 'paper' : 'live');
  const connections = new Connections({ ...deps, queue, breathe }, setups);
  const over = new AbortController();
  // A bot with a journal may have positions to guard. So it waits for the venue without end.
  const hasPast = setups.some(({ journal }) => existsSync(journal));
  const waiting = hasPast
    ? { tries: Number.POSITIVE_INFINITY, longestPauseMs: GUARDED_PAUSE_MS }
    : {};
  // One clock check for all bots of a connection.
  const verified = new Map<LiveConnection, VerifiedClock>();
  const connectVerified = async (setup: GuardSetup, making: Making): Promise<LiveConnection> => {
    const connection = await connections.of(setup);
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
      // A guard process also has the bot's socket: it must end before the bot can be asked anything.
      const taking = await Promise.allSettled([takesBack(setup, deps)]);
      const context = { connect: connectVerified, taking: taking[0] };
      return startBot(setup, context, deps);
    }),
  );
  void Promise.all(bots.map(({ ended }) => ended)).then(() => {
    over.abort(new TransportError('E_CLOSED', 'all bots have ended'));
    return connections.close();
  });
  return bots;
}

async function takesBack(
  { mode, journal, config, ...setup }: BotSetup | GuardSetup,
  { isDryRun }: CreateBotsDeps,
): Promise<void> {
  const instruments = config.instruments.map(({ instrumentId }) => instrumentId);
  if ('bot' in setup && mode === 'live' && !isDryRun)
    await takeBack(journal, socketPlace(), {
      instruments,
      fits: (guarded) => requireFit({ config, journal }, guarded),
    });
}

interface CreateContext {
  readonly connect: (setup: GuardSetup, making: Making) => Promise<LiveConnection>;
  /** Outcome of taking back the positions from a guard process. */
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

/** A bot, or a guard, that can be asked while it is being made. */
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
      since: undefined,
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
    const make = async (of: BotSetup | GuardSetup, signal: AbortSignal): Promise<LiveBot> => {
      const bot = await makeBot(
        of,
        { connection, making: { ...making, signal } },
        { time, probes },
      );
      Object.assign(running, { setup: of, bot });
      accompany(bot, { time: connection.time, log });
      return bot;
    };
    /** The next version of the bot: read, checked, and warmed up beside the running one. */
    const prepare = async (reload: NonNullable<BotSetup['reload']>, signal: AbortSignal) => {
      const next = await reload();
      const { config, journal } = next;
      const { strategyClass, sourceHash } = next.bot.plugin;
      await warmBeside(
        { config, journal, strategyClass, sourceHash, connection, breathe, signal },
        present(running.bot, 'a bot that runs').engine.checkpoint(),
      );
      return () => make(next, signal);
    };
    const { reload } = { reload: undefined, ...setup };
    const isReloadable = mode === 'live' && !isDryRun && reload !== undefined;
    const made = new RestartingBot({
      first: await make(setup, making.signal),
      now: () => time.now(),
      again: (signal) =>
        make(running.setup, signal).catch((error: unknown) => {
          signal.throwIfAborted();
          return aStarting(running.setup, () => Promise.reject(asTrading(error)), deps);
        }),
      prepare: isReloadable ? (signal) => prepare(reload, signal) : undefined,
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

/** Claims the contracts. If bot and guard began at the same time, the bot waits until the guard releases them. */
function claimOf(
  setup: BotSetup | GuardSetup,
  { signal }: Making,
  machine: CreateBotsDeps['time'],
): Promise<ContractClaim> {
  const claim = (): Promise<ContractClaim> => claimContracts(setup, socketPlace());
  return 'bot' in setup ? whenLetGo(claim, { machine, journal: setup.journal, signal }) : claim();
}

/** Runs a bot, with heartbeats in the log. */
function accompany(
  made: LiveBot,
  { time, log }: { readonly time: LiveConnection['time']; readonly log: BotLog },
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

async function makeBot(
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
  const made: { context?: StrategyContext } = {};
  const inputs = {
    ...{ ...common, strategyClass, sourceHash, mode, guarded: setup.guarded },
    onConstructed: (_: unknown, context: StrategyContext) => {
      made.context = context;
    },
  };
  const bot = await (mode === 'paper'
    ? createPaperBot(inputs)
    : createLiveBot({ ...inputs, probes }));
  if (made.context !== undefined) setup.onMade?.(made.context);
  return bot;
}
