import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  aSequence,
  leave,
  sequenceSteps,
  sequenceTerms,
} from '../../../support/order-sequences/order-sequences.js';
import { SEQUENCE_PRODUCTS } from '../../../support/order-sequences/sequence-products.js';
import { orderSequences } from '../../../support/runs.js';

describe('the order manager: laws', () => {
  it.each(SEQUENCE_PRODUCTS)(
    'agrees with the venue, never exits more than is held, ends each intent once, and can go flat ($what)',
    (product) => {
      const reasons = new Map<string, number>();

      fc.assert(
        fc.property(sequenceTerms(product), sequenceSteps(product), (terms, steps) => {
          const { model, real } = aSequence(product, terms);

          fc.modelRun(() => ({ model, real }), steps);
          leave(model, real);

          for (const [reason, count] of real.laws.ends.reasons)
            reasons.set(reason, (reasons.get(reason) ?? 0) + count);
        }),
        { numRuns: orderSequences() },
      );

      // Without any order the laws prove nothing.
      expect(reasons.get('orders')).toBeGreaterThan(0);
      if (process.env['EVENKEEL_SEQUENCES'] !== undefined) console.info(product.what, reasons);
    },
    3_600_000,
  );
});
