import type { Boundary } from '../../src/assembly/index.js';
import type { EpochMs } from '../../src/domain/index.js';

/** What a crash bot is told in its environment. */
export interface CrashOrder {
  readonly time: { readonly beganAt: number; readonly start: EpochMs; readonly speed: number };
  /** Absolute paths. */
  readonly config: string;
  readonly journal: string;
  readonly key: string;
  readonly secret: string;
  /** Ends itself when it comes to the boundary for the `count`-th time. */
  readonly kill?: { readonly boundary: Boundary; readonly count: number } | undefined;
}

/** What a crash bot believes. */
export interface CrashReport {
  readonly at: string;
  readonly orders: readonly {
    readonly clientOrderId: string;
    readonly venueOrderId: string | undefined;
    readonly status: string;
    readonly filled: string;
  }[];
  readonly balances: Readonly<Record<string, string>>;
  readonly reasons: readonly string[];
  readonly end?: string;
}
