import { describe, expect, it } from 'vitest';

import { HOUR_MS, MINUTE_MS, parseFixed, type Instrument } from '../../../../src/domain/index.js';
import {
  assess,
  createGuards,
  type OrderProposal,
  type ProtectionConfig,
  type ProtectionView,
  type RiskStateEvent,
} from '../../../../src/risk/index.js';
import {
  anAccount,
  aPolicy,
  aProposal,
  contractRules,
  ETHBTC,
  INVERSE,
  LINEAR,
  refusalOf,
  someRules,
  SPOT,
  type AccountNumbers,
} from '../../../support/risk/builders.js';
import {
  aView,
  anExposure,
  closedAt,
  equityAt,
  NOW,
  replay,
  sentAt,
} from '../../../support/risk/protections.js';

const ETH: Instrument = { ...LINEAR, id: 'futures:E-ETH-USDT' as Instrument['id'], base: 'ETH' };
/** BTC is worth 50,000 USDT: an entry of 0.02 BTC is one of 1,000 USDT. */
const inBtc = {
  account: { last: '0.05', free: { BTC: '10', ETH: '100' }, worth: { BTC: '50000' } },
  proposal: { instrument: ETHBTC, size: { notional: '0.02' } },
};
const fixed = parseFixed;
const SIXFOLD = {
  instrument: { ...LINEAR, leverage: fixed('6') },
  size: { notional: '1200' },
};

/** One situation: by default an entry of 1,000 USDT at last 100. */
interface Situation {
  readonly config: ProtectionConfig;
  readonly view?: ProtectionView;
  /** Events before the entry. They replace the view. */
  readonly events?: readonly RiskStateEvent[];
  readonly account?: AccountNumbers;
  readonly proposal?: Partial<OrderProposal>;
}

interface Protection {
  readonly check: string;
  readonly trips: Situation;
  readonly wouldPass?: string;
  /** The nearest situation that passes. */
  readonly passes: Situation;
}

const halting = (config: ProtectionConfig, ...events: readonly RiskStateEvent[]): Situation => ({
  config,
  events,
});

const HOURS = [{ days: [0], from: 9 * 60, to: 16 * 60 }];
const OVER_MIDNIGHT = [{ days: [6], from: 22 * 60, to: 2 * 60 }];
/** NOW is Sunday 15:06:40. */
const at = (hour: number, minute = 0): number =>
  NOW - (15 * 60 + 6) * MINUTE_MS - 40_000 + (hour * 60 + minute) * MINUTE_MS;

