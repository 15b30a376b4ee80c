/**
 * One stated limit: at most `limit` calls in every window of `windowMs`, wherever the window starts. A window holds its start and not
 * its end: with 2 per 1 s, calls at 0, 0 and 1000 ms are allowed.
 *
 * Endpoints that name the same rule share one budget.
 * @example `{ id: 'futures', limit: 2, windowMs: 1000, keptForCommands: 1 }`
 */
export interface LimitRule {
  readonly id: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Calls per window that only commands (`exit`, `entry`) may use. @defaultValue 0 */
  readonly keptForCommands?: number;
}

/**
 * Who goes first when calls wait: `exit` (cancels, and orders that reduce), then `entry` (orders that add), then `stops` (readings that
 * sample stops, at the planned intervals), then `reconciliation` (own orders, trades, balances), then `market-data`. `valuation` (marks)
 * comes last: nothing is decided by it.
 */
export const CALL_PRIORITIES = [
  'exit',
  'entry',
  'stops',
  'reconciliation',
  'market-data',
  'valuation',
] as const;
export type CallPriority = (typeof CALL_PRIORITIES)[number];

/** One call that wants a share of a budget. */
export interface LimitedCall {
  readonly ruleId: string;
  /**
   * Whose budget it is: each principal has one of every rule. A server names the key or the address; a client that must stay below
   * both names itself. Never a secret: it appears in errors.
   */
  readonly principal: string;
  readonly priority: CallPriority;
  /** Calls it counts for. @defaultValue 1 */
  readonly weight?: number;
}

/** Whether the call orders or cancels something; such calls may use what is kept for them. */
export function isCommand(priority: CallPriority): boolean {
  return priority === 'exit' || priority === 'entry';
}

/**
 * Scales a rule to a share of its limit, from 0 (exclusive) to 1: fewer calls per window, or one call in a longer window if the share is less
 * than one call. At least one call stays for others than commands.
 */
export function shareOfRule(rule: LimitRule, share: number): LimitRule {
  const calls = rule.limit * share;
  const limit = Math.max(1, Math.floor(calls));
  const { keptForCommands: kept } = rule;
  return {
    ...rule,
    limit,
    ...(calls < 1 && { windowMs: Math.ceil(rule.windowMs / calls) }),
    ...(kept !== undefined && { keptForCommands: Math.min(kept, limit - 1) }),
  };
}
