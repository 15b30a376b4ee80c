import { setImmediate as nextTurn } from 'node:timers/promises';
import { createProcessQueue, isGuardNeeded } from '../../../assembly/index.js';
import { DEFAULT_PRINCIPAL, type CallQueue } from '../../../client/index.js';
import { present, UsageError } from '../../../domain/index.js';
import { takeProcessLock } from '../../../journal/index.js';
import type { BotControl, BotLog } from '../../../live/index.js';
import type { CliContext } from '../../cli-context.js';
import { describeError } from '../../describe-error.js';
import { systemTime, wallClock } from '../../../engine/index.js';
import { openBanMemory, createBotLogger, createBots, runBots } from '../../../bots/index.js';
import {
  controlPath,
  socketPlace,
  untilHandedBack,
  untilUnanswered,
} from '../../../bots/control/index.js';
import type { LiveFlags } from '../live-flags.js';
import { openScreen, type LiveScreen } from '../live-screen.js';
import { hearStop } from '../stop-signal.js';
import { loadGuarded, type Guarded } from './load-guarded.js';
import { endOwner } from './end-owner.js';
import type { OwnerLink } from './guard-link.js';
import { LOOK_MS, OwnerWatch, type OwnerWatchOptions } from './owner-watch.js';

/** After the process of a bot has ended, the lock of its journal, and then its socket, may take this time to come free. */
const LOCK_PATIENCE_MS = 2_000;
const LOCK_LOOK_MS = 50;
/** Time between two checks whether something is left to guard. */
const LEFT_LOOK_MS = 1_000;

const breathe = (): Promise<void> => nextTurn();

type GuardFlags = Pick<LiveFlags, 'set' | 'log' | 'logLevel'>;

/**
 * Runs the guard process of a process of bots. It makes no call while that process lives. When that process is dead or stuck, it guards what the
 * bots hold, until the bots are started again or nothing is left to guard.
 *
 * @throws {UsageError} `E_USAGE` when it was not started by a process of bots; as `loadGuarded`.
 */
export async function runGuard(
  files: readonly string[],
  flags: GuardFlags,
  context: CliContext,
): Promise<void> {
  const { owner } = context;
  if (owner === undefined)
    throw new UsageError(
      'E_USAGE',
      '"guard-process" is started by "live": it guards the bots of that process',
    );
  // The guard must outlive the bots: Ctrl-C may go to all processes at once.
  context.endsInOrder?.();
  const bots = await loadGuarded(files, flags.set ?? [], context);
  const screen = openScreen({ ...flags, view: false }, context);
  // Every SIGTERM is ignored while the process of the bots lives: SIGTERM may go to all processes at once, and the guard must outlive the bots.
  let hear: (() => void) | undefined;
  const ignore = (): void => {
    hear = context.onTerminate?.(ignore);
  };
  ignore();
  const find = (name: string): Guarded =>
    present(
      bots.find(({ config }) => config.name === name),
      'a bot of this process',
    );
  const work: Promise<void>[] = [];
  const queue = createProcessQueue(systemTime);
  await untilOver(owner, {
    bots: bots.map(({ config }) => config.name),
    silent: (watched, isSilent) => {
      endOwner(watched, {
        ...{ owner, isSilent },
        isNeeded: (name) => isGuardNeeded({ ...find(name), breathe }),
        say: (line) => screen.say(line),
        onFailure: (name, error) => tellFailure(name, error, screen),
      }).catch((error: unknown) => {
        tellFailure('the bots', error, screen);
      });
    },
    takeOver: (taken) => {
      const left = taken.map(({ name, isGuarding }) => ({ ...find(name), isGuarding }));
      work.push(standIn(left, { flags, screen, context, queue }));
    },
  });
  hear?.();
  await Promise.all(work);
}

/** Watches the process of the bots until there is no bot left to watch. */
async function untilOver(owner: OwnerLink, options: OwnerWatchOptions): Promise<void> {
  const now = (): number => performance.now();
  const watch = new OwnerWatch(options, now());
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearInterval(timer);
      resolve();
    };
    const timer = setInterval(() => {
      watch.look(now());
      if (watch.isOver) end();
    }, LOOK_MS);
    owner.listen(
      (message) => watch.hear(message, now()),
      () => {
        watch.gone();
        end();
      },
    );
    owner.tell({ kind: 'ready' });
  });
}