const PROTECTIONS: readonly Protection[] = [
  {
    check: 'max-order-notional',
    trips: { config: { maxOrderNotional: fixed('999') } },
    wouldPass: '999',
    passes: { config: { maxOrderNotional: fixed('1000') } },
  },
  {
    check: 'max-position-notional',
    trips: {
      config: { maxPositionNotional: fixed('5000') },
      view: aView({ exposures: [anExposure('4000.5')] }),
    },
    wouldPass: '999.5',
    passes: {
      config: { maxPositionNotional: fixed('5000') },
      view: aView({ exposures: [anExposure('4000'), anExposure('9000', { instrument: ETH })] }),
    },
  },
  {
    check: 'max-position-notional',
    trips: {
      config: { maxPositionNotional: fixed('5000') },
      view: aView({ exposures: [anExposure('6000')] }),
    },
    passes: {
      config: { maxPositionNotional: fixed('5000') },
      view: aView({ exposures: [anExposure('6000', { direction: 'short' })] }),
    },
  },
  {
    check: 'max-total-notional',
    trips: {
      config: { maxTotalNotional: fixed('5000') },
      view: aView({
        exposures: [
          anExposure('2000', { instrument: ETH }),
          anExposure('2001', { direction: 'short' }),
        ],
      }),
    },
    wouldPass: '999',
    passes: {
      config: { maxTotalNotional: fixed('5000') },
      view: aView({ exposures: [anExposure('4000', { instrument: ETH })] }),
    },
  },
  {
    check: 'max-position-quantity',
    trips: {
      config: { maxPositionQuantity: new Map([[SPOT.id, fixed('12')]]) },
      view: aView({ exposures: [anExposure('250', { quantity: '2.00001' })] }),
    },
    passes: {
      config: { maxPositionQuantity: new Map([[SPOT.id, fixed('12')]]) },
      view: aView({ exposures: [anExposure('200', { quantity: '2' })] }),
    },
  },
  {
    check: 'max-asset-exposure',
    trips: {
      config: { maxAssetExposure: new Map([['BTC', fixed('3000')]]) },
      view: aView({
        exposures: [
          anExposure('4000', { instrument: LINEAR }),
          anExposure('1500', { instrument: LINEAR, direction: 'short' }),
          anExposure('9000', { instrument: ETH, direction: 'short' }),
        ],
      }),
    },
    wouldPass: '500', // 3,000 − (4,000 − 1,500)
    passes: {
      config: { maxAssetExposure: new Map([['ETH', fixed('1')]]) },
      view: aView({ exposures: [anExposure('4000')] }),
    },
  },
  {
    check: 'max-net-exposure',
    trips: {
      config: { maxNetExposure: fixed('3000') },
      view: aView({
        exposures: [anExposure('2500'), anExposure('400', { instrument: ETH, direction: 'short' })],
      }),
    },
    wouldPass: '900', // 3,000 − (2,500 − 400)
    passes: {
      config: { maxNetExposure: fixed('3000') },
      // Buying 1,000 against 9,000 short brings the net nearer to 0, although it stays above the limit.
      view: aView({ exposures: [anExposure('9000', { instrument: ETH, direction: 'short' })] }),
    },
  },
  {
    check: 'max-net-exposure',
    // Selling 1,000 against 498 long ends 502 short.
    trips: {
      config: { maxNetExposure: fixed('499') },
      view: aView({ exposures: [anExposure('498', { instrument: LINEAR })] }),
      proposal: { instrument: LINEAR, side: 'sell' },
    },
    wouldPass: '997',
    passes: {
      config: { maxNetExposure: fixed('499') },
      view: aView({ exposures: [anExposure('501', { instrument: LINEAR })] }),
      proposal: { instrument: LINEAR, side: 'sell' },
    },
  },
  {
    check: 'max-net-exposure',
    trips: {
      config: { maxNetExposure: fixed('1500') },
      view: aView({ exposures: [anExposure('501', { instrument: LINEAR, direction: 'short' })] }),
      proposal: { instrument: LINEAR, side: 'sell' },
    },
    wouldPass: '999',
    passes: {
      // From 500 short to 500 long is no farther from 0, whatever the limit.
      config: { maxNetExposure: fixed('1') },
      view: aView({ exposures: [anExposure('500', { direction: 'short' })] }),
    },
  },
  {
    check: 'max-leverage',
    trips: {
      config: { maxLeverage: fixed('0.5') },
      view: aView({ exposures: [anExposure('4500', { direction: 'short' })] }),
    },
    wouldPass: '500', // 0.5 × 10,000 − 4,500
    passes: {
      config: { maxLeverage: fixed('0.5') },
      view: aView({ exposures: [anExposure('4000')] }),
    },
  },
  {
    check: 'max-margin-use',
    trips: {
      config: { maxMarginUse: fixed('0.1') },
      view: aView({ usedMargin: '801' }),
      proposal: { instrument: LINEAR },
    },
    wouldPass: '995', // (0.1 × 10,000 − 801) × leverage 5
    passes: {
      config: { maxMarginUse: fixed('0.1') },
      view: aView({ usedMargin: '800' }),
      proposal: { instrument: LINEAR },
    },
  },
  {
    check: 'max-margin-use',
    trips: {
      config: { maxMarginUse: fixed('0.1') },
      view: aView({ usedMargin: '1001' }),
      proposal: { instrument: LINEAR },
    },
    passes: { config: { maxMarginUse: fixed('0.1') }, view: aView({ usedMargin: '1001' }) },
  },
  {
    // A sixth of 1,200 is 200, though a sixth has no end.
    check: 'max-margin-use',
    trips: {
      config: { maxMarginUse: fixed('0.1') },
      view: aView({ usedMargin: '800.01' }),
      proposal: SIXFOLD,
    },
    wouldPass: '1199.94',
    passes: {
      config: { maxMarginUse: fixed('0.1') },
      view: aView({ usedMargin: '800' }),
      proposal: SIXFOLD,
    },
  },
  {
    check: 'max-open-positions',
    trips: {
      config: { maxOpenPositions: 1 },
      view: aView({ exposures: [anExposure('10', { instrument: ETH })] }),
    },
    passes: {
      config: { maxOpenPositions: 1 },
      view: aView({ exposures: [anExposure('10')] }),
    },
  },
  {
    check: 'max-open-orders',
    trips: { config: { maxOpenOrders: 2 }, account: { working: 2 } },
    passes: { config: { maxOpenOrders: 2 }, account: { working: 1 } },
  },
  {
    check: 'max-total-open-orders',
    trips: { config: { maxTotalOpenOrders: 2 }, view: aView({ openOrders: 2 }) },
    passes: { config: { maxTotalOpenOrders: 2 }, view: aView({ openOrders: 1 }) },
  },
  {
    check: 'price-band',
    trips: {
      config: { priceBand: { last: fixed('0.02') } },
      proposal: { limitPrice: '97.99', size: { quantity: '10' } },
    },
    passes: {
      config: { priceBand: { last: fixed('0.02') } },
      proposal: { limitPrice: '98', size: { quantity: '10' } },
    },
  },
  {
    check: 'price-band',
    trips: {
      config: { priceBand: { last: fixed('0.02') } },
      proposal: { limitPrice: '102.01', size: { quantity: '10' } },
    },
    // Risk sets the band of an order without a limit price.
    passes: {
      config: { priceBand: { last: fixed('0.02') } },
      proposal: { size: { quantity: '10' } },
    },
  },
  {
    check: 'price-band',
    trips: { config: { priceBand: { mark: fixed('0.02') } }, account: { mark: '98' } },
    passes: { config: { priceBand: { mark: fixed('0.02') } }, account: { mark: '98.04' } },
  },
  {
    check: 'price-band',
    trips: {
      config: { priceBand: { mark: fixed('0.02') } },
      account: { mark: '100' },
      proposal: { limitPrice: '97', size: { quantity: '10' } },
    },
    passes: { config: { priceBand: { mark: fixed('0.02') } } },
  },
  {
    check: 'stale-data',
    trips: { config: { maxPriceAgeMs: 5_000 }, view: aView({ priceTime: NOW - 5_001 }) },
    passes: { config: { maxPriceAgeMs: 5_000 }, view: aView({ priceTime: NOW - 5_000 }) },
  },
  {
    check: 'stale-data',
    trips: { config: { maxPriceAgeMs: 5_000 }, view: aView({ priceTime: undefined }) },
    passes: { config: { maxPriceAgeMs: 5_000 }, view: aView() },
  },
  {
    check: 'orders-per-minute',
    trips: halting({ maxOrdersPerMinute: 2 }, sentAt(NOW - 59_999, 'close'), sentAt(NOW - 1)),
    passes: halting({ maxOrdersPerMinute: 2 }, sentAt(NOW - 60_000, 'close'), sentAt(NOW - 1)),
  },
  {
    check: 'orders-per-day',
    trips: halting({ maxOrdersPerDay: 2 }, sentAt(at(0)), sentAt(at(1))),
    passes: halting({ maxOrdersPerDay: 2 }, sentAt(at(0) - 1), sentAt(at(1))),
  },
  {
    check: 'orders-per-day',
    trips: halting({ maxOrdersPerDay: 2, resetHour: 1 }, sentAt(at(1)), sentAt(at(1))),
    passes: halting({ maxOrdersPerDay: 2, resetHour: 1 }, sentAt(at(1) - 1), sentAt(at(1))),
  },
  {
    check: 'entry-interval',
    trips: halting({ minEntryIntervalMs: 1_000 }, sentAt(NOW - 999)),
    passes: halting({ minEntryIntervalMs: 1_000 }, sentAt(NOW - 1_000), sentAt(NOW - 5, 'close')),
  },
  {
    check: 'entry-interval',
    trips: halting({ minEntryIntervalMs: 1_000 }, sentAt(NOW - 999)),
    passes: halting({ minEntryIntervalMs: 1_000 }, sentAt(NOW - 5, 'open', ETH)),
  },
  {
    check: 'stop-cooldown',
    trips: halting(
      { cooldownAfterStopMs: HOUR_MS },
      { kind: 'stop-fired', time: NOW - HOUR_MS + 1, instrumentId: SPOT.id },
    ),
    passes: halting(
      { cooldownAfterStopMs: HOUR_MS },
      { kind: 'stop-fired', time: NOW - HOUR_MS, instrumentId: SPOT.id },
      { kind: 'stop-fired', time: NOW, instrumentId: ETH.id },
    ),
  },
  {
    check: 'trading-hours',
    trips: { config: { tradingHours: HOURS }, account: { now: at(16) } },
    passes: { config: { tradingHours: HOURS }, account: { now: at(15, 59) } },
  },
  {
    check: 'trading-hours',
    trips: { config: { tradingHours: HOURS }, account: { now: at(9) - 1 } },
    passes: { config: { tradingHours: HOURS }, account: { now: at(9) } },
  },
  {
    check: 'trading-hours',
    trips: { config: { tradingHours: OVER_MIDNIGHT }, account: { now: at(2) } },
    // Sunday 01:59 belongs to the window that opened on Saturday.
    passes: { config: { tradingHours: OVER_MIDNIGHT }, account: { now: at(1, 59) } },
  },
  {
    check: 'trading-hours',
    trips: { config: { tradingHours: OVER_MIDNIGHT }, account: { now: at(22) } },
    passes: { config: { tradingHours: OVER_MIDNIGHT }, account: { now: at(-2) } },
  },
  {
    check: 'funding-block',
    trips: {
      config: { fundingBlock: { beforeMs: 60_000, afterMs: 0 } },
      view: aView({ funding: { previous: NOW - HOUR_MS, next: NOW + 60_000 } }),
    },
    passes: {
      config: { fundingBlock: { beforeMs: 60_000, afterMs: 0 } },
      view: aView({ funding: { previous: NOW, next: NOW + 60_001 } }),
    },
  },
  {
    check: 'funding-block',
    trips: {
      config: { fundingBlock: { beforeMs: 0, afterMs: 60_000 } },
      view: aView({ funding: { previous: NOW - 59_999, next: NOW + HOUR_MS } }),
    },
    passes: { config: { fundingBlock: { beforeMs: 0, afterMs: 60_000 } } },
  },
  {
    check: 'halted',
    trips: halting(
      { maxDailyLoss: fixed('200') },
      equityAt(at(1), '10000'),
      equityAt(at(2), '9800'),
    ),
    passes: halting(
      { maxDailyLoss: fixed('200') },
      equityAt(at(1), '10000'),
      equityAt(at(2), '9800.01'),
    ),
  },
  {
    check: 'halted',
    trips: halting(
      { maxDrawdownRatio: fixed('0.1') },
      equityAt(at(1), '10000'),
      equityAt(at(2), '9000'),
    ),
    passes: halting(
      { maxDrawdownRatio: fixed('0.1') },
      equityAt(at(1), '10000'),
      equityAt(at(2), '9001'),
    ),
  },
  {
    check: 'halted',
    trips: halting({ maxConsecutiveLosses: 2 }, closedAt(at(1), '-1'), closedAt(at(2), '-1')),
    passes: halting(
      { maxConsecutiveLosses: 2 },
      closedAt(at(1), '-1'),
      closedAt(at(2), '0'),
      closedAt(at(3), '-1'),
    ),
  },
  {
    check: 'halted',
    trips: halting(
      {},
      {
        kind: 'operator',
        time: NOW - 1,
        command: { kind: 'halt', action: 'block', text: 'lunch' },
      },
    ),
    passes: halting(
      {},
      {
        kind: 'operator',
        time: NOW - 2,
        command: { kind: 'halt', action: 'block', text: 'lunch' },
      },
      { kind: 'operator', time: NOW - 1, command: { kind: 'resume' } },
    ),
  },
  {
    check: 'reduce-only',
    trips: halting({}, { kind: 'operator', time: NOW - 1, command: { kind: 'reduce-only' } }),
    passes: halting(
      {},
      { kind: 'operator', time: NOW - 2, command: { kind: 'reduce-only' } },
      { kind: 'operator', time: NOW - 1, command: { kind: 'resume' } },
    ),
  },
  {
    check: 'degraded',
    trips: halting(
      {},
      { kind: 'health', time: NOW - 2, isDegraded: true, text: 'spot:BTCUSDT 1min is stale' },
      { kind: 'operator', time: NOW - 1, command: { kind: 'resume' } },
    ),
    passes: halting(
      {},
      { kind: 'health', time: NOW - 2, isDegraded: true, text: 'spot:BTCUSDT 1min is stale' },
      { kind: 'health', time: NOW - 1, isDegraded: false, text: 'it came' },
    ),
  },
];

