import { describe, expect, it } from 'vitest';

import { RateLimitPolicy, type LimitedCall, type LimitRule } from '../../../../src/venue/index.js';

const FUTURES: LimitRule = { id: 'futures', limit: 2, windowMs: 1_000 };

function aCall(overrides: Partial<LimitedCall> = {}): LimitedCall {
  return { ruleId: 'futures', principal: 'address', priority: 'entry', ...overrides };
}

function aPolicy(rule: Partial<LimitRule> = {}, travelMs = 0): RateLimitPolicy {
  return new RateLimitPolicy({ rules: [{ ...FUTURES, ...rule }], travelMs });
}

/** Admits a call that must be admitted. */
function admitted(policy: RateLimitPolicy, now: number, call = aCall()) {
  const admission = policy.admit(now, call);
  if (admission.kind !== 'admitted') throw new Error(`expected admission at ${String(now)}`);
  return admission.ticket;
}

describe('RateLimitPolicy', () => {
  it('admits calls up to the limit, and gives the time at which the next call fits', () => {
    const policy = aPolicy();

    const kinds = [0, 0, 0].map((now) => policy.admit(now, aCall()));

    expect(kinds.map(({ kind }) => kind)).toEqual(['admitted', 'admitted', 'later']);
    expect(kinds[2]).toEqual({ kind: 'later', at: 1_000, reason: 'limit' });
  });

  it('slides: calls at 0 and 900 allow one at 1000 and the next at 1900', () => {
    const policy = aPolicy();
    admitted(policy, 0);
    admitted(policy, 900);

    admitted(policy, 1_000);

    // The window [900, 1900) holds the calls of 900 and 1000.
    expect(policy.admit(1_001, aCall())).toMatchObject({ kind: 'later', at: 1_900 });
  });

  it('treats all budgets of a principal as spent up to a time, and no others', () => {
    const policy = aPolicy({ keptForCommands: 1 });
    policy.assumeSpent('address', 300);

    expect(policy.admit(400, aCall())).toEqual({ kind: 'later', at: 1_300, reason: 'limit' });
    expect(policy.admit(400, aCall({ principal: 'other' })).kind).toBe('admitted');
    admitted(policy, 1_300);
    admitted(policy, 1_300);
    expect(policy.admit(1_300, aCall()).kind).toBe('later');
  });

  it('reports the used share of each budget in the current window', () => {
    const policy = aPolicy({}, 500);
    const ticket = admitted(policy, 0);
    admitted(policy, 100);
    ticket.settle(50);

    const used = (now: number): readonly number[] =>
      policy.uses(now, 'address').map(({ used: calls }) => calls);

    // The first call is counted at 50. The second has no answer, so it is counted at 600 at the latest. Each counts for one window.
    expect([1_049, 1_050, 1_599, 1_600].map(used)).toEqual([[2], [1], [1], [0]]);
    expect(policy.uses(0, 'nobody')).toEqual([]);
  });

  it('counts a heavy call by its weight', () => {
    const policy = aPolicy({ limit: 10 });
    admitted(policy, 0, aCall({ weight: 8 }));

    expect(policy.admit(1, aCall({ weight: 3 }))).toMatchObject({ kind: 'later', at: 1_000 });
    expect(policy.admit(1, aCall({ weight: 2 })).kind).toBe('admitted');
  });

  it('gives each principal its own budget', () => {
    const policy = aPolicy();
    admitted(policy, 0);
    admitted(policy, 0);

    expect(policy.admit(0, aCall()).kind).toBe('later');
    expect(policy.admit(0, aCall({ principal: 'key-2' })).kind).toBe('admitted');
  });

  it('keeps one of two calls for commands', () => {
    const policy = aPolicy({ keptForCommands: 1 });
    admitted(policy, 0, aCall({ priority: 'market-data' }));

    expect(policy.admit(0, aCall({ priority: 'reconciliation' }))).toEqual({
      kind: 'later',
      at: 1_000,
      reason: 'kept',
    });
    expect(policy.admit(0, aCall({ priority: 'exit' })).kind).toBe('admitted');
  });

  it('lets commands use the whole budget', () => {
    const policy = aPolicy({ keptForCommands: 1 });

    expect(admitted(policy, 0).at).toBe(0);
    expect(admitted(policy, 0).at).toBe(0);
  });

  it('holds a share for one window after the answer, because the venue may count the call that late', () => {
    const policy = aPolicy({ limit: 1 }, 5_000);
    const ticket = admitted(policy, 0);

    ticket.settle(120);

    expect(policy.admit(1_119, aCall())).toMatchObject({ kind: 'later', at: 1_120 });
    expect(policy.admit(1_120, aCall()).kind).toBe('admitted');
  });

  it('frees the share of an unanswered call after the travel time and one window', () => {
    const policy = aPolicy({ limit: 1 }, 5_000);
    admitted(policy, 0);

    expect(policy.admit(10, aCall())).toMatchObject({ kind: 'later', at: 6_000 });
  });

  it('refuses a rule that keeps everything for commands, too heavy a call, and an unknown rule', () => {
    expect(() => aPolicy({ keptForCommands: 2 })).toThrow(/0 <= kept < limit/);
    expect(() => aPolicy().admit(0, aCall({ weight: 3 }))).toThrow(/weight from 1 to 2/);
    expect(() => aPolicy().admit(0, aCall({ ruleId: 'spot' }))).toThrow(/there is no limit rule/);
  });

  it('waits for one window only after the clock was set back by an hour', () => {
    const policy = aPolicy();
    admitted(policy, 7_200_000);
    admitted(policy, 7_200_000);

    expect(policy.admit(3_600_000, aCall())).toMatchObject({ kind: 'later', at: 3_601_000 });
  });
});

