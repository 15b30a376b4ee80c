import { InvariantError, SECOND_MS, type EpochMs } from '../../domain/index.js';
import { Backoff } from './backoff.js';
import { Ban } from './ban.js';
import { isCommand, type LimitedCall, type LimitRule } from './limit-rule.js';
import { Ticket } from './ticket.js';
import { WindowLog, type LogEntry } from './window-log.js';

/** Answer of a budget to a call at one instant. */
type Admission =
  | { readonly kind: 'admitted'; readonly ticket: Ticket }
  /** Not before `at`. `reason` is `kept` when only commands may use what is left. */
  | { readonly kind: 'later'; readonly at: EpochMs; readonly reason: 'limit' | 'kept' | 'backoff' }
  /** The venue banned the principal: nothing is sent before `until`, or {@link RateLimitPolicy.resume}. */
  | { readonly kind: 'stopped'; readonly since: EpochMs; readonly until: EpochMs };

interface RateLimitOptions {
  readonly rules: readonly LimitRule[];
  /**
   * Longest time a call is assumed to travel before the venue counts it. Until a ticket is settled its call may be counted at any
   * instant up to then, so its share is given back that much later. Simulators and servers count at once: 0.
   * @defaultValue 0
   */
  readonly travelMs?: number;
}

/** Use of one budget at an instant. */
export interface BudgetUse {
  readonly rule: LimitRule;
  /** Calls in the window that ends at that instant, including calls that the venue may have counted in it. */
  readonly used: number;
  /** End of the rest after the venue refused a call; undefined if the budget does not rest. */
  readonly restsUntil: EpochMs | undefined;
}

interface Budget {
  readonly principal: string;
  readonly rule: LimitRule;
  readonly log: WindowLog;
  readonly backoff: Backoff;
}

/**
 * Keeps calls within the stated limits: one sliding-window log per principal and rule, on the time it is given. It neither waits nor reads a clock, so
 * the client (waits) and the local exchange (refuses) share it; the simulator, where nothing is refused, moves virtual time by the logs alone.
 *
 * Law: over the instants of admission, and over any instants between admission and settlement, no window of a rule, wherever it
 * starts, holds more than its limit; and a constant stream of calls reaches the limit.
 * The given time must not fall. If it does (the machine's clock was set back), all stored times move back with it.
 */
export class RateLimitPolicy {
  readonly #rules: ReadonlyMap<string, LimitRule>;
  readonly #travelMs: number;
  /** By principal and rule. */
  readonly #budgets = new Map<string, Map<string, Budget>>();
  /** Budget of the last call. Nearly always the next call has the same one. */
  #latest: Budget | undefined;
  readonly #bans = new Map<string, Ban>();
  /** Time up to which another process may have spent the budgets of a principal. */
  readonly #spentUntil = new Map<string, EpochMs>();
  #lastNow: EpochMs = Number.NEGATIVE_INFINITY;

  /** @throws {InvariantError} `E_LIMIT_RULE` for a repeated rule id, or numbers no budget can have. */
  constructor({ rules, travelMs = 0 }: RateLimitOptions) {
    rules.forEach(checkRule);
    this.#rules = new Map(rules.map((rule) => [rule.id, rule]));
    if (this.#rules.size !== rules.length) {
      throw new InvariantError('E_LIMIT_RULE', 'two limit rules have the same id');
    }
    this.#travelMs = travelMs;
  }

