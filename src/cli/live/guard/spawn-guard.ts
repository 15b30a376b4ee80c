import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../../../domain/index.js';
import type { GuardStandby } from '../../../live/index.js';
import type { GuardLink, OwnerLink, ToGuard } from './guard-link.js';

const MAIN = new URL('../../main.js', import.meta.url);
/** A guard process that ends by itself is started again: after this time, then after twice the time, up to a minute. */
const FIRST_WAIT_MS = 1_000;
const MOST_WAIT_MS = 60_000;
/** Longest time until a new guard process receives messages, on a busy machine. A stop checks every `LOOK_MS`. */
const LOADING_MS = 15_000;
const LOOK_MS = 50;

/** The command of the guard process. The name `guard` is taken by a command for operators. */
export const GUARD_PROCESS = 'guard-process';

/**
 * Starts the guard process of this process. It is the same program in a session of its own, so that signals to a terminal's processes do not end
 * it.
 *
 * `args`: arguments of the command {@link GUARD_PROCESS}. `say`: tells the operator when it has ended.
 */
export function spawnGuard(args: readonly string[], say: (line: string) => void): GuardLink {
  let child: ChildProcess | undefined;
  // After a guard process has ended, this stays `gone` until the next one is ready.
  let standby: GuardStandby = 'starting';
  let waitMs = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;
  const sent = new Set<Promise<void>>();
  const startLater = (why: string): void => {
    standby = 'gone';
    say(`the guard process ${why}; starting it again in ${String(waitMs / 1_000)} s`);
    timer = setTimeout(start, waitMs);
    timer.unref();
    waitMs = Math.min(2 * waitMs, MOST_WAIT_MS);
  };
  const start = (): void => {
    try {
      follow(startProcess(args));
    } catch (error: unknown) {
      // For example without memory for another process. The bots of this process have to go on.
      startLater(notStarted(error));
    }
  };
  const follow = (started: ChildProcess): void => {
    child = started;
    started.on('message', () => {
      // There is only one message: see FromGuard.
      standby = 'ready';
    });
    let why = 'has ended';
    started.on('error', (error) => {
      if (started.pid === undefined) why = notStarted(error);
    });
    started.once('close', () => {
      if (child === started) startLater(why);
    });
    // This process does not wait for it at its own end.
    started.unref();
    started.channel?.unref();
  };
  start();
  return {
    get standby() {
      return standby;
    },
    tell: (message) => {
      if (child?.connected !== true) return;
      const sending = new Promise<void>((resolve) => child?.send(message, () => resolve()));
      sent.add(sending);
      void sending.then(() => sent.delete(sending));
    },
    close: async () => {
      const last = child;
      child = undefined;
      clearTimeout(timer);
      // When the link ends, unsent messages are lost: the guard would take a bot that was stopped in order for one that died.
      await Promise.all(sent);
      // A guard process that is still loading would also lose them: wait until it is ready.
      for (let waited = 0; standby !== 'ready' && waited < LOADING_MS; waited += LOOK_MS) {
        if (last?.connected !== true) break;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      if (last?.connected === true) last.disconnect();
    },
  };
}

function notStarted(error: unknown): string {
  return `could not be started (${reasonOf(error)})`;
}

/** @throws the error of the system, if it has no memory for another process. */
function startProcess(args: readonly string[]): ChildProcess {
  // Not imported, because loading modules is most of the time of a short command.
  const { spawn } = process.getBuiltinModule('node:child_process');
  return spawn(process.execPath, [fileURLToPath(MAIN), GUARD_PROCESS, ...args], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** The link of this process to the process that has started it; undefined if this is no guard process. */
export function ownerLink(): OwnerLink | undefined {
  if (process.send === undefined) return undefined;
  const parentId = process.ppid;
  // Listen from the beginning. Otherwise messages before `listen` are lost if the link ends meanwhile, and a bot that was stopped in order would be taken for
  // one that died.
  const waiting: ToGuard[] = [];
  let hear = (message: ToGuard): void => void waiting.push(message);
  let gone: (() => void) | undefined;
  process.on('message', (message) => {
    hear(message as ToGuard);
  });
  process.once('disconnect', () => gone?.());
  return {
    listen: (onMessage, onGone) => {
      hear = onMessage;
      gone = onGone;
      for (const message of waiting.splice(0)) hear(message);
      if (!process.connected) gone();
    },
    tell: (message) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    },
    kill: () => {
      // When the parent has ended, its process id may belong to another process.
      if (process.ppid === parentId) process.kill(parentId, 'SIGKILL');
    },
  };
}
