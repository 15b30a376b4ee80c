import { PRODUCT_KINDS, type AccountBalances, type Fixed } from '../../domain/index.js';
import { INITIAL_PROTECTION_STATE } from '../../risk/index.js';
import type { ClaimedSide } from '../history/order-history.js';
import type { RuleChange } from '../market/rule-changes.js';
import type { OrdersCheckpoint } from '../orders/state/orders-checkpoint.js';
import type { AccountCheckpoint } from '../portfolio/account-checkpoint.js';
import type { StrategyFailure } from '../strategy/strategy-failure.js';
import { takeProtectionState, type ProtectionsCheckpoint } from './protections-checkpoint.js';
import type { StateCheckpoint } from './state-checkpoint.js';

/**
 * The state of an engine between two events, and the kept state of its strategy. Another engine continues from it as this engine would have. Not
 * included: the strategy, its timers and its random numbers, which start again, and the records for reports (fills, refusals, ended orders, fees
 * paid), which count from the new start.
 */
export interface EngineCheckpoint extends AccountCheckpoint, OrdersCheckpoint {
  /** Id of the last intent: client order ids continue from there. */
  readonly lastIntentId: number;
  readonly protections: ProtectionsCheckpoint;
  /** Whether any order was sent since a halt last left every position. */
  readonly hasOrderedSinceFlatten: boolean;
  /** Equity when the bot could first trade, in the equity currency. */
  readonly initialEquity?: Fixed | undefined;
  /** Kept state of the strategy. */
  readonly state?: StateCheckpoint | undefined;
  /** Changes that the venue has made to the configured rules. @defaultValue nothing */
  readonly rules?: readonly RuleChange[] | undefined;
  /** What was claimed just before. Only the first checkpoint of an epoch has it. @defaultValue nothing */
  readonly claimed?: readonly ClaimedSide[] | undefined;
  /** Why the bot goes on without its strategy; undefined if it has its strategy. */
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
