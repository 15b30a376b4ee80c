import fc from 'fast-check';
import { describe, it } from 'vitest';

import { aMarginWorld, MARGIN_STEPS } from '../../../support/margin/margin-steps.js';
import { propertyRuns } from '../../../support/runs.js';

describe('MarginLedger', () => {
  it('equals a decimal.js model of all steps after every step, with a residual of 0', () => {
    const balances = fc.constantFrom<Readonly<Record<string, string>>>(
      { USDT: '1000' },
      { USDT: '0.000000000000000007', BTC: '3.5' },
      { ETH: '40', BTC: '1.25', USDT: '10' },
    );
    const leverage = fc.constantFrom('1', '2', '3', '5', '10');
    const steps = fc.commands(MARGIN_STEPS, { maxCommands: 30, size: 'max' });

    fc.assert(
      fc.property(balances, leverage, steps, (initial, factor, commands) => {
        fc.modelRun(() => aMarginWorld(initial, factor), commands);
      }),
      { numRuns: 3 * propertyRuns() },
    );
  }, 300_000);
});
