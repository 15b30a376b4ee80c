import { describe, expect, it } from 'vitest';

import { createInstrumentId, parseFixed } from '../../../../src/domain/index.js';
import { compareTerms, type AssertedTerms } from '../../../../src/live/recovery/compare-terms.js';
import type { VenueOrder } from '../../../../src/venue/index.js';
import { anOrder, CONTRACT, futuresAccount, shown } from '../../../support/live/beliefs.js';

const FIVE = parseFixed('5');
const TEN = parseFixed('10');
const ASSERTED: AssertedTerms = {
  instrumentId: CONTRACT,
  leverage: FIVE,
  marginMode: 'isolated',
  positionMode: 'oneWay',
};
const NOTHING = futuresAccount([]);

/** A row of the history: 5x isolated, with overrides. */
function aRow(overrides: Partial<VenueOrder> = {}): VenueOrder {
  return shown(anOrder(), {
    leverage: FIVE,
    marginMode: 'isolated',
    createdTime: 1,
    status: 'filled',
    ...overrides,
  });
}

describe('compareTerms', () => {
  it('accepts the terms of an open position', () => {
    expect(compareTerms(ASSERTED, { account: futuresAccount([{}]), history: [] })).toEqual([]);
  });

  it('reports terms in which an open position differs', () => {
    const account = futuresAccount([{ leverage: TEN, marginMode: 'cross' }]);
    const seen = { instrumentId: CONTRACT, seenIn: 'open position' };

    expect(compareTerms(ASSERTED, { account, history: [aRow()] })).toEqual([
      { kind: 'leverage-differs', configured: FIVE, actual: TEN, ...seen },
      { kind: 'margin-mode-differs', configured: 'isolated', actual: 'cross', ...seen },
    ]);
  });

  it('reports a term once in which both sides differ, and each of two values', () => {
    const account = futuresAccount([
      { leverage: TEN, marginMode: 'cross' },
      { leverage: TEN, marginMode: 'cross', direction: 'short' },
    ]);
    const hedge = { ...ASSERTED, positionMode: 'hedge' } as const;
    const kindsOf = (given: typeof account): readonly string[] =>
      compareTerms(hedge, { account: given, history: [] }).map(({ kind }) => kind);

    expect(kindsOf(account)).toEqual(['leverage-differs', 'margin-mode-differs']);
    const two = futuresAccount([
      { leverage: TEN },
      { leverage: parseFixed('20'), direction: 'short' },
    ]);
    expect(kindsOf(two)).toEqual(['leverage-differs', 'leverage-differs']);
  });

  it.each([
    ['of another contract', { instrumentId: createInstrumentId('futures', 'E-ETH-USDT') }],
    ['that has ended', { isValid: false }],
    ['of nothing', { quantity: 0n }],
  ])('uses the order history beside a position %s', (_, position) => {
    const account = futuresAccount([{ leverage: TEN, ...position }]);

    expect(compareTerms(ASSERTED, { account, history: [aRow()] })).toEqual([]);
  });

  it('uses the newest order, whatever the order of the rows', () => {
    const rows = [aRow({ createdTime: 3, leverage: TEN }), aRow(), aRow({ createdTime: 2 })];

    expect(compareTerms(ASSERTED, { account: NOTHING, history: rows })).toMatchObject([
      { kind: 'leverage-differs', seenIn: 'newest order' },
    ]);
    expect(compareTerms(ASSERTED, { account: NOTHING, history: rows.toReversed() })).toMatchObject([
      { kind: 'leverage-differs' },
    ]);
  });

  it('compares the ids if times are missing', () => {
    const rows = [
      aRow({ venueOrderId: '99' as never, leverage: TEN, createdTime: undefined }),
      aRow({ venueOrderId: '100' as never }),
    ];

    expect(compareTerms(ASSERTED, { account: NOTHING, history: rows })).toEqual([]);
  });

  it('takes each term from the newest row that shows it', () => {
    const rows = [
      aRow({ createdTime: 3, leverage: undefined, marginMode: 'cross' }),
      aRow({ createdTime: 2, leverage: TEN }),
    ];

    expect(
      compareTerms(ASSERTED, { account: NOTHING, history: rows }).map(({ kind }) => kind),
    ).toEqual(['leverage-differs', 'margin-mode-differs']);
  });

  it('reports terms that neither position nor order shows', () => {
    const rows = [aRow({ instrumentId: createInstrumentId('futures', 'E-ETH-USDT') })];
    const hedged: AssertedTerms = { ...ASSERTED, positionMode: 'hedge' };

    expect(compareTerms(ASSERTED, { account: NOTHING, history: rows })).toEqual([
      { kind: 'terms-unverified', instrumentId: CONTRACT, terms: ['leverage', 'marginMode'] },
    ]);
    expect(compareTerms(hedged, { account: NOTHING, history: [aRow()] })).toEqual([
      { kind: 'terms-unverified', instrumentId: CONTRACT, terms: ['positionMode'] },
    ]);
  });

  it('detects hedge mode by positions on both sides', () => {
    const account = futuresAccount([{}, { direction: 'short', positionId: '2' }]);

    expect(compareTerms(ASSERTED, { account, history: [] })).toMatchObject([
      { kind: 'position-mode-differs', configured: 'oneWay', actual: 'hedge' },
    ]);
    expect(compareTerms({ ...ASSERTED, positionMode: 'hedge' }, { account, history: [] })).toEqual(
      [],
    );
  });
});
