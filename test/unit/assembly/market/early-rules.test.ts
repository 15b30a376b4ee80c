import { describe, expect, it } from 'vitest';
import { noticeEarlyRules } from '../../../../src/assembly/market/early-rules.js';
import type { MarketTerms } from '../../../../src/assembly/market/load-terms.js';
import { BTC } from '../../../support/replay.js';

const INSTRUMENTS = [{ instrumentId: BTC, symbol: 'BTCUSDT' }];
const day = (text: string): number => Date.parse(text);

/** Terms with stored rules from each of these days. */
function seen(...days: readonly string[]): Pick<MarketTerms, 'stored'> {
  const rules = days.map((text) => ({
    from: day(text),
    rules: { tradable: true, pricePrecision: 2, quantityPrecision: 5 },
  }));
  const none = { tiers: [], marks: undefined, funding: undefined, finer: undefined };
  return { stored: new Map([[BTC, { rules, ...none }]]) };
}

describe('noticeEarlyRules', () => {
  it.each([
    [
      ['2026-04-01', '2026-03-01'],
      'rules of BTCUSDT are those seen on 2026-03-01; used for 2025-01-01 to 2026-03-01',
    ],
    [
      ['2026-07-01'],
      'rules of BTCUSDT are those seen on 2026-07-01; used for 2025-01-01 to 2026-05-01',
    ],
  ])('reports the period before the first rules of %j', (days, line) => {
    const played = { from: day('2025-01-01'), to: day('2026-05-01') };
    expect(noticeEarlyRules(INSTRUMENTS, seen(...days), played)).toEqual([line]);
  });

  it('shows times if all dates are on the same day', () => {
    const played = { from: day('2026-03-01T03:12Z'), to: day('2026-03-01T09:00Z') };
    expect(noticeEarlyRules(INSTRUMENTS, seen('2026-03-01T08:06Z'), played)).toEqual([
      'rules of BTCUSDT are those seen on 2026-03-01T08:06:00Z; used for 2026-03-01T03:12:00Z to 2026-03-01T08:06:00Z',
    ]);
  });

  it.each([[['1970-01-01', '2026-03-01']], [['2025-01-01']], [[]]])(
    'reports nothing for rules of %j',
    (days) => {
      const played = { from: day('2025-01-01'), to: day('2026-05-01') };
      expect(noticeEarlyRules(INSTRUMENTS, seen(...days), played)).toEqual([]);
    },
  );
});
