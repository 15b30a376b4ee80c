import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  parseFixed,
  type InstrumentRules,
  type OrderRequest,
} from '../../../src/domain/index.js';
import { VENUE_CODES } from '../../../src/simulator/orders/venue-rules.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import { aVenue, linesOf, play, report } from '../../support/spot-venue.js';

const LIMITS: Partial<InstrumentRules> = {
  minOrderQuantity: parseFixed('0.01'),
  minOrderMoney: parseFixed('5'),
  maxMarketQuantity: parseFixed('2'),
  maxMarketMoney: parseFixed('200'),
  maxLimitQuantity: parseFixed('3'),
};

function answer(rules: Partial<InstrumentRules>, submit: OrderRequest): string | undefined {
  return report({ rules }, [{ at: 0, submit }])[0];
}

describe('venue rules', () => {
  it.each<readonly [keyof typeof VENUE_CODES, string, OrderRequest]>([
    ['precision', 'a quantity off the step', aMarketRequest({ quantity: '1.0001' })],
    ['precision', 'a limit off the tick', aLimitRequest({ limitPrice: '99.999' })],
    ['precision', 'a limit of 0', aLimitRequest({ limitPrice: '0' })],
    ['precision', 'a limit below 0', aLimitRequest({ limitPrice: '-1' })],
    ['belowMinimumQuantity', 'a quantity of 0', aMarketRequest({ quantity: '0' })],
    ['belowMinimumQuantity', 'a quantity below 0', aLimitRequest({ quantity: '-1' })],
    ['belowMinimumQuantity', 'too little', aLimitRequest({ quantity: '0.009', limitPrice: '900' })],
    ['aboveMaximumQuantity', 'too much for MARKET', aMarketRequest({ quantity: '2.001' })],
    [
      'aboveMaximumQuantity',
      'too much for LIMIT',
      aLimitRequest({ quantity: '3.001', limitPrice: '9' }),
    ],
    ['belowMinimumMoney', 'a LIMIT worth too little', aLimitRequest({ quantity: '0.04' })],
    ['belowMinimumMoney', 'a sale worth too little', aMarketRequest({ quantity: '0.049' })],
    ['belowMinimumMoney', 'too little money', aMarketRequest({ side: 'buy', quantity: '4.99' })],
    ['aboveMaximumMoney', 'too much money', aMarketRequest({ side: 'buy', quantity: '200.01' })],
    [
      'unsupportedCombination',
      'a MARKET buy in base',
      { ...aMarketRequest({ side: 'buy' }), unit: 'base' },
    ],
    ['unsupportedCombination', 'a MARKET sale in quote', { ...aMarketRequest(), unit: 'quote' }],
    ['unsupportedCombination', 'a LIMIT in quote', { ...aLimitRequest(), unit: 'quote' }],
    ['unsupportedCombination', 'contracts', { ...aLimitRequest(), unit: 'contracts' }],
    [
      'badSymbol',
      'an instrument it has not',
      aLimitRequest({ instrumentId: createInstrumentId('spot', 'XYZUSDT') }),
    ],
  ])('answer %s to %s', (name, _text, request) => {
    expect(answer(LIMITS, request)).toBe(`+0 ended order-1 rejected ${VENUE_CODES[name]}`);
  });

  it.each([
    aMarketRequest({ quantity: '2' }),
    aMarketRequest({ quantity: '0.05' }),
    aMarketRequest({ side: 'buy', quantity: '200' }),
    aMarketRequest({ side: 'buy', quantity: '5' }),
    aLimitRequest({ quantity: '3' }),
    aLimitRequest({ quantity: '0.01', limitPrice: '500' }),
  ])('accept an order exactly at a limit: %o', (request) => {
    expect(answer(LIMITS, request)).not.toContain('rejected');
  });

  it('accept no order while the instrument is not tradable', () => {
    expect(answer({ tradable: false }, aLimitRequest())).toBe('+0 ended order-1 rejected -1146');
    expect(answer({ tradable: false }, aMarketRequest())).toBe('+0 ended order-1 rejected -1146');
  });

  it('limit the number of working orders', () => {
    const lines = report({ rules: { maxWorkingOrders: 1 } }, [
      { at: 0, submit: aLimitRequest({ id: 'a', limitPrice: '50' }) },
      { at: 0, submit: aLimitRequest({ id: 'b', limitPrice: '50' }) },
      { at: 1, cancel: 'a' },
      { at: 1, submit: aLimitRequest({ id: 'c', limitPrice: '50' }) },
    ]);

    expect(lines).toEqual([
      '+0 accepted a',
      '+0 ended b rejected -1015',
      '+1 ended a canceled on-request',
      '+1 accepted c',
    ]);
  });

  it('value a sale at the published last price', () => {
    // The path is at 100.49995 after 3333 ms; last shows 100.5: 0.049 × 100.5 = 4.9245
    const rules = { minOrderMoney: parseFixed('4.9245') };

    const lines = report({ candles: [{ path: [100, 103, 94, 97] }], rules }, [
      { at: 3_333, submit: aMarketRequest({ quantity: '0.049' }) },
    ]);

    expect(lines[0]).toContain('fill');
  });

  it('give accepted orders ids beyond the safe integers', () => {
    const observed = aVenue();
    play(
      observed,
      [
        { at: 0, submit: aLimitRequest({ id: 'a', limitPrice: '50' }) },
        { at: 0, submit: aLimitRequest({ id: 'b', limitPrice: '50' }) },
      ],
      0,
    );

    const ids = observed.updates.map((update) =>
      update.kind === 'accepted' ? update.venueOrderId : '',
    );
    expect(ids).toEqual(['1000000000000000001', '1000000000000000002']);
    expect(linesOf(observed)).toHaveLength(2);
  });
});