describe('RateLimitPolicy after a refusal by the venue', () => {
  it('rests for at least one window, then doubles the rest', () => {
    const policy = aPolicy({ limit: 1 });
    const rests: number[] = [];
    let now = 0;

    for (let refusal = 0; refusal < 4; refusal += 1) {
      policy.refused(now, admitted(policy, now));
      const next = policy.admit(now, aCall());
      if (next.kind !== 'later') throw new Error('expected a rest');
      rests.push(next.at - now);
      now = next.at;
    }

    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it('honors a longer Retry-After', () => {
    const policy = aPolicy();

    policy.refused(10, admitted(policy, 0), 30_000);

    expect(policy.admit(10, aCall())).toEqual({ kind: 'later', at: 30_010, reason: 'backoff' });
  });

  it('limits Retry-After to a minute, and then admits one call', () => {
    const policy = aPolicy();

    policy.refused(10, admitted(policy, 0), 30_000_000);

    expect(policy.admit(10, aCall())).toEqual({ kind: 'later', at: 60_010, reason: 'backoff' });
    expect(policy.admit(60_010, aCall()).kind).toBe('admitted');
  });

  it('limits the doubled rest to a minute', () => {
    const policy = aPolicy({ limit: 1 });
    let now = 0;
    const rests: number[] = [];

    for (let refusal = 0; refusal < 9; refusal += 1) {
      policy.refused(now, admitted(policy, now));
      const next = policy.admit(now, aCall());
      if (next.kind !== 'later') throw new Error('expected a rest');
      rests.push(next.at - now);
      now = next.at;
    }

    expect(rests.slice(-4)).toEqual([32_000, 60_000, 60_000, 60_000]);
  });

  it('admits one call after the rest, and the others when that call was served', () => {
    const policy = aPolicy({ limit: 5 });
    policy.refused(0, admitted(policy, 0));

    const probe = admitted(policy, 1_000);

    expect(policy.admit(1_000, aCall())).toEqual({ kind: 'later', at: 2_000, reason: 'backoff' });
    policy.accepted(probe);
    expect(policy.admit(1_000, aCall()).kind).toBe('admitted');
  });

  it('admits another call if the first one has no answer after a window', () => {
    const policy = aPolicy({ limit: 5 });
    policy.refused(0, admitted(policy, 0));
    admitted(policy, 1_000);

    expect(policy.admit(1_999, aCall()).kind).toBe('later');
    expect(policy.admit(2_000, aCall()).kind).toBe('admitted');
  });

  it('reports the budgets that rest, and until when', () => {
    const policy = aPolicy();

    policy.refused(0, admitted(policy, 0), 7_000);

    expect(policy.uses(6_999, 'address')).toMatchObject([{ restsUntil: 7_000 }]);
    expect(policy.uses(7_000, 'address')).toMatchObject([{ restsUntil: undefined }]);
  });

  it('counts the refusals of calls sent before the rest as one', () => {
    const policy = aPolicy({ limit: 5 });
    const tickets = [0, 0, 0, 0, 0].map((now) => admitted(policy, now));

    for (const ticket of tickets) policy.refused(20, ticket);

    expect(policy.admit(20, aCall())).toMatchObject({ at: 1_020, reason: 'backoff' });
  });

  it('starts again with one window after a served call', () => {
    const policy = aPolicy();
    policy.refused(0, admitted(policy, 0));
    policy.refused(1_000, admitted(policy, 1_000));
    policy.accepted(admitted(policy, 3_000));

    policy.refused(4_000, admitted(policy, 4_000));

    expect(policy.admit(4_000, aCall())).toMatchObject({ at: 5_000, reason: 'backoff' });
  });

  it('stops only the banned principal, for the length that the venue states', () => {
    const policy = aPolicy();

    policy.stop(100, 'address', 9_999_900);

    const stopped = { kind: 'stopped', since: 100, until: 10_000_000 };
    expect(policy.admit(9_999_999, aCall())).toEqual(stopped);
    expect(policy.admit(9_999_999, aCall({ principal: 'other' })).kind).toBe('admitted');
    policy.resume('address');
    expect(policy.admit(9_999_999, aCall()).kind).toBe('admitted');
  });

  it('admits one call after a ban, and the others when that call was served', () => {
    const policy = aPolicy();
    policy.stop(0, 'address', 60_000);

    const probe = admitted(policy, 60_000);
    expect(policy.admit(60_500, aCall()).kind).toBe('stopped');
    policy.accepted(probe);

    expect(policy.admit(60_500, aCall()).kind).toBe('admitted');
    expect(policy.banOf('address')).toBeUndefined();
  });

  it('does not end a ban for a call that was sent before it', () => {
    const policy = aPolicy();
    const before = admitted(policy, 0);
    policy.stop(10, 'address', 60_000);

    policy.accepted(before);

    expect(policy.admit(50_000, aCall()).kind).toBe('stopped');
  });

  it('doubles the wait after each ban without a stated length, up to an hour', () => {
    const policy = aPolicy();
    const waits: number[] = [];
    let now = 0;

    for (let ban = 0; ban < 6; ban += 1) {
      policy.stop(now, 'address');
      // Other calls were on their way and meet the same ban.
      policy.stop(now + 1, 'address');
      const until = policy.banOf('address')?.until ?? 0;
      waits.push((until - now) / 60_000);
      now = until;
      admitted(policy, now);
    }

    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  });
});
