import { setImmediate as nextTurn } from 'node:timers/promises';
import { lastEnding } from '../../assembly/index.js';
import { present, UsageError } from '../../domain/index.js';
import type { BotControl, BotStatus } from '../../live/index.js';
import type { CliContext } from '../cli-context.js';
import { systemTime, wallClock } from '../../engine/index.js';
import {
  openBanMemory,
  createBotLogger,
  createBots,
  type BotSetup,
  type CreateBots,
  runBots,
} from '../../bots/index.js';
import { confirmKey } from './confirm-key.js';
import { copyJournal } from './copy-journal.js';
import { findObstacles } from './find-obstacles.js';
import { openGuard } from './guard/open-guard.js';
import { socketPlace } from '../../bots/control/index.js';
import { describeError } from '../describe-error.js';
import type { LiveFlags } from './live-flags.js';
import { openScreen, type LiveScreen } from './live-screen.js';
import { loadSetups, type UnloggedSetup } from './load-setups.js';
import { reloadSetup } from './reload-setup.js';
import { hearStop } from './stop-signal.js';

/** A warm-up may block the process for seconds at a time, so the limit is much longer. */
const HANG_MS = 60_000;
/** The check of a long journal on a slow disk may block the process for minutes before its bot runs (D-288). */
const MAKING_HANG_MS = 600_000;

/** The bots to run, and the options. */
export interface LiveRun {
  readonly mode: BotStatus['mode'];
  /** YAML files as the user wrote them. */
  readonly files: readonly string[];
  readonly flags: LiveFlags;
}

/**
 * Runs `live` or `paper`. Before anything is sent, everything is checked, and the first live start on a key is confirmed. Then the bots run
 * until each has ended.
 */
export async function runLive(
  { mode, files, flags }: LiveRun,
  context: CliContext,
  create: CreateBots = createBots,
): Promise<void> {
  if (flags.probe === true && flags.dryRun === true)
    throw new UsageError('E_USAGE', '--probe sends orders and --dry-run sends none: choose one');
  const setups = await loadSetups(files, { mode, flags }, context);
  if (flags.acceptFindings !== true && (await refuseObstacles(setups, context))) return;
  if (mode === 'live' && flags.yes !== true && flags.dryRun !== true) {
    for (const setup of setups) await confirmKey(setup, context);
  }
  const screen = openScreen(flags, context);
  // Listen before the bots exist: a stop during their start applies when they are there.
  const stop = hearStop(context);
  let release = (): void => undefined;
  const isReal = mode === 'live' && flags.dryRun !== true;
  const guarded = isReal
    ? files.filter((_, index) => setups[index]?.config.live.guard === 'on')
    : [];
  const guard = openGuard({ files: guarded, flags, say: (line) => screen.say(line) }, context);
  try {
    if (flags.dryRun === true) for (const setup of setups) await copyJournal(setup);
    const logged = setups.map((setup, index): BotSetup => {
      const own = { ...withLog(setup, flags, screen), guarded: () => guard?.standby ?? 'off' };
      const file = present(files[index], 'a file for each setup');
      return { ...own, reload: () => reloadSetup(own, { mode, file, flags }, context) };
    });
    const hang = guardAgainstHang(hangLimit(setups), {
      ...context,
      say: (line) => screen.say(line),
    });
    release = hang.end;
    const bots = await create(logged, {
      time: systemTime,
      random: Math.random,
      isDryRun: flags.dryRun === true,
      bans: openBanMemory(socketPlace()),
      probes: flags.probe === true,
    });
    hang.follow(bots);
    guard?.follow(bots);
    screen.watch(bots);
    const failures = await runBots({
      bots: setups.map(({ config, journal }, index) => ({
        control: present(bots[index], 'a bot for each setup'),
        onStop: config.live.onStop,
        journal,
        ending: () => lastEnding({ config, journal, breathe: () => nextTurn() }),
      })),
      stop: stop.signal,
      place: socketPlace(),
      say: (line) => screen.say(line),
      describeFailure: (error) => describeError(error).lines,
      leavesHoldings: isReal,
    });
    if (failures.length > 0)
      context.setExitCode(describeError(new AggregateError(failures)).exitCode);
  } finally {
    stop.release();
    release();
    await guard?.close();
    screen.close();
  }
}

/** Reports the obstacles to a start. Returns whether there are any. */
async function refuseObstacles(
  setups: readonly UnloggedSetup[],
  context: CliContext,
): Promise<boolean> {
  const found = await findObstacles(setups, context);
  if (found.length === 0) return false;
  for (const line of found) context.stderr.write(`${line}\n`);
  context.stderr.write(
    `nothing was started; findings of check: ${String(found.length)}. Fix them, or start with --accept-findings\n`,
  );
  context.setExitCode(3);
  return true;
}

/** Guards against hangs: with more patience until all bots are made, because opening a long journal may block the process for longer than a strategy may. */
function guardAgainstHang(
  limitMs: number,
  { guardAgainstHang: begin, say }: Pick<CliContext, 'guardAgainstHang'> & Pick<LiveScreen, 'say'>,
): { readonly follow: (bots: readonly BotControl[]) => void; readonly end: () => void } {
  let release = begin?.(Math.max(MAKING_HANG_MS, limitMs), say);
  let isOver = false;
  return {
    follow: (bots) => {
      void Promise.all(bots.map(({ made = Promise.resolve() }) => made)).then(() => {
        if (isOver) return;
        release?.();
        release = begin?.(limitMs, say);
      });
    },
    end: () => {
      isOver = true;
      release?.();
    },
  };
}

/** Far above the limit for the degraded state: a process that is this late is stuck. */
function hangLimit(setups: readonly UnloggedSetup[]): number {
  const patience = setups.map(({ config }) => config.live.loopStallMs);
  return Math.max(HANG_MS, 2 * Math.max(...patience));
}

function withLog(
  setup: UnloggedSetup,
  { logLevel, dryRun }: LiveFlags,
  screen: LiveScreen,
): BotSetup {
  const { config, mode, credentials } = setup;
  const log = createBotLogger({
    bot: config.name,
    mode: dryRun === true ? 'dry-run' : mode,
    level: logLevel,
    clock: wallClock,
    secrets: credentials === undefined ? [] : [credentials.key, credentials.secret],
    write: (line) => screen.log(line),
  });
  return { ...setup, log };
}
