import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  CALL_PRIORITIES,
  LONGEST_REST_MS,
  RateLimitPolicy,
  type LimitRule,
} from '../../../../src/venue/index.js';
import { lawRuns } from '../../../support/runs.js';
import { mostInAnyWindow } from '../../../support/windows.js';

const aRule = fc
  .record({ limit: fc.integer({ min: 1, max: 8 }), windowMs: fc.integer({ min: 1, max: 400 }) })
  .chain(({ limit, windowMs }) =>
    fc
      .integer({ min: 0, max: limit - 1 })
      .map((keptForCommands): LimitRule => ({ id: 'rule', limit, windowMs, keptForCommands })),
  );

/** Time since the call before, priority, weight (cut to the limit), and travel times to the venue and back. */
const someCalls = fc.array(
  fc.record({
    gapMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 200 })),
    priority: fc.constantFrom(...CALL_PRIORITIES),
    weight: fc.integer({ min: 1, max: 3 }),
    thereMs: fc.integer({ min: 0, max: 100 }),
    backMs: fc.integer({ min: 0, max: 100 }),
  }),
  { maxLength: 60 },
);

describe('RateLimitPolicy (laws)', () => {
  it('no window exceeds its limit at the venue, for any arrival times of the calls', () => {
    const law = fc.property(aRule, someCalls, (rule, calls) => {
      const policy = new RateLimitPolicy({ rules: [rule], travelMs: 100 });
      const counted: { at: number; weight: number; isCommand: boolean }[] = [];
      const answers: { at: number; settle: () => void }[] = [];
      let now = 0;
      for (const { gapMs, priority, weight, thereMs, backMs } of calls) {
        now += gapMs;
        for (const answer of answers) if (answer.at <= now) answer.settle();
        const isCommand = priority === 'exit' || priority === 'entry';
        const most = rule.limit - (isCommand ? 0 : (rule.keptForCommands ?? 0));
        const call = { ruleId: 'rule', principal: 'p', priority, weight: Math.min(weight, most) };
        const admission = policy.admit(now, call);
        if (admission.kind !== 'admitted') continue;
        const arrived = now + thereMs;
        const answered = arrived + backMs;
        counted.push({ at: arrived, weight: call.weight, isCommand });
        answers.push({
          at: answered,
          settle: () => {
            admission.ticket.settle(answered);
          },
        });
      }

      expect(mostInAnyWindow(counted, rule.windowMs)).toBeLessThanOrEqual(rule.limit);
      expect(
        mostInAnyWindow(
          counted.filter(({ isCommand }) => !isCommand),
          rule.windowMs,
        ),
      ).toBeLessThanOrEqual(rule.limit - (rule.keptForCommands ?? 0));
    });

    fc.assert(law, { numRuns: lawRuns() });
  });

  it('a delayed call is admitted at the stated time, or at the next stated time', () => {
    const law = fc.property(aRule, someCalls, (rule, calls) => {
      const policy = new RateLimitPolicy({ rules: [rule] });
      let now = 0;
      for (const { gapMs, priority } of calls) {
        now += gapMs;
        const call = { ruleId: 'rule', principal: 'p', priority };
        const first = policy.admit(now, call);
        if (first.kind !== 'later') continue;

        // A freed share of the limit may still be kept for commands. Then the call has to ask once more.
        const second = policy.admit(first.at, call);
        const last = second.kind === 'later' ? policy.admit(second.at, call) : second;

        expect(last.kind).toBe('admitted');
        now = second.kind === 'later' ? second.at : first.at;
      }
    });

    fc.assert(law);
  });

  it('for any Retry-After one exit is admitted within a minute of the refusal, and no other call beside it', () => {
    const asked = fc.oneof(fc.integer({ min: 0, max: 120_000 }), fc.constant(30_000_000));
    const someRefusals = fc.array(asked, { minLength: 1, maxLength: 12 });
    const law = fc.property(aRule, someRefusals, (rule, refusals) => {
      const policy = new RateLimitPolicy({ rules: [rule], travelMs: 100 });
      const call = { ruleId: 'rule', principal: 'p', priority: 'exit' } as const;
      let now = 0;
      for (const retryAfterMs of refusals) {
        const first = policy.admit(now, call);
        if (first.kind !== 'admitted') throw new Error('expected that it may ask');
        if (now > 0) expect(policy.admit(now, call)).toMatchObject({ kind: 'later' });
        first.ticket.settle(now);
        policy.refused(now, first.ticket, retryAfterMs);

        const rest = policy.admit(now, call);
        if (rest.kind !== 'later') throw new Error('expected a rest');
        expect(rest.at - now).toBeGreaterThanOrEqual(Math.min(retryAfterMs, LONGEST_REST_MS));
        expect(rest.at - now).toBeLessThanOrEqual(LONGEST_REST_MS);
        now = rest.at;
      }
    });

    fc.assert(law, { numRuns: lawRuns() });
  });
});