/** The same limits in USDT as in the table above, for an entry whose quote is BTC. */
const IN_ANOTHER_QUOTE: readonly Protection[] = [
  {
    check: 'max-order-notional',
    trips: { ...inBtc, config: { maxOrderNotional: fixed('999') } },
    wouldPass: '0.01998',
    passes: { ...inBtc, config: { maxOrderNotional: fixed('1000') } },
  },
  {
    check: 'max-position-notional',
    trips: {
      ...inBtc,
      config: { maxPositionNotional: fixed('5000') },
      view: aView({ exposures: [anExposure('4500', { instrument: ETHBTC })] }),
    },
    wouldPass: '0.01',
    passes: {
      ...inBtc,
      config: { maxPositionNotional: fixed('5000') },
      view: aView({ exposures: [anExposure('4000', { instrument: ETHBTC })] }),
    },
  },
  {
    check: 'max-total-notional',
    trips: {
      ...inBtc,
      config: { maxTotalNotional: fixed('4999') },
      view: aView({ exposures: [anExposure('4000')] }),
    },
    wouldPass: '0.01998',
    passes: {
      ...inBtc,
      config: { maxTotalNotional: fixed('5000') },
      view: aView({ exposures: [anExposure('4000')] }),
    },
  },
  {
    check: 'max-net-exposure',
    trips: {
      ...inBtc,
      config: { maxNetExposure: fixed('999') },
      view: aView({
        exposures: [anExposure('2000'), anExposure('2000', { direction: 'short' })],
      }),
    },
    wouldPass: '0.01998',
    passes: { ...inBtc, config: { maxNetExposure: fixed('1000') } },
  },
  {
    check: 'max-asset-exposure',
    trips: {
      ...inBtc,
      config: { maxAssetExposure: new Map([['ETH', fixed('2999')]]) },
      view: aView({ exposures: [anExposure('2000', { instrument: ETH })] }),
    },
    wouldPass: '0.01998',
    passes: {
      ...inBtc,
      config: { maxAssetExposure: new Map([['ETH', fixed('3000')]]) },
      view: aView({ exposures: [anExposure('2000', { instrument: ETH }), anExposure('9000')] }),
    },
  },
  {
    check: 'max-leverage',
    trips: { ...inBtc, config: { maxLeverage: fixed('0.0999') } },
    wouldPass: '0.01998',
    passes: { ...inBtc, config: { maxLeverage: fixed('0.1') } },
  },
  {
    check: 'max-total-notional',
    // The worth of the entry is unknown. In the next case the worth of the position is unknown.
    trips: {
      ...inBtc,
      account: { ...inBtc.account, worth: { BTC: '0' } },
      config: { maxTotalNotional: fixed('1000000') },
    },
    passes: {
      config: { maxTotalNotional: fixed('1000000') },
      account: { worth: { BTC: '0' } },
    },
  },
  {
    check: 'max-net-exposure',
    trips: {
      config: { maxNetExposure: fixed('1000000') },
      view: aView({ exposures: [{ ...anExposure('1'), notional: undefined }] }),
    },
    passes: {
      config: { maxPositionNotional: fixed('1000000') },
      view: aView({
        exposures: [{ ...anExposure('1', { instrument: ETH }), notional: undefined }],
      }),
    },
  },
];

