import { describe, expect, it } from 'vitest';

import {
  CandleRows,
  MINUTE_MS,
  parseFixed,
  RuleBook,
  type CandleColumns,
} from '../../../src/domain/index.js';
import {
  createConstantFees,
  createFixedSlippage,
  nearestOrder,
  SimulatedVenue,
} from '../../../src/simulator/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../../src/venue/index.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import {
  BTC_USDT,
  describeUpdate,
  play,
  venueColumns,
  ZERO_FEES,
  type ScriptStep,
  type VenueCandle,
} from '../../support/spot-venue.js';

const [OPEN, HIGH, LOW, CLOSE] = [100, 104, 96, 100];
/** A candle of five minutes. Its minutes reach the high first, but the path of the candle alone reaches the low first. */
const COARSE: CandleColumns = venueColumns([{ path: [OPEN, HIGH, LOW, CLOSE] }]);
const MINUTES: readonly VenueCandle[] = [
  { path: [100, 104, 100, 104] },
  { path: [104, 104, 102, 102] },
  { path: [102, 102, 96, 96] },
  { path: [97, 98, 97, 98] },
  { path: [98, 100, 98, 100] },
];

function report(
  finer: readonly VenueCandle[] | undefined,
  script: readonly ScriptStep[],
): { readonly lines: readonly string[]; readonly undecided: number } {
  const updates: VenueUpdate[] = [];
  const rules = new RuleBook();
  rules.set(BTC_USDT.id, [
    { from: 0, rules: { tradable: true, pricePrecision: 2, quantityPrecision: 3 } },
  ]);
  const venue = new SimulatedVenue({
    markets: [
      {
        instrument: BTC_USDT,
        interval: '5min',
        rows: CandleRows.of(COARSE),
        volumeUnit: 'base',
        pricePrecision: 2,
        finer: finer && { interval: '1min', rows: CandleRows.of(venueColumns(finer)) },
      },
    ],
    rules,
    balances: {
      spot: new Map([
        ['USDT', parseFixed('1000')],
        ['BTC', parseFixed('10')],
      ]),
    },
    fees: createConstantFees(ZERO_FEES),
    slippage: createFixedSlippage(0n),
    halfSpread: 0n,
    participation: 'off',
    fillOnTouch: true,
    chooseOrder: nearestOrder,
    onUpdate: (update) => updates.push(update),
  });
  play({ venue }, script, 5 * MINUTE_MS);
  return {
    lines: updates.filter(isOrderUpdate).map(describeUpdate),
    undecided: venue.undecided().count,
  };
}

const sell: ScriptStep = {
  at: 0,
  submit: aLimitRequest({ id: 'sell', side: 'sell', limitPrice: '104' }),
};
const buy: ScriptStep = { at: 0, submit: aLimitRequest({ id: 'buy', limitPrice: '96' }) };

describe('a path of finer candles', () => {
  it('follows the finer candles: the high in the first minute, the low at the end of the third', () => {
    // Minute 1 opens at its low, so its high comes at 2/3 of the minute. In minute 3 the low of 96 is the second extreme.
    expect(report(MINUTES, [sell, buy]).lines).toEqual([
      '+0 accepted sell',
      '+0 accepted buy',
      '+40000 fill sell 1 @ 104 maker, done',
      '+160000 fill buy 1 @ 96 maker, done',
    ]);
    expect(report(undefined, [sell, buy]).lines.slice(2)).toEqual([
      '+100000 fill buy 1 @ 96 maker, done',
      '+200000 fill sell 1 @ 104 maker, done',
    ]);
  });

  it('jumps if a finer candle opens away from the close before it', () => {
    const market: ScriptStep = { at: 3 * MINUTE_MS, submit: aMarketRequest() };

    expect(report(MINUTES, [market]).lines).toEqual(['+180000 fill order-1 1 @ 97 taker, done']);
  });

  it.each<readonly [string, readonly VenueCandle[]]>([
    ['one is missing', MINUTES.slice(0, 4)],
    ['they go beyond its extremes', [{ path: [100, 105, 100, 104] }, ...MINUTES.slice(1)]],
    ['they end elsewhere', [...MINUTES.slice(0, 4), { path: [98, 101, 98, 101] }]],
  ])('is replaced by the own path of the candle if %s', (_why, finer) => {
    expect(report(finer, [sell, buy]).lines.at(-1)).toBe('+200000 fill sell 1 @ 104 maker, done');
  });

  it('decides a candle that is undecided without finer candles', () => {
    expect(report(undefined, [sell, buy]).undecided).toBe(1);
    expect(report(MINUTES, [sell, buy]).undecided).toBe(0);
  });
});
