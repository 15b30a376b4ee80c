import type { Boundary } from '../../src/assembly/index.js';
import type { EpochMs } from '../../src/domain/index.js';

/** What a bot of these tests is told before it begins. */
export interface CrashOrder {
  readonly now: EpochMs;
  /** Absolute paths. */
  readonly config: string;
  readonly journal: string;
  readonly key: string;
  readonly secret: string;
  /** Ends itself when it comes to the boundary for the `count`-th time. */
  readonly kill?: { readonly boundary: Boundary; readonly count: number } | undefined;
}

/** What it is told then. */
export type BotRequest =
  | { readonly kind: 'begin'; readonly order: CrashOrder }
  /** Time has moved: it does what is due, and says `moved`. */
  | { readonly kind: 'move'; readonly to: EpochMs }
  | { readonly kind: 'report' | 'stop' | 'vitals' | 'resume' };

/** What it says. */
export type BotMessage =
  | { readonly kind: 'moved' | 'started' | 'stopped' }
  | { readonly kind: 'failed'; readonly text: string }
  | CrashReport
  | Vitals;

/** How a bot of these tests is. */
export interface Vitals {
  readonly kind: 'vitals';
  readonly state: string;
  readonly reasons: readonly string[];
  /** When the engine last took something in. */
  readonly lastEvent: EpochMs | undefined;
  readonly events: number;
  readonly orders: number;
  readonly fills: number;
  /** Entries of intents that risk refused: equal ones are one. */
  readonly refusals: number;
  /** What its process holds after a full collection, in bytes. */
  readonly heapBytes: number;
}

/** What a bot of these tests believes. Amounts are decimal texts. */
export interface CrashReport {
  readonly kind: 'report';
  readonly at: string;
  readonly state: string;
  /** By account and asset: `spot BTC`. */
  readonly balances: Readonly<Record<string, string>>;
  /** Contracts by instrument and direction. */
  readonly positions: Readonly<Record<string, string>>;
  readonly fills: number;
  /** What its strategy keeps, as JSON. */
  readonly kept: string | undefined;
  /** Why it is not simply running. */
  readonly reasons: readonly string[];
}
