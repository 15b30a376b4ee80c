import type { GuardStandby } from '../../../live/index.js';

/** What a process of bots tells its guard process. */
export type ToGuard =
  /** It lives. `guarding`: names of the bots with something to guard. */
  | { readonly kind: 'beat'; readonly guarding: readonly string[] }
  /** A bot has ended: in order, by its operator, or by a failure. */
  | { readonly kind: 'ended'; readonly bot: string; readonly isInOrder: boolean };

/** What a guard process tells the one that it guards: it knows the bots, and can take over. */
export interface FromGuard {
  readonly kind: 'ready';
}

/** The guard process, as the process of the bots has it. */
export interface GuardLink {
  readonly standby: GuardStandby;
  tell(message: ToGuard): void;
  /** Everything has been told: the guard does what is left, and ends. */
  close(): void;
}

/** The process of the bots, as its guard process has it. */
export interface OwnerLink {
  /** Calls `hear` with each message, and `gone` once when the process has ended. */
  listen(hear: (message: ToGuard) => void, gone: () => void): void;
  tell(message: FromGuard): void;
  /** Ends it at once, where it is still there. */
  kill(): void;
}

/** From one beat to the next. */
export const BEAT_MS = 500;
