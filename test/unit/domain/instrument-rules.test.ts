import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  formatFixed,
  parseFixed,
  resolveRules,
  RuleBook,
  type InstrumentRules,
} from '../../../src/domain/index.js';
import { datedRules } from '../../support/arbitraries/rule-records.js';
import { failureOf } from '../../support/failure.js';

const id = createInstrumentId('spot', 'BTCUSDT');

function rules(overrides: Partial<InstrumentRules> = {}): InstrumentRules {
  return { tradable: true, pricePrecision: 2, quantityPrecision: 5, ...overrides };
}

describe('resolveRules', () => {
  it('adds the tick and the step of the precisions, and keeps the other rules', () => {
    const resolved = resolveRules(rules({ minOrderMoney: parseFixed('5') }));

    expect(formatFixed(resolved.tick)).toBe('0.01');
    expect(formatFixed(resolved.step)).toBe('0.00001');
    expect(resolved.minOrderMoney).toBe(parseFixed('5'));
    expect(resolved.maxMarketMoney).toBeUndefined();
  });

  it('computes the steps again for resolved rules with a changed precision', () => {
    const before = resolveRules(rules());

    const { tick, step } = resolveRules({ ...before, pricePrecision: 1, quantityPrecision: 3 });

    expect(formatFixed(tick)).toBe('0.1');
    expect(formatFixed(step)).toBe('0.001');
  });

  it.each<readonly [string, Partial<InstrumentRules>, string]>([
    ['E_PRECISION', { pricePrecision: 19 }, 'received 19'],
    ['E_PRECISION', { quantityPrecision: -1 }, 'received -1'],
    ['E_PRECISION', { quantityPrecision: 1.5 }, 'received 1.5'],
    ['E_RULES', { minOrderMoney: -1n }, 'expected minOrderMoney >= 0'],
    ['E_RULES', { maxMarketMoney: 0n }, 'expected maxMarketMoney > 0, received 0'],
    ['E_RULES', { maxLimitQuantity: -1n }, 'expected maxLimitQuantity > 0'],
    ['E_RULES', { maxWorkingOrders: 0 }, 'expected maxWorkingOrders to be a whole number > 0'],
    ['E_RULES', { maxWorkingOrders: 2.5 }, 'received 2.5'],
    [
      'E_RULES',
      { minOrderQuantity: 2n, maxMarketQuantity: 1n },
      'expected minOrderQuantity <= maxMarketQuantity',
    ],
    [
      'E_RULES',
      { minOrderQuantity: 2n, maxLimitQuantity: 1n },
      'expected minOrderQuantity <= maxLimitQuantity',
    ],
    [
      'E_RULES',
      { minOrderMoney: 2n, maxMarketMoney: 1n },
      'expected minOrderMoney <= maxMarketMoney',
    ],
    // A price times a quantity would have more than 18 decimals, and no ledger could hold it exactly.
    [
      'E_PRECISION',
      { pricePrecision: 10, quantityPrecision: 9 },
      'expected pricePrecision + quantityPrecision <= 18, received 10 + 9',
    ],
  ])('throws %s for the rules %o', (code, overrides, text) => {
    const failure = failureOf(() => resolveRules(rules(overrides)));

    expect(failure).toMatchObject({ code });
    expect(failure.message).toContain(text);
  });

  it('accepts equal limits, and a minimum of 0', () => {
    const resolved = resolveRules(
      rules({ minOrderQuantity: 5n, maxMarketQuantity: 5n, minOrderMoney: 0n }),
    );

    expect(resolved.minOrderQuantity).toBe(resolved.maxMarketQuantity);
  });

  it('accepts precisions with a sum of 18', () => {
    const { tick, step } = resolveRules(rules({ pricePrecision: 10, quantityPrecision: 8 }));

    expect(tick * step).toBe(10n ** 18n);
  });
});

describe('RuleBook', () => {
  it('gives the record in force at a time, or the earliest record before that, for any order of the records', () => {
    const times = { min: -10, max: 60 };
    fc.assert(
      fc.property(datedRules(times), fc.integer({ min: -20, max: 70 }), (records, time) => {
        const book = new RuleBook();
        book.set(id, records);

        const sorted = [...records].sort((a, b) => a.from - b.from);
        const expected = sorted.filter(({ from }) => from <= time).at(-1) ?? sorted[0];
        expect(book.at(id, time)).toMatchObject(expected?.rules ?? {});
      }),
    );
  });

  it('gives the same rules until the time of changeAfter, and other rules from then on', () => {
    const times = { min: -10, max: 60 };
    fc.assert(
      fc.property(datedRules(times), fc.integer({ min: -20, max: 70 }), (records, time) => {
        const book = new RuleBook();
        book.set(id, records);

        const change = book.changeAfter(time);

        expect(change).toBeGreaterThan(time);
        for (let later = time; later < Math.min(change, 80); later += 1)
          expect(book.at(id, later)).toBe(book.at(id, time));
        if (change !== Number.POSITIVE_INFINITY)
          expect(book.at(id, change)).not.toBe(book.at(id, time));
      }),
    );
  });

  it('changeAfter gives the next change of any instrument, by its current records', () => {
    const other = createInstrumentId('spot', 'ETHUSDT');
    const changesAt = (...times: readonly number[]) =>
      times.map((from) => ({ from, rules: rules() }));
    const book = new RuleBook();
    book.set(id, changesAt(0, 30, 50));
    book.set(other, changesAt(5, 20, 40));

    const changes = [0, 20, 30, 45, 50].map((time) => book.changeAfter(time));
    book.set(id, changesAt(0));

    // The first record of an instrument also holds for earlier times, so the record at 5 is no change.
    expect(changes).toEqual([20, 30, 40, 50, Number.POSITIVE_INFINITY]);
    expect([20, 40].map((time) => book.changeAfter(time))).toEqual([40, Number.POSITIVE_INFINITY]);
  });

  it('returns undefined for an unknown instrument', () => {
    expect(new RuleBook().at(id, 0)).toBeUndefined();
  });

  it('replaces the earlier records of an instrument', () => {
    const book = new RuleBook();
    book.set(id, [{ from: 0, rules: rules({ pricePrecision: 1 }) }]);

    book.set(id, [{ from: 5, rules: rules({ pricePrecision: 3 }) }]);

    expect(book.at(id, 0)?.pricePrecision).toBe(3);
  });

  it('refuses an empty list, two records of one time, and an invalid record', () => {
    const book = new RuleBook();
    const twice = [
      { from: 7, rules: rules() },
      { from: 7, rules: rules({ tradable: false }) },
    ];

    expect(
      failureOf(() => {
        book.set(id, []);
      }).message,
    ).toContain('there is no rule record for spot:BTCUSDT');
    expect(
      failureOf(() => {
        book.set(id, twice);
      }),
    ).toMatchObject({ code: 'E_RULES' });
    expect(
      failureOf(() => {
        book.set(id, [{ from: 0, rules: rules({ pricePrecision: 20 }) }]);
      }),
    ).toMatchObject({ code: 'E_PRECISION' });
    expect(book.at(id, 0)).toBeUndefined();
  });
});