/** Reports a bot that cannot be guarded, for example because of a damaged journal. The other bots are still guarded. */
function tellFailure(name: string, error: unknown, screen: LiveScreen): void {
  for (const line of describeError(error).lines) screen.say(`guard of ${name} has failed: ${line}`);
}

/** A bot whose process cannot guard it any more. */
interface Left extends Guarded {
  /** Whether the bot guarded something according to the last sign of life. If not, its journal decides. */
  readonly isGuarding: boolean;
}

interface StandInOptions {
  readonly flags: GuardFlags;
  readonly screen: LiveScreen;
  readonly context: CliContext;
  /** Rate limits of this process. */
  readonly queue: CallQueue;
}

/** Guards what bots have left, until they are back or nothing is left. Bots that are taken over together share calls, as they did in their own process. */
async function standIn(
  bots: readonly Left[],
  { flags, screen, context, queue }: StandInOptions,
): Promise<void> {
  const leftAt = systemTime.now();
  const found = await Promise.all(
    bots.map((bot) =>
      isAlone(bot).catch((error: unknown) => {
        tellFailure(bot.config.name, error, screen);
        return false;
      }),
    ),
  );
  const alone = bots.filter((_, index) => found[index]);
  if (alone.length === 0) return;
  // The last calls of the ended process are not known, so its limits count as used up.
  queue.assumeSpent(DEFAULT_PRINCIPAL, leftAt);
  await guardAll(alone, { flags, screen, context, queue }).catch((error: unknown) => {
    for (const { config } of alone) tellFailure(config.name, error, screen);
  });
}

/** Whether a bot has something to guard and no other process runs it. */
async function isAlone(bot: Left): Promise<boolean> {
  const { journal, isGuarding } = bot;
  await untilHandedBack(journal, socketPlace());
  // A bot that was started again guards itself.
  if (!(await comesFree(`${journal}-lock`))) return false;
  if (!isGuarding && !(await isGuardNeeded({ ...bot, breathe }))) return false;
  // A bot that is just starting opens its socket before its journal.
  return untilUnanswered(controlPath(journal, socketPlace()), LOCK_PATIENCE_MS);
}

async function guardAll(
  bots: readonly Guarded[],
  { flags, screen, context, queue }: StandInOptions,
): Promise<void> {
  const goneAt = systemTime.now();
  const goneForMs = (): number => systemTime.now() - goneAt;
  const setups = bots.map((bot) => {
    screen.say(`guard of ${bot.config.name}: the bot has ended; this process samples its stops`);
    return { ...bot, goneForMs, log: logOf(bot, flags, screen) };
  });
  const stop = hearStop(context);
  try {
    const controls = await createBots(setups, {
      time: systemTime,
      random: Math.random,
      isDryRun: false,
      probes: false,
      bans: openBanMemory(socketPlace()),
      queue,
    });
    const running = controls.map((control, index) => ({
      control,
      onStop: 'keep' as const,
      journal: present(bots[index], 'a bot for each control').journal,
    }));
    const stopLooking = controls.map(endWhenNothingIsLeft);
    const say = (line: string): void => screen.say(`guard: ${line}`);
    await runBots({
      bots: running,
      stop: stop.signal,
      place: socketPlace(),
      say,
      describeFailure: (error) => describeError(error).lines,
    });
    for (const end of stopLooking) end();
  } finally {
    stop.release();
  }
}

function logOf(
  { config, credentials }: Guarded,
  { logLevel }: GuardFlags,
  screen: LiveScreen,
): BotLog {
  return createBotLogger({
    bot: config.name,
    mode: 'live',
    level: logLevel,
    clock: wallClock,
    secrets: credentials === undefined ? [] : [credentials.key, credentials.secret],
    write: (line) => screen.log(line),
  });
}

async function comesFree(file: string): Promise<boolean> {
  for (let waited = 0; waited <= LOCK_PATIENCE_MS; waited += LOCK_LOOK_MS) {
    const lock = await takeProcessLock(file);
    if (lock !== undefined) {
      lock.release();
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_LOOK_MS));
  }
  return false;
}

function endWhenNothingIsLeft(control: BotControl): () => void {
  const timer = setInterval(() => {
    const { state, isFlattening, guards, orders, waiting, cancels } = control.status();
    if (state === 'starting' || state === 'warming' || isFlattening) return;
    if ([guards, orders, waiting, cancels].every(({ length }) => length === 0))
      void control.stop('keep');
  }, LEFT_LOOK_MS);
  return () => clearInterval(timer);
}
