import type { BotControl, BotStatus, GuardStandby } from '../../../live/index.js';
import type { CliContext } from '../../cli-context.js';
import type { LiveFlags } from '../live-flags.js';
import { BEAT_MS, type ToGuard } from './guard-link.js';

/** The guard process beside this process of bots. */
interface GuardProcess {
  readonly standby: GuardStandby;
  /** From now on tells the guard process which bots guard something, and which have ended. */
  follow(bots: readonly BotControl[]): void;
  /** Call it when every bot has ended, or when none has begun. */
  close(): Promise<void>;
}

interface GuardOptions {
  /** Files of the bots that use a guard. */
  readonly files: readonly string[];
  readonly flags: LiveFlags;
  readonly say: (line: string) => void;
}

/**
 * Starts the guard process, and sends it signs of life from then on. They begin before the bots, because bots that start may wait for an earlier guard process
 * for longer than the guard tolerates silence. Undefined if no bot uses a guard, or if processes cannot be started.
 */
export function openGuard(
  { files, flags, say }: GuardOptions,
  { startGuard }: CliContext,
): GuardProcess | undefined {
  if (files.length === 0) return undefined;
  const { set = [], log, logLevel } = flags;
  const form = log === undefined ? [] : ['--log', log];
  const sets = set.flatMap((each) => ['--set', each]);
  const link = startGuard?.([...files, '--log-level', logLevel, ...form, ...sets], say);
  if (link === undefined) return undefined;
  let followed: readonly BotControl[] = [];
  const ends: ToGuard[] = [];
  const timer = setInterval(() => {
    const guarding = followed.filter((bot) => isGuarding(bot.status())).map(({ name }) => name);
    link.tell({ kind: 'beat', guarding });
    // A guard process that was started again has not heard of earlier ends.
    for (const end of ends) link.tell(end);
  }, BEAT_MS);
  return {
    get standby() {
      return link.standby;
    },
    follow: (bots) => {
      followed = bots;
      for (const { name, ended } of bots)
        void ended.then(({ kind }) => {
          const end = { kind: 'ended', bot: name, isInOrder: kind === 'stopped' } as const;
          ends.push(end);
          link.tell(end);
        });
    },
    close: () => {
      clearInterval(timer);
      return link.close();
    },
  };
}

/** Whether only the bot's process can do the bot's present work. Stops and waiting exits exist only in that process, and only it follows its open orders. */
function isGuarding({ isFlattening, guards, orders, waiting }: BotStatus): boolean {
  if (isFlattening) return true;
  return guards.length > 0 || orders.length > 0 || waiting.some(({ kind }) => kind === 'exit');
}
