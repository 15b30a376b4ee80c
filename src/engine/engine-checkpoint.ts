import { PRODUCT_KINDS, type AccountBalances, type Fixed } from '../domain/index.js';
import { INITIAL_PROTECTION_STATE } from '../risk/index.js';
import type { StateCheckpoint } from './state-checkpoint.js';
import type { OrdersCheckpoint } from './orders/orders-checkpoint.js';
import type { AccountCheckpoint } from './portfolio/account-checkpoint.js';
import type { RuleChange } from './rule-changes.js';
import type { StrategyFailure } from './strategy-failure.js';
import { takeProtectionState, type ProtectionsCheckpoint } from './protections-checkpoint.js';

/**
 * What an engine owns between two events, and what its strategy keeps: another engine goes on from it as the one would have gone on. What is no
 * part of it: the strategy, its timers and its random numbers, which begin anew, and what a run leaves behind to be reported (fills, refusals, ended
 * orders, fees paid), which counts from the new beginning.
 */
export interface EngineCheckpoint extends AccountCheckpoint, OrdersCheckpoint {
  /** Number of the last intent: client order ids go on from there. */
  readonly lastIntentId: number;
  readonly protections: ProtectionsCheckpoint;
  /** Whether any order was sent since a halt last left every position. */
  readonly hasOrderedSinceFlatten: boolean;
  /** What the account was worth when the bot could first trade, in the equity currency. */
  readonly initialEquity?: Fixed | undefined;
  /** What the strategy keeps. */
  readonly state?: StateCheckpoint | undefined;
  /** What the venue has changed of the configured rules. @defaultValue nothing */
  readonly rules?: readonly RuleChange[] | undefined;
  /** Why the bot goes on without its strategy, where it does. */
  readonly strategyFailure?: StrategyFailure | undefined;
}

/** The checkpoint of a bot that has done nothing yet. */
export function startingCheckpoint(balances: AccountBalances): EngineCheckpoint {
  return {
    lastIntentId: 0,
    balances: PRODUCT_KINDS.flatMap((account) =>
      [...(balances[account] ?? [])].map(([asset, total]) => ({ account, asset, total })),
    ),
    positions: [],
    interest: [],
    prices: [],
    orders: [],
    sides: [],
    attempts: [],
    protections: takeProtectionState(INITIAL_PROTECTION_STATE, []),
    hasOrderedSinceFlatten: false,
  };
}
