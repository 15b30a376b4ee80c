import type { Boundary } from '../../src/assembly/index.js';
import type { EpochMs } from '../../src/domain/index.js';

/** The settings of a bot before it begins. */
export interface CrashOrder {
  readonly now: EpochMs;
  /** Absolute paths. */
  readonly config: string;
  readonly journal: string;
  readonly key: string;
  readonly secret: string;
  /** The process ends itself when it reaches the boundary for the `count`-th time. */
  readonly kill?: { readonly boundary: Boundary; readonly count: number } | undefined;
}

/** Requests to the bot. */
export type BotRequest =
  | { readonly kind: 'begin'; readonly order: CrashOrder }
  /** Time has moved. The bot does all due work, and answers `moved`. */
  | { readonly kind: 'move'; readonly to: EpochMs }
  | { readonly kind: 'report' | 'stop' | 'vitals' | 'resume' };

/** Messages of the bot. */
export type BotMessage =
  | { readonly kind: 'moved' | 'started' | 'stopped' }
  | { readonly kind: 'failed'; readonly text: string }
  | CrashReport
  | Vitals;

/** State and size of a running bot. */
export interface Vitals {
  readonly kind: 'vitals';
  readonly state: string;
  readonly reasons: readonly string[];
  /** The time of the engine's last event. */
  readonly lastEvent: EpochMs | undefined;
  readonly events: number;
  readonly orders: number;
  readonly fills: number;
  /** Refusals of risk. Equal ones share an entry. */
  readonly refusals: number;
  /** Heap of the process after a full collection, in bytes. */
  readonly heapBytes: number;
}

/** The books of the bot. Amounts are decimal texts. */
export interface CrashReport {
  readonly kind: 'report';
  readonly at: string;
  readonly state: string;
  /** By account and asset: `spot BTC`. */
  readonly balances: Readonly<Record<string, string>>;
  /** Contracts and average price, by instrument and direction: `20 at 61000.5`, or `0`. */
  readonly positions: Readonly<Record<string, string>>;
  readonly fills: number;
  /** The state of the strategy, as JSON. */
  readonly kept: string | undefined;
  /** Reasons for a state other than `running`. */
  readonly reasons: readonly string[];
}