describe('a cancel', () => {
  it('ends a working order only once', () => {
    const lines = report({}, [
      { at: 0, submit: aLimitRequest({ limitPrice: '50' }) },
      { at: 5, cancel: 'order-1' },
      { at: 6, cancel: 'order-1' },
    ]);

    expect(lines).toEqual([
      '+0 accepted order-1',
      '+5 ended order-1 canceled on-request',
      '+6 cancel-rejected order-1 -2013',
    ]);
  });

  it('is rejected for a finished order and for an unknown order', () => {
    const lines = report({}, [
      { at: 0, submit: aMarketRequest() },
      { at: 0, cancel: 'order-1' },
      { at: 0, cancel: 'nobody' },
    ]);

    expect(lines.slice(1)).toEqual([
      '+0 cancel-rejected order-1 -2013',
      '+0 cancel-rejected nobody -2013',
    ]);
  });

  it('ends the rest of a partly filled order', () => {
    const setup = {
      candles: [{ path: [100, 100, 100, 100], volume: 0.4 }],
      participation: '1',
    } as const;

    const lines = report(setup, [
      { at: 0, submit: aLimitRequest() },
      { at: 1, cancel: 'order-1' },
    ]);

    expect(lines).toEqual([
      '+0 accepted order-1',
      '+0 fill order-1 0.4 @ 100 taker',
      '+1 ended order-1 canceled on-request',
    ]);
  });

  it('comes after a fill in the same millisecond', () => {
    const falling = { candles: [{ path: [100, 100, 99, 99] }], order: 'low-first' } as const;
    const submit = aLimitRequest({ limitPrice: '99.99' });

    // Falling 1 in 20000 ms: 99.98 after 400 ms
    expect(
      report(falling, [
        { at: 0, submit },
        { at: 400, cancel: 'order-1' },
      ]),
    ).toEqual([
      '+0 accepted order-1',
      '+400 fill order-1 1 @ 99.99 maker, done',
      '+400 cancel-rejected order-1 -2013',
    ]);
    expect(
      report(falling, [
        { at: 0, submit },
        { at: 399, cancel: 'order-1' },
      ]),
    ).toEqual(['+0 accepted order-1', '+399 ended order-1 canceled on-request']);
  });
});
