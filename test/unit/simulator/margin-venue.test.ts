import { describe, expect, it } from 'vitest';

import {
  CandleRows,
  createInstrumentId,
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  RuleBook,
  type MarginInstrument,
} from '../../../src/domain/index.js';
import {
  createConstantFees,
  createFixedSlippage,
  nearestOrder,
  SimulatedVenue,
} from '../../../src/simulator/index.js';
import type { VenueUpdate } from '../../../src/venue/index.js';
import { describeAny, type ObservedFutures } from '../../support/futures-venue.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import {
  play,
  START,
  venueColumns,
  ZERO_FEES,
  type ScriptStep,
  type VenueCandle,
} from '../../support/spot-venue.js';

const BTC: MarginInstrument = {
  kind: 'margin',
  id: createInstrumentId('margin', 'BTCUSDT'),
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  leverage: parseFixed('5'),
};

function aMarginVenue(candles: readonly VenueCandle[], hourlyRate = '0'): ObservedFutures {
  const updates: VenueUpdate[] = [];
  const rules = new RuleBook();
  rules.set(BTC.id, [
    { from: 0, rules: { tradable: true, pricePrecision: 2, quantityPrecision: 3 } },
  ]);
  const venue = new SimulatedVenue({
    markets: [
      {
        instrument: BTC,
        interval: '1min',
        rows: CandleRows.of(venueColumns(candles)),
        volumeUnit: 'base',
        pricePrecision: 2,
      },
    ],
    rules,
    balances: { margin: new Map([['USDT', parseFixed('100')]]) },
    margin: { hourlyRate: parseFixed(hourlyRate) },
    fees: createConstantFees(ZERO_FEES),
    slippage: createFixedSlippage(0n),
    halfSpread: 0n,
    participation: 'off',
    fillOnTouch: false,
    chooseOrder: nearestOrder,
    onUpdate: (update) => updates.push(update),
  });
  return { venue, updates };
}

function told(
  candles: readonly VenueCandle[],
  script: readonly ScriptStep[],
  hourlyRate?: string,
): { readonly lines: readonly string[]; readonly venue: SimulatedVenue } {
  const observed = aMarginVenue(candles, hourlyRate);
  play(observed, script, candles.length * MINUTE_MS);
  return { lines: observed.updates.map(describeAny), venue: observed.venue };
}

const buy = (quantity: string): ScriptStep => ({
  at: 0,
  submit: aMarketRequest({ instrumentId: BTC.id, side: 'buy', quantity }),
});
const STILL: VenueCandle = { path: [100, 100, 100, 100] };

describe('a margin account at the venue', () => {
  it('buys with borrowed money, up to (leverage − 1) × equity', () => {
    expect(told([STILL], [buy('500')]).lines).toEqual([
      '+0 fill order-1 5 @ 100 taker, done [open]',
      // 500 ÷ 400
      '+0 margin-warning 1.25',
    ]);
    expect(told([STILL], [buy('501')]).lines).toEqual(['+0 ended order-1 rejected -2017']);
  });

  it('is warned at a level of 1.3 and called at 1.1, each at its millisecond, and keeps the rest', () => {
    // 4 BTC for 400, of which 300 are owed: the level is 1.3 at 97.5, and 1.1 at 82.5.
    const { lines, venue } = told(
      [{ path: [100, 100, 80, 80] }],
      [
        buy('400'),
        { at: 0, submit: aLimitRequest({ id: 'rest', instrumentId: BTC.id, limitPrice: '50' }) },
      ],
    );

    expect(lines).toEqual([
      '+0 fill order-1 4 @ 100 taker, done [open]',
      '+0 accepted rest',
      '+22500 margin-warning 1.3',
      '+37500 ended rest canceled margin-call',
      '+37500 forced-fill margin-call sell 4 @ 82.5 fee 0',
    ]);
    // 330 − 300
    expect(formatFixed(venue.accounts.margin?.totals().get('USDT') ?? 0n)).toBe('30');
  });

  it('ends at 0, not below, when an open jumps below the value of its debt', () => {
    const { lines, venue } = told([STILL, { path: [50, 50, 50, 50] }], [buy('400')]);

    expect(lines.slice(1)).toEqual([
      '+60000 forced-fill margin-call sell 4 @ 50 fee 0 insured 100',
    ]);
    expect(formatFixed(venue.accounts.margin?.totals().get('USDT') ?? 0n)).toBe('0');
  });

  it('sells borrowed assets short, and is called when the price rises', () => {
    const sell: ScriptStep = {
      at: 0,
      submit: aMarketRequest({ instrumentId: BTC.id, side: 'sell', quantity: '3' }),
    };

    // 400 USDT against 3 BTC: the level is 1.3 at 102.5641…, and 1.1 at 121.2121…
    const { lines } = told([{ path: [100, 130, 100, 130] }], [sell]);

    expect(lines.map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual([
      'fill order-1',
      'margin-warning 1.3',
      'forced-fill margin-call',
    ]);
  });

  it('is charged interest when it borrows, and at each UTC hour', () => {
    const candles = Array.from({ length: 121 }, () => STILL);

    expect(told(candles, [buy('400')], '0.001').lines).toEqual([
      '+0 interest 0.3 USDT',
      '+0 fill order-1 4 @ 100 taker, done [open]',
      `+${String(HOUR_MS)} interest 0.3 USDT`,
      `+${String(2 * HOUR_MS)} interest 0.3 USDT`,
    ]);
  });

  it('skips a candle that cannot cause a warning, and no other candle', () => {
    const candles = [STILL, STILL, STILL, { path: [100, 100, 97, 100] } as const, STILL];
    const { venue } = aMarginVenue(candles);
    venue.openAt(START);
    venue.submit(aMarketRequest({ instrumentId: BTC.id, side: 'buy', quantity: '400' }), START);

    expect(venue.isIdleUntil(START + 3 * MINUTE_MS)).toBe(true);
    expect(venue.isIdleUntil(START + 4 * MINUTE_MS)).toBe(false);
  });
});