  /** Takes a share of the budget if the call may go at `now`. Otherwise says when it may. */
  admit(now: EpochMs, call: LimitedCall): Admission {
    const budget = this.#enter(now, call);
    const verdict = this.#verdict(budget, call, now);
    if (verdict !== undefined) return verdict;
    return { kind: 'admitted', ticket: new Ticket(now, call, this.#take(budget, call, now)) };
  }

  /** The venue counts a call at `now`, whatever the limit: it was sent before, and read only now. */
  count(now: EpochMs, call: LimitedCall): void {
    const { log } = this.#enter(now, call);
    const { weight = 1, priority } = call;
    log.add({ weight, isCommand: isCommand(priority), countedBy: now });
  }

  /** The venue refused the call (429, -1003): its budget rests, as {@link Backoff} says. */
  refused(now: EpochMs, ticket: Ticket, retryAfterMs = 0): void {
    this.#follow(now);
    this.#budgetOf(ticket.call).backoff.refused(now, ticket.at, retryAfterMs);
  }

  /** The venue served the call: the next refusal starts again at one window, and a ban is over. */
  accepted(ticket: Ticket): void {
    const { call, at } = ticket;
    this.#budgetOf(call).backoff.accepted(at);
    if (this.#bans.get(call.principal)?.isEndedBy(at) === true) this.#bans.delete(call.principal);
  }

  /**
   * The venue banned the principal (418): nothing is admitted for it for `forMs`. If the venue does not say how long: for five minutes, twice
   * as long with each further ban, up to an hour. Then one call tests the venue.
   */
  stop(now: EpochMs, principal: string, forMs?: number): void {
    this.#follow(now);
    const answerMs = Math.max(this.#travelMs, SECOND_MS);
    const ban = this.#bans.get(principal) ?? new Ban(now, answerMs);
    this.#bans.set(principal, ban);
    ban.extend(now, forMs);
  }

  /** Since when and until when a principal is banned. */
  banOf(principal: string): Pick<Ban, 'since' | 'until'> | undefined {
    return this.#bans.get(principal);
  }

  /** Lifts a stop, when a person has decided that the ban is over. */
  resume(principal: string): void {
    this.#bans.delete(principal);
  }

  /** Every budget of a principal that was ever used, in the order of the rules. */
  uses(now: EpochMs, principal: string): readonly BudgetUse[] {
    this.#follow(now);
    const budgets = this.#budgets.get(principal);
    return [...this.#rules.values()].flatMap((rule) => {
      const budget = budgets?.get(rule.id);
      if (budget === undefined) return [];
      const { restEnds } = budget.backoff;
      const restsUntil = restEnds > now ? restEnds : undefined;
      return [{ rule, used: budget.log.used(now), restsUntil }];
    });
  }

  /** Assumes that another process has spent all budgets of a principal up to `until`: each is used up until one window later. Must come before the first call. */
  assumeSpent(principal: string, until: EpochMs): void {
    this.#spentUntil.set(principal, until);
  }

  /** The rule a call falls under. @throws {InvariantError} `E_LIMIT_RULE` when there is none. */
  ruleOf(call: LimitedCall): LimitRule {
    const rule = this.#rules.get(call.ruleId);
    if (rule === undefined) {
      throw new InvariantError('E_LIMIT_RULE', `there is no limit rule "${call.ruleId}"`);
    }
    return rule;
  }

  /** The budget of a call, as it is at `now`. */
  #enter(now: EpochMs, call: LimitedCall): Budget {
    this.#follow(now);
    const budget = this.#budgetOf(call);
    budget.log.forget(now);
    return budget;
  }

  /** Undefined when the call may go at `at`. */
  #verdict(
    { rule, log, backoff }: Budget,
    call: LimitedCall,
    at: EpochMs,
  ): Exclude<Admission, { kind: 'admitted' }> | undefined {
    const ban = this.#bans.size > 0 ? this.#bans.get(call.principal) : undefined;
    if (ban !== undefined && ban.until > at)
      return { kind: 'stopped', since: ban.since, until: ban.until };
    const weight = checkedWeight(call, rule);
    if (backoff.restEnds > at) return { kind: 'later', at: backoff.restEnds, reason: 'backoff' };
    // In an empty log the call fits: its weight is within the limit, as checked above.
    if (log.isEmpty) return undefined;
    const fits = log.earliest({ from: at, weight, limit: rule.limit, commandsCount: true });
    if (fits > at) return { kind: 'later', at: fits, reason: 'limit' };
    const kept = rule.keptForCommands ?? 0;
    if (kept === 0 || isCommand(call.priority)) return undefined;
    const fitsBeside = log.earliest({
      from: at,
      weight,
      limit: rule.limit - kept,
      commandsCount: false,
    });
    return fitsBeside > at ? { kind: 'later', at: fitsBeside, reason: 'kept' } : undefined;
  }

  #take({ log, backoff }: Budget, call: LimitedCall, at: EpochMs): LogEntry {
    backoff.admitted(at);
    if (this.#bans.size > 0) this.#bans.get(call.principal)?.admitted(at);
    const entry = {
      weight: call.weight ?? 1,
      isCommand: isCommand(call.priority),
      countedBy: at + this.#travelMs,
    };
    log.add(entry);
    return entry;
  }

  #budgetOf(call: LimitedCall): Budget {
    const { principal, ruleId } = call;
    let budget = this.#latest;
    if (budget?.principal !== principal || budget.rule.id !== ruleId) {
      budget = this.#budgets.get(principal)?.get(ruleId) ?? this.#begin(call);
      this.#latest = budget;
    }
    return budget;
  }

  #begin(call: LimitedCall): Budget {
    const { principal, ruleId } = call;
    const rule = this.ruleOf(call);
    const { windowMs } = rule;
    const budget = {
      principal,
      rule,
      log: new WindowLog(windowMs, this.#travelMs === 0),
      backoff: new Backoff(windowMs, Math.max(windowMs, this.#travelMs)),
    };
    const spentUntil = this.#spentUntil.get(principal);
    if (spentUntil !== undefined)
      budget.log.add({ weight: rule.limit, isCommand: false, countedBy: spentUntil });
    const own = this.#budgets.get(principal) ?? new Map<string, Budget>();
    this.#budgets.set(principal, own.set(ruleId, budget));
    return budget;
  }

  #follow(now: EpochMs): void {
    const byMs = now - this.#lastNow;
    if (byMs < 0) {
      for (const ban of this.#bans.values()) ban.shift(byMs);
      for (const [principal, until] of this.#spentUntil)
        this.#spentUntil.set(principal, until + byMs);
      for (const budgets of this.#budgets.values())
        for (const { log, backoff } of budgets.values()) {
          log.shift(byMs);
          backoff.shift(byMs);
        }
    }
    this.#lastNow = now;
  }
}

function checkRule({ id, limit, windowMs, keptForCommands = 0 }: LimitRule): void {
  const isValid =
    Number.isInteger(limit) &&
    limit > 0 &&
    windowMs > 0 &&
    keptForCommands >= 0 &&
    keptForCommands < limit;
  if (!isValid) {
    throw new InvariantError(
      'E_LIMIT_RULE',
      `rule "${id}": expected a whole limit > 0, a window > 0 ms and 0 <= kept < limit, ` +
        `received ${String(limit)} per ${String(windowMs)} ms, kept ${String(keptForCommands)}`,
    );
  }
}

function checkedWeight(call: LimitedCall, rule: LimitRule): number {
  const { weight = 1, priority } = call;
  const most = isCommand(priority) ? rule.limit : rule.limit - (rule.keptForCommands ?? 0);
  if (!(Number.isInteger(weight) && weight > 0 && weight <= most)) {
    throw new InvariantError(
      'E_LIMIT_WEIGHT',
      `rule "${rule.id}": expected a whole weight from 1 to ${String(most)}, received ${String(weight)}`,
    );
  }
  return weight;
}
