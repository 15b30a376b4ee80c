import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { lawRuns } from '../../support/runs.js';
import { OrderManagerBench } from '../../support/engine/order-manager-bench.js';
import {
  ORDER_MANAGER_STEPS,
  leave,
  VenueModel,
} from '../../support/engine/order-manager-commands.js';

describe('the order manager: laws', () => {
  it.each([
    { paidIn: 'received', remainder: 'cancel' },
    { paidIn: 'quote', remainder: 'resend' },
  ] as const)(
    'balances, locks and working orders agree with the venue after every step, and every position can be left (fees paid in $paidIn, rests: $remainder)',
    ({ paidIn, remainder }) => {
      const steps = fc.commands(ORDER_MANAGER_STEPS, { maxCommands: 40, size: 'max' });

      fc.assert(
        fc.property(steps, (commands) => {
          const bench = new OrderManagerBench({ fees: { paidIn }, remainder });
          const model = new VenueModel(paidIn, '10000');
          fc.modelRun(() => ({ model, real: bench }), commands);

          expect(leave(model, bench)).toBe(true);
        }),
        { numRuns: lawRuns() },
      );
    },
    120_000,
  );
});
