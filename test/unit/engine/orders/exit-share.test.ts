import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed } from '../../../../src/domain/index.js';
import { enterLong, exit } from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

function aHolder(quantity: string): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(enterLong({ quantity }));
  bench.fill('test-1-0-0', quantity);
  return bench;
}

describe('an exit by a share', () => {
  it('closes this share of the position, rounded down to the step', () => {
    expect(aHolder('1.001').want(exit({ share: '0.5', limitPrice: '110' }))).toEqual([
      'test-2-0-0: limit sell close 0.5 base at 110 GTC',
    ]);
  });

  it('refers to the same position as other exits of its event, and never exceeds the rest', () => {
    const shares = ['0.33', '0.33', '1'].map((share) => exit({ share, limitPrice: '110' }));

    expect(aHolder('3').want(...shares)).toEqual([
      'test-2-0-0: limit sell close 0.99 base at 110 GTC',
      'test-3-0-0: limit sell close 0.99 base at 110 GTC',
      'test-4-0-0: limit sell close 1.02 base at 110 GTC',
    ]);
  });

  it.each(['0', '-0.5', '1.000000000000000000001', '2', 'half', '', 0.5])(
    'is refused as an invalid size if it is %j',
    (share) => {
      const bench = aHolder('1');

      expect(bench.want(exit({ share: share as string }))).toEqual([]);
      expect(bench.refusals).toEqual(['invalid-size']);
    },
  );

  it('is refused like an equal quantity if it is less than one step', () => {
    const byShare = aHolder('1');
    const byQuantity = aHolder('1');
    byShare.want(exit({ share: '0.0001' }));
    byQuantity.want(exit({ size: { quantity: '0.0001' } }));

    expect(byShare.refusals).toHaveLength(1);
    expect(byShare.refusals).toEqual(byQuantity.refusals);
  });

  it('sends the same order as an exit of the equal quantity', () => {
    const aCase = fc.record({
      held: fc.integer({ min: 1, max: 50_000 }),
      share: fc.integer({ min: 1, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(aCase, ({ held, share }) => {
        const position = formatFixed(parseFixed(String(held)) / 1_000n);
        const part = (BigInt(held) * BigInt(share)) / 1_000_000n;
        const quantity = formatFixed(parseFixed(String(part)) / 1_000n);
        fc.pre(part > 0n);
        const written = formatFixed(parseFixed(String(share)) / 1_000_000n);

        expect(aHolder(position).want(exit({ share: written }))).toEqual(
          aHolder(position).want(exit({ size: { quantity } })),
        );
      }),
      { numRuns: 50 },
    );
  });
});