/** An order of at least 5 USDT, also where the quote is BTC. */
const rulesOf = ({ quote }: Instrument): ReturnType<typeof someRules> =>
  someRules(quote === 'BTC' ? { minOrderMoney: '0.0001', pricePrecision: 6 } : {});

function judge({ config, events = [], account, proposal, ...rest }: Situation) {
  const view = rest.view ?? aView({ state: replay(events, config).state });
  const asked = aProposal({ size: { notional: '1000' }, ...proposal });
  const rules = asked.instrument.kind === 'futures' ? contractRules() : rulesOf(asked.instrument);
  const policy = { ...aPolicy(), guards: createGuards(config, view) };
  return assess(asked, rules, anAccount(account), policy);
}

describe.each(
  [...PROTECTIONS, ...IN_ANOTHER_QUOTE].map((one, index) => ({
    ...one,
    title: `${one.check} (${String(index)})`,
  })),
)('guard $title', ({ check, trips, passes, wouldPass }) => {
  it('refuses an entry beyond its limit', () => {
    const refusal = refusalOf(judge(trips));

    expect(refusal.check).toBe(check);
    expect(refusal.wouldPass).toBe(wouldPass);
  });

  it('approves the nearest entry within its limit', () => {
    expect(judge(passes).kind).toBe('approved');
  });

  it('never refuses an exit', () => {
    const exit = { side: 'sell', action: 'close', size: { all: true } } as const;
    const { limitPrice } = trips.proposal ?? {};
    const proposal = { ...trips.proposal, ...exit, ...(limitPrice && { limitPrice }) };

    const decision = judge({ ...trips, proposal, account: { ...trips.account, long: '100' } });

    expect(decision.kind).toBe('approved');
  });
});

