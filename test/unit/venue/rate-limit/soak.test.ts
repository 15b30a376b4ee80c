import { describe, expect, it } from 'vitest';

import {
  CALL_PRIORITIES,
  CallScheduler,
  isCommand,
  KEPT_FOR_COMMANDS,
  limitRulesOf,
  MAX_PASSES,
  RateLimitPolicy,
  type CallPriority,
} from '../../../../src/venue/index.js';
import { ENDPOINT_LIST, type AnyEndpoint } from '../../../../src/venue/wire/index.js';
import { mostInAnyWindow } from '../../../support/windows.js';

interface SoakCall {
  readonly endpoint: AnyEndpoint;
  readonly priority: CallPriority;
  readonly arrivedAt: number;
}

interface SentCall extends SoakCall {
  readonly at: number;
  /** Priorities of the calls that waited for the same budget when this call went. */
  readonly waiting: readonly CallPriority[];
}

const CALLS = 5_000;

/** A repeatable pseudo-random sequence of numbers in [0, 1). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Calls of all endpoints, in bursts, and more than the limits let pass. */
function someCalls(): SoakCall[] {
  const random = chance(20_250_601);
  let now = 0;
  return Array.from({ length: CALLS }, () => {
    if (random() < 0.02) now += Math.floor(random() * 3_000);
    const endpoint = ENDPOINT_LIST[Math.floor(random() * ENDPOINT_LIST.length)];
    const priority = CALL_PRIORITIES[Math.floor(random() * CALL_PRIORITIES.length)];
    if (endpoint === undefined || priority === undefined) throw new Error('out of range');
    return { endpoint, priority, arrivedAt: now };
  });
}

/** Passes all calls through scheduler and policy. The clock jumps from one relevant instant to the next. */
function soak(calls: readonly SoakCall[]): SentCall[] {
  const policy = new RateLimitPolicy({ rules: limitRulesOf(ENDPOINT_LIST, KEPT_FOR_COMMANDS) });
  const scheduler = new CallScheduler<SoakCall>(policy);
  const waiting = new Set<SoakCall>();
  const sent: SentCall[] = [];
  let next = 0;
  let now = 0;
  for (;;) {
    for (let call = calls[next]; call !== undefined && call.arrivedAt <= now; call = calls[next]) {
      const { priority, endpoint } = call;
      scheduler.add({
        item: call,
        call: { ruleId: endpoint.rateLimit.bucket, principal: 'p', priority },
      });
      waiting.add(call);
      next += 1;
    }
    const due = scheduler.due(now);
    for (const { item, ticket } of due.admitted) {
      waiting.delete(item);
      const rivals = [...waiting].filter(
        (rival) => rival.endpoint.rateLimit.bucket === item.endpoint.rateLimit.bucket,
      );
      sent.push({ ...item, at: ticket.at, waiting: rivals.map(({ priority }) => priority) });
    }
    const arrival = calls[next]?.arrivedAt;
    if (arrival === undefined && due.nextAt === undefined) return sent;
    now = Math.min(arrival ?? Infinity, due.nextAt ?? Infinity);
  }
}

const SENT = soak(someCalls());
const RULES = limitRulesOf(ENDPOINT_LIST, KEPT_FOR_COMMANDS);

function sentUnder(ruleId: string): SentCall[] {
  return SENT.filter(({ endpoint }) => endpoint.rateLimit.bucket === ruleId);
}

describe('the rate limiter with 5,000 calls over all endpoints', () => {
  it('sends all calls, of every endpoint', () => {
    expect(SENT).toHaveLength(CALLS);
    expect(new Set(SENT.map(({ endpoint }) => endpoint.id)).size).toBe(ENDPOINT_LIST.length);
  });

  it.each(RULES)('$id: no window holds more than $limit calls', (rule) => {
    expect(mostInAnyWindow(sentUnder(rule.id), rule.windowMs)).toBeLessThanOrEqual(rule.limit);
  });

  it.each(RULES)('$id: other calls leave the share kept for commands', (rule) => {
    const others = sentUnder(rule.id).filter(({ priority }) => !isCommand(priority));

    const most = mostInAnyWindow(others, rule.windowMs);

    expect(most).toBeLessThanOrEqual(rule.limit - (rule.keptForCommands ?? 0));
  });

  it.each(RULES)('$id: $limit calls per window are reached when more calls wait', (rule) => {
    const endpoint = ENDPOINT_LIST.find(({ rateLimit }) => rateLimit.bucket === rule.id);
    if (endpoint === undefined) throw new Error(rule.id);
    const burst = { endpoint, priority: 'exit', arrivedAt: 0 } as const;

    const sent = soak(Array.from({ length: rule.limit * 3 }, () => ({ ...burst })));

    expect(mostInAnyWindow(sent, rule.windowMs)).toBe(rule.limit);
    expect(sent.at(-1)?.at).toBe(2 * rule.windowMs);
  });

  it('futures: 2 calls are sent in every second in which commands wait', () => {
    const sent = sentUnder('futures');
    const busy = sent.filter(({ waiting }) => waiting.filter(isCommand).length >= 2);

    const perSecond = busy.map(
      ({ at }) => sent.filter((other) => other.at >= at && other.at < at + 1_000).length,
    );

    expect(busy.length).toBeGreaterThan(100);
    expect(new Set(perSecond)).toEqual(new Set([2]));
  });

  it('futures: a less urgent call is sent first only after more urgent calls have passed it', () => {
    let passes = 0;
    const overtaken: number[] = [];
    for (const { priority, waiting } of sentUnder('futures')) {
      const rank = CALL_PRIORITIES.indexOf(priority);
      const isOutOfTurn = waiting.some((rival) => CALL_PRIORITIES.indexOf(rival) < rank);
      if (isOutOfTurn) overtaken.push(passes);
      passes = isOutOfTurn ? 0 : passes + 1;
    }

    expect(overtaken.length).toBeGreaterThan(10);
    // A call goes out of turn if others passed it often enough, or if commands alone could not use up the limit.
    expect(Math.min(...overtaken)).toBeGreaterThanOrEqual(MAX_PASSES - 1);
  });

  it('futures: cancels and exits wait least, market data longest', () => {
    const waits = CALL_PRIORITIES.map((priority) => {
      const calls = sentUnder('futures').filter((call) => call.priority === priority);
      return calls.reduce((sum, { at, arrivedAt }) => sum + at - arrivedAt, 0) / calls.length;
    });

    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  });
});
