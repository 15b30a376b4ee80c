import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  addToHolding,
  createInstrumentId,
  EMPTY_HOLDING,
  multiplyFixed,
  parseFixed,
  Position,
  takeFromHolding,
  type Fixed,
  type Holding,
} from '../../../src/domain/index.js';
import { stepped } from '../../support/arbitraries/amounts.js';
import { lawRuns } from '../../support/runs.js';

const runs = { numRuns: lawRuns() };
const STEP = parseFixed('0.00001');
const quantity = stepped(5, { min: 1n, max: 10n ** 9n });
const price = stepped(8, { min: 1n, max: 10n ** 15n });
const purchases = fc.array(fc.record({ quantity, price }), { minLength: 1, maxLength: 20 });
/** Shares of the held quantity, in millionths. */
const shares = fc.array(fc.bigInt(0n, 1_000_000n), { maxLength: 20 });

function bought(list: readonly { readonly quantity: Fixed; readonly price: Fixed }[]): Holding {
  return list.reduce(
    (holding, buy) => addToHolding(holding, buy.quantity, multiplyFixed(buy.price, buy.quantity)),
    EMPTY_HOLDING,
  );
}

describe('a holding', () => {
  it('keeps the sum of quantities and values, in any order of purchases', () => {
    fc.assert(
      fc.property(purchases, (list) => {
        const holding = bought(list);

        expect(bought([...list].reverse())).toEqual(holding);
        expect(holding.quantity).toBe(list.reduce((sum, buy) => sum + buy.quantity, 0n));
        expect(holding.entryValue).toBe(
          list.reduce((sum, buy) => sum + multiplyFixed(buy.price, buy.quantity), 0n),
        );
      }),
      runs,
    );
  });

  it('releases its whole entry value over partial closes in any split, and ends empty', () => {
    fc.assert(
      fc.property(purchases, shares, (list, parts) => {
        const start = bought(list);
        let holding = start;
        let released = 0n;
        for (const part of parts) {
          const taken = takeFromHolding(
            holding,
            (((holding.quantity / STEP) * part) / 1_000_000n) * STEP,
          );

          expect(taken.released + taken.holding.entryValue).toBe(holding.entryValue);
          released += taken.released;
          holding = taken.holding;
        }
        const last = takeFromHolding(holding, holding.quantity);

        expect(last.holding).toEqual(EMPTY_HOLDING);
        expect(released + last.released).toBe(start.entryValue);
      }),
      runs,
    );
  });

  it('releases the exact share of its entry value, rounded once', () => {
    fc.assert(
      fc.property(purchases, fc.bigInt(1n, 999_999n), (list, part) => {
        const { quantity: held, entryValue } = bought(list);
        const closed = (held * part) / 1_000_000n;
        const { released } = takeFromHolding({ quantity: held, entryValue }, closed);

        // |released − value × closed / held| ≤ half a unit of the 18th decimal
        const error = released * held - entryValue * closed;
        expect(2n * (error < 0n ? -error : error) <= held).toBe(true);
      }),
      runs,
    );
  });

  it('releases its whole entry value and ends empty if more is taken than held', () => {
    fc.assert(
      fc.property(purchases, quantity, (list, more) => {
        const holding = bought(list);

        expect(takeFromHolding(holding, holding.quantity + more)).toEqual({
          holding: EMPTY_HOLDING,
          released: holding.entryValue,
        });
      }),
    );
  });
});

describe('Position', () => {
  const id = createInstrumentId('spot', 'BTCUSDT');

  it('shows the average entry price, or undefined when flat', () => {
    const holding = { quantity: parseFixed('3'), entryValue: parseFixed('100') };

    const held = new Position(id, 'long', holding);
    const flat = new Position(id, 'long', EMPTY_HOLDING);

    expect(held.entryPrice?.toFixed()).toBe('33.333333333333333333');
    expect(held.entryValue.toFixed()).toBe('100');
    expect(flat.entryPrice).toBeUndefined();
    expect(flat.quantity.toFixed()).toBe('0');
  });
});
