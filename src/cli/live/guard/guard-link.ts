import type { GuardStandby } from '../../../live/index.js';

/** Messages from a process of bots to its guard process. */
export type ToGuard =
  /** A sign of life. `guarding`: names of the bots with something to guard. */
  | { readonly kind: 'beat'; readonly guarding: readonly string[] }
  /** A bot has ended. `isInOrder`: stopped by its operator, and not by a failure. Repeated with each sign of life. */
  | { readonly kind: 'ended'; readonly bot: string; readonly isInOrder: boolean };

/** Message from a guard process to the process of the bots: it has loaded the bots, and can take over. */
interface FromGuard {
  readonly kind: 'ready';
}

/** The guard process, as the process of the bots sees it. */
export interface GuardLink {
  readonly standby: GuardStandby;
  tell(message: ToGuard): void;
  /** Ends the link after all messages are sent. The guard does the remaining work and ends. */
  close(): Promise<void>;
}

/** The process of the bots, as its guard process sees it. */
export interface OwnerLink {
  /** Calls `hear` with each message, and `gone` once when the process has ended. */
  listen(hear: (message: ToGuard) => void, gone: () => void): void;
  tell(message: FromGuard): void;
  /** Ends the process of the bots at once, if it still runs. */
  kill(): void;
}

/** Time between two signs of life. */
export const BEAT_MS = 500;
