import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { GuardStandby } from '../../../live/index.js';
import type { GuardLink, OwnerLink, ToGuard } from './guard-link.js';

const MAIN = new URL('../../main.js', import.meta.url);
/** A guard process that ends by itself is started again: after so long, then after twice as long, up to a minute. */
const FIRST_WAIT_MS = 1_000;
const MOST_WAIT_MS = 60_000;
/** How long it may take until it hears, on a busy machine; looked at so often at a stop. */
const LOADING_MS = 15_000;
const LOOK_MS = 50;

/** The command of the guard process. `guard` is the owner's. */
export const GUARD_PROCESS = 'guard-process';

/**
 * Starts the guard process of this process: the same program, in a session of its own, so that what is sent to a terminal's processes does not end it.
 *
 * `args`: of the command {@link GUARD_PROCESS}. `say`: tells the operator that it has ended.
 */
export function spawnGuard(args: readonly string[], say: (line: string) => void): GuardLink {
  // Not imported: most of what a short command takes is loading.
  const { spawn } = process.getBuiltinModule('node:child_process');
  let child: ChildProcess | undefined;
  // One that has ended is gone until the next one is ready.
  let standby: GuardStandby = 'starting';
  let waitMs = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;
  const sent = new Set<Promise<void>>();
  const start = (): void => {
    const started = spawn(process.execPath, [fileURLToPath(MAIN), GUARD_PROCESS, ...args], {
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = started;
    started.on('message', () => {
      // There is one thing that it says: see FromGuard.
      standby = 'ready';
    });
    started.once('error', () => undefined);
    started.once('close', () => {
      if (child !== started) return;
      standby = 'gone';
      say(`the guard process has ended; it is started again in ${String(waitMs / 1_000)} s`);
      timer = setTimeout(start, waitMs);
      timer.unref();
      waitMs = Math.min(2 * waitMs, MOST_WAIT_MS);
    });
    // This process ends without waiting for it.
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
      // What is still on its way is lost where the link ends: a bot that was stopped in order would be taken for one that died.
      await Promise.all(sent);
      // Nor does one hear it that is still being loaded when the link ends.
      for (let waited = 0; standby !== 'ready' && waited < LOADING_MS; waited += LOOK_MS) {
        if (last?.connected !== true) break;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      if (last?.connected === true) last.disconnect();
    },
  };
}

/** The link of this process to the one that has started it; undefined where it is no guard process. */
export function ownerLink(): OwnerLink | undefined {
  if (process.send === undefined) return undefined;
  const parentId = process.ppid;
  // Heard from the beginning: what comes before somebody listens is lost else where the link ends meanwhile, and a bot that was stopped in order would be
  // taken for one that died.
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
      // A parent that has ended is the parent no more, and its number may be another's by now.
      if (process.ppid === parentId) process.kill(parentId, 'SIGKILL');
    },
  };
}