describe('guards', () => {
  it('suggest a size in the unit of the order', () => {
    const situation: Situation = {
      config: { maxPositionNotional: fixed('1000') },
      proposal: { size: { quantity: '20' }, limitPrice: '99' },
    };

    // 1,000 / 99 = 10.10101…
    expect(refusalOf(judge(situation))).toMatchObject({
      limit: '1000',
      actual: '1980',
      unit: 'USDT',
      wouldPass: '10.10101',
      wouldPassUnit: 'BTC',
      text: '0 in use and 1980 more exceed max-position-notional of 1000; 10.10101 BTC would pass',
    });
  });

  it('state the age of a price', () => {
    const ages = [NOW - 6_000, undefined].map((priceTime) =>
      refusalOf(judge({ config: { maxPriceAgeMs: 5_000 }, view: aView({ priceTime }) })),
    );

    expect(ages.map(({ actual, text }) => [actual, text])).toEqual([
      [
        '6000',
        'the last price of spot:BTCUSDT is too old to trade on: 6000 ms, allowed are 5000 ms',
      ],
      [
        'no price yet',
        'the last price of spot:BTCUSDT is too old to trade on: no price yet, allowed are 5000 ms',
      ],
    ]);
  });

  it.each<[string, Situation]>([
    [
      '102.01 USDT is 0.0201 away from last of 100 USDT, allowed are 0.02',
      {
        config: { priceBand: { last: fixed('0.02') } },
        proposal: { limitPrice: '102.01', size: { quantity: '10' } },
      },
    ],
    [
      '100 USDT is 0.25 away from mark of 80 USDT, allowed are 0.02',
      { config: { priceBand: { mark: fixed('0.02') } }, account: { mark: '80' } },
    ],
    [
      'there are 2 open orders, and one more would exceed max-total-open-orders of 2',
      { config: { maxTotalOpenOrders: 2 }, view: aView({ openOrders: 2 }) },
    ],
    [
      '12 BTC of spot:BTCUSDT would exceed max-position-quantity of 11 BTC',
      {
        config: { maxPositionQuantity: new Map([[SPOT.id, fixed('11')]]) },
        view: aView({ exposures: [anExposure('200', { quantity: '2' })] }),
      },
    ],
    [
      'at 2025-06-15T08:59:00Z: entries are allowed Sun 09:00-16:00',
      { config: { tradingHours: HOURS }, account: { now: at(8, 59) } },
    ],
    [
      'the operator lets positions only be reduced until resumed',
      halting({}, { kind: 'operator', time: NOW - 1, command: { kind: 'reduce-only' } }),
    ],
    [
      'entries wait since 2025-06-15T15:06:39.998Z until this is resolved: order test-1-0-0 is unknown',
      halting(
        {},
        { kind: 'health', time: NOW - 2, isDegraded: true, text: 'spot:BTCUSDT 1min is stale' },
        { kind: 'health', time: NOW - 1, isDegraded: true, text: 'order test-1-0-0 is unknown' },
      ),
    ],
  ])('refuse with the text: %s', (text, situation) => {
    expect(refusalOf(judge(situation)).text).toBe(text);
  });

  it('ignore a mark of 0 or below', () => {
    const config = { priceBand: { mark: fixed('0.02') } };

    const kinds = ['0', '-1'].map((mark) => judge({ config, account: { mark } }).kind);

    expect(kinds).toEqual(['approved', 'approved']);
  });

  it('state how long an entry has to wait', () => {
    const refusal = refusalOf(judge(halting({ minEntryIntervalMs: 60_000 }, sentAt(NOW - 1_000))));

    expect(refusal).toMatchObject({
      limit: '60000',
      actual: '1000',
      text: '1000 ms after the last entry of spot:BTCUSDT, entries wait until 2025-06-15T15:07:39Z',
    });
  });

  it('count the new order together with the open orders', () => {
    const refusal = refusalOf(judge({ config: { maxOpenOrders: 2 }, account: { working: 2 } }));

    expect(refusal).toMatchObject({ limit: '2', actual: '3' });
  });

  it('allow entries within any of several trading hours', () => {
    const tradingHours = [{ days: [1], from: 0, to: 60 }, ...HOURS];

    expect(judge({ config: { tradingHours } }).kind).toBe('approved');
  });

  it('treat hours with the same begin and end as a whole day', () => {
    const tradingHours = [{ days: [0], from: 12 * 60, to: 12 * 60 }];
    const times = [at(11, 59), at(12), at(35, 59), at(36)];

    const kinds = times.map((now) => judge({ config: { tradingHours }, account: { now } }).kind);

    expect(kinds).toEqual(['refused', 'approved', 'approved', 'refused']);
  });

  it('end a halt exactly at its end, also before the next event', () => {
    const config: ProtectionConfig = { maxDailyLoss: fixed('200') };
    const events = [equityAt(at(1), '10000'), equityAt(at(2), '9750')];

    const kinds = [at(24) - 1, at(24)].map(
      (now) => judge({ config, events, account: { now } }).kind,
    );

    expect(kinds).toEqual(['refused', 'approved']);
  });

  it('state the currency of their limits', () => {
    const refusal = refusalOf(judge({ ...inBtc, config: { maxOrderNotional: fixed('999') } }));

    expect(refusal).toMatchObject({
      limit: '999',
      actual: '1000',
      unit: 'USDT',
      wouldPassUnit: 'BTC',
    });
  });

  it('report a missing price', () => {
    const account = { ...inBtc.account, worth: { BTC: '0' } };

    const refusal = refusalOf(
      judge({ ...inBtc, account, config: { maxOrderNotional: fixed('999') } }),
    );

    expect(refusal).toMatchObject({
      actual: 'not known',
      unit: 'USDT',
      text: 'max-order-notional of 999 USDT cannot be measured: a price in USDT is missing',
    });
  });

  it('measure an inverse contract by its face value', () => {
    const situation: Situation = {
      config: { maxOrderNotional: fixed('1000') },
      account: { free: { BTC: '100' } },
      proposal: { instrument: INVERSE, size: { quantity: '101' } },
    };

    expect(refusalOf(judge(situation))).toMatchObject({ actual: '1010', wouldPass: '100' });
  });

  it('state the reason, the begin and the end of a halt', () => {
    const config: ProtectionConfig = { maxDailyLoss: fixed('200') };
    const { state } = replay([equityAt(at(1), '10000'), equityAt(at(2), '9750')], config);

    const refusal = refusalOf(judge({ config, view: aView({ state }) }));

    expect(refusal.text).toBe(
      'entries are halted since 2025-06-15T02:00:00Z until 2025-06-16T00:00:00Z (daily-loss): lost 250 since the day began with 10000, allowed are 200',
    );
  });

  it('exist only for configured limits, besides three fixed ones, in one order', () => {
    const none = createGuards({}, aView());
    const some = createGuards(
      { maxMarginUse: fixed('1'), maxOpenOrders: 3, tradingHours: HOURS, maxDailyLoss: fixed('5') },
      aView(),
    );

    expect(none.map(({ name, limit }) => `${name}: ${limit}`)).toEqual([
      "halted: the operator's command",
      "reduce-only: the operator's command",
      'degraded: all data fresh, all orders known',
    ]);
    expect(some.map(({ name, limit }) => `${name}: ${limit}`)).toEqual([
      'halted: maxDailyLoss 5',
      "reduce-only: the operator's command",
      'degraded: all data fresh, all orders known',
      'trading-hours: Sun 09:00-16:00',
      'max-open-orders: 3 open orders of the instrument',
      'max-margin-use: 1 × equity',
    ]);
  });

  it.each<[string, ProtectionConfig]>([
    ['maxPositionNotional to be a limit > 0, received 0', { maxPositionNotional: 0n }],
    ['maxLeverage to be a limit > 0, received -1', { maxLeverage: fixed('-1') }],
    ['maxOpenOrders to be a whole number >= 1, received 0', { maxOpenOrders: 0 }],
    ['haltMs to be a whole number >= 1, received 1.5', { haltMs: 1.5 }],
    ['drawdownWindowMs to be a whole number >= 1, received NaN', { drawdownWindowMs: Number.NaN }],
    ['resetHour to be a whole number from 0 to 23, received 24', { resetHour: 24 }],
    ['priceBand.mark to be a limit > 0, received 0', { priceBand: { mark: 0n } }],
    [
      'fundingBlock.beforeMs to be a whole number >= 0, received -1',
      { fundingBlock: { beforeMs: -1, afterMs: 0 } },
    ],
    [
      'maxAssetExposure.BTC to be a limit > 0, received 0',
      { maxAssetExposure: new Map([['BTC', 0n]]) },
    ],
    [
      'tradingHours.0.days to be at least one day, received none',
      { tradingHours: [{ days: [], from: 0, to: 60 }] },
    ],
    [
      'tradingHours.1.to to be a whole number from 0 to 1440, received 1441',
      { tradingHours: [...HOURS, { days: [1], from: 0, to: 1_441 }] },
    ],
  ])('are not created from a wrong configuration: expected %s', (message, config) => {
    expect(() => createGuards(config, aView())).toThrow(`expected ${message}`);
  });
});
