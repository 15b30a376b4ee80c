import { describe, expect, it } from 'vitest';

import {
  CallScheduler,
  MAX_PASSES,
  RateLimitPolicy,
  type CallPriority,
  type LimitRule,
} from '../../../../src/venue/index.js';

interface Admitted {
  readonly at: number;
  readonly item: string;
}

function aScheduler(rule: Partial<LimitRule> = {}) {
  const policy = new RateLimitPolicy({
    rules: [{ id: 'futures', limit: 2, windowMs: 1_000, ...rule }],
  });
  const scheduler = new CallScheduler<string>(policy);
  const add = (item: string, priority: CallPriority, weight = 1): void => {
    scheduler.add({ call: { ruleId: 'futures', principal: 'address', priority, weight }, item });
  };
  return { policy, scheduler, add };
}

/** Moves from one due instant to the next until no call waits. */
function drain(scheduler: CallScheduler<string>, from = 0): Admitted[] {
  const order: Admitted[] = [];
  let now: number | undefined = from;
  while (now !== undefined) {
    const due = scheduler.due(now);
    for (const { item, ticket } of due.admitted) order.push({ item, at: ticket.at });
    now = due.nextAt;
  }
  return order;
}

describe('CallScheduler', () => {
  it('admits exits before entries, entries before reconciliation, and market data last', () => {
    const { scheduler, add } = aScheduler();
    add('ticker', 'market-data');
    add('trades', 'reconciliation');
    add('order', 'entry');
    add('cancel', 'exit');

    const order = drain(scheduler);

    expect(order).toEqual([
      { item: 'cancel', at: 0 },
      { item: 'order', at: 0 },
      { item: 'trades', at: 1_000 },
      { item: 'ticker', at: 1_000 },
    ]);
  });

  it('admits calls of one priority in the order of their arrival', () => {
    const { scheduler, add } = aScheduler();
    for (const item of ['a', 'b', 'c', 'd']) add(item, 'market-data');

    expect(drain(scheduler).map(({ item }) => item)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('admits the longest waiting call after MAX_PASSES others, even if they are more urgent', () => {
    const { scheduler, add } = aScheduler({ limit: 1 });
    add('ticker', 'market-data');
    for (let index = 0; index < 20; index += 1) add(`cancel ${String(index)}`, 'exit');

    const order = drain(scheduler).map(({ item }) => item);

    expect(order.indexOf('ticker')).toBe(MAX_PASSES);
  });

  it('delays a cancel by at most one call while many overdue calls wait', () => {
    const { scheduler, add } = aScheduler({ limit: 1 });
    for (let index = 0; index < 50; index += 1) add(`ticker ${String(index)}`, 'market-data');
    for (let index = 0; index < MAX_PASSES; index += 1) add(`cancel ${String(index)}`, 'exit');
    let now = 0;
    for (let index = 0; index < MAX_PASSES; index += 1) now = scheduler.due(now).nextAt ?? now;

    add('urgent', 'exit');

    expect(drain(scheduler, now).findIndex(({ item }) => item === 'urgent')).toBe(1);
  });

  it('gives the budget kept for commands to no other call, and delays no command behind another call', () => {
    const { scheduler, add } = aScheduler({ keptForCommands: 1 });
    for (const item of ['a', 'b', 'c']) add(item, 'market-data');

    const first = scheduler.due(0);
    add('cancel', 'exit');
    const second = scheduler.due(10);

    expect(first.admitted.map(({ item }) => item)).toEqual(['a']);
    expect(first.nextAt).toBe(1_000);
    expect(second.admitted.map(({ item }) => item)).toEqual(['cancel']);
  });

  it('admits commands while the longest waiting call may not use the budget kept for them', () => {
    const { scheduler, add } = aScheduler({ limit: 16, keptForCommands: 15 });
    add('first ticker', 'market-data');
    add('second ticker', 'market-data');
    scheduler.due(0);
    for (let index = 0; index < 9; index += 1) add(`cancel ${String(index)}`, 'exit');

    const due = scheduler.due(10);

    // The second ticker is overdue after seven cancels. Besides commands, only one call may go per window.
    expect(due.admitted.map(({ item }) => item)).toHaveLength(9);
    expect(due.nextAt).toBe(1_000);
  });

  it('does not let a light cancel pass an overdue call that waits for the budget', () => {
    const { scheduler, add } = aScheduler({ limit: 3 });
    add('heavy', 'market-data', 3);
    for (let index = 0; index < MAX_PASSES + 2; index += 1) add(`cancel ${String(index)}`, 'exit');

    const order = drain(scheduler).map(({ item, at }) => `${String(at)} ${item}`);

    // Seven cancels pass it: three, three and one. Two more would fit beside the seventh, and wait.
    expect(order.slice(6)).toEqual([
      '2000 cancel 6',
      '3000 heavy',
      '4000 cancel 7',
      '4000 cancel 8',
    ]);
  });

  it('does not let a lighter call pass a heavier one that waits for the budget', () => {
    const { scheduler, add } = aScheduler({ limit: 3 });
    add('first', 'entry', 2);
    add('heavy', 'entry', 3);
    add('light', 'entry', 1);

    expect(drain(scheduler)).toEqual([
      { item: 'first', at: 0 },
      { item: 'heavy', at: 1_000 },
      { item: 'light', at: 2_000 },
    ]);
  });

  it('removes a call that its owner gave up', () => {
    const { scheduler, add } = aScheduler();
    add('a', 'entry');
    add('b', 'entry');

    const wasWaiting = scheduler.remove('a');

    expect(wasWaiting).toBe(true);
    expect(scheduler.remove('a')).toBe(false);
    expect(drain(scheduler).map(({ item }) => item)).toEqual(['b']);
  });

  it('returns the calls of a banned principal as stopped', () => {
    const { scheduler, add, policy } = aScheduler();
    add('a', 'entry');
    add('b', 'market-data');
    policy.stop(5, 'address');

    const due = scheduler.due(6);

    expect(due).toEqual({
      admitted: [],
      stopped: [
        { item: 'a', since: 5, until: 300_005 },
        { item: 'b', since: 5, until: 300_005 },
      ],
      nextAt: undefined,
    });
  });
});
