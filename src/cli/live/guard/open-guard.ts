import type { BotControl, BotStatus, GuardStandby } from '../../../live/index.js';
import type { CliContext } from '../../cli-context.js';
import type { LiveFlags } from '../live-flags.js';
import { BEAT_MS } from './guard-link.js';

/** What guards the bots of this process beside it. */
export interface Guard {
  readonly standby: GuardStandby;
  /** Tells it from now on what is to be guarded, and which bots have ended. */
  follow(bots: readonly BotControl[]): void;
  /** Every bot has ended, or none has begun. */
  close(): Promise<void>;
}

interface GuardOptions {
  /** Files of the bots that want to be guarded. */
  readonly files: readonly string[];
  readonly flags: LiveFlags;
  readonly say: (line: string) => void;
}

/**
 * Starts the guard process of bots, and tells it from then on that this process lives: what begins may wait for another guard process for longer than
 * one that says nothing is let live. Undefined where no bot wants one, or nothing starts processes.
 */
export function openGuard(
  { files, flags, say }: GuardOptions,
  { startGuard }: CliContext,
): Guard | undefined {
  if (files.length === 0) return undefined;
  const { set = [], log, logLevel } = flags;
  const form = log === undefined ? [] : ['--log', log];
  const sets = set.flatMap((each) => ['--set', each]);
  const link = startGuard?.([...files, '--log-level', logLevel, ...form, ...sets], say);
  if (link === undefined) return undefined;
  let followed: readonly BotControl[] = [];
  const timer = setInterval(() => {
    const guarding = followed.filter((bot) => isGuarding(bot.status())).map(({ name }) => name);
    link.tell({ kind: 'beat', guarding });
  }, BEAT_MS);
  return {
    get standby() {
      return link.standby;
    },
    follow: (bots) => {
      followed = bots;
      for (const { name, ended } of bots)
        void ended.then(({ kind }) => {
          link.tell({ kind: 'ended', bot: name, isInOrder: kind === 'stopped' });
        });
    },
    close: () => {
      clearInterval(timer);
      return link.close();
    },
  };
}

/** Whether nobody else would do what a bot does: stops and exits that wait live in its process, and what becomes of an order is known there alone. */
function isGuarding({ guards, orders, waiting }: BotStatus): boolean {
  return guards.length > 0 || orders.length > 0 || waiting.some(({ kind }) => kind === 'exit');
}
