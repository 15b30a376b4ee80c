import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  parseFixed,
  present,
  type ClientOrderId,
  type FillRecord,
  type FuturesInstrument,
  type MarginMode,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import { Portfolio } from '../../../src/engine/index.js';
import {
  ForcedTrades,
  type ForcedFillUpdate,
  type ForcedTerms,
  type ForcedVerdict,
  type NotedFill,
} from '../../../src/live/margin/forced-trades.js';
import { groupByOrder } from '../../../src/live/account/external-closes.js';
import type {
  AccountUpdate,
  FuturesAccountSnapshot,
  VenueOrder,
  VenuePosition,
  VenueTrade,
} from '../../../src/venue/index.js';
import { aContract, aTier } from '../../support/futures-contracts.js';
import { futuresAccount } from '../../support/live/beliefs.js';

const STEP = parseFixed('1');
/** Positions must keep 0.75 % of their value. The ordinary taker fee is 0.06 %. */
const TERMS: ForcedTerms = {
  tiers: [aTier(undefined, '0.005')],
  maxFeeRate: parseFixed('0.0025'),
  takerRate: parseFixed('0.0006'),
};

/** Takers pay as much as a forced close. */
const SAME_FEE: ForcedTerms = { ...TERMS, takerRate: TERMS.maxFeeRate };

interface Close {
  readonly order: string;
  readonly side?: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  readonly fee?: string;
  readonly trade?: string;
}

/** A bot that is long 10 contracts of 1 BTC from 100, with 1,000 USDT and 10x. If isolated, 100 USDT are set aside. */
function aCase({
  marginMode = 'isolated',
  isTold = true,
  short,
  shown = [],
  available = '900',
  order = {},
  terms = TERMS,
}: {
  readonly marginMode?: MarginMode;
  readonly isTold?: boolean;
  readonly short?: string;
  readonly shown?: readonly Partial<VenuePosition>[];
  readonly available?: string;
  readonly order?: Partial<VenueOrder>;
  readonly terms?: ForcedTerms;
} = {}) {
  const { instrument } = aContract({ multiplier: '1', marginMode });
  const portfolio = new Portfolio({
    instruments: [{ instrument, pricePrecision: 2 }],
    balances: { futures: new Map([['USDT', parseFixed('1000')]]) },
    equityCurrency: 'USDT',
  });
  if (isTold) portfolio.applyFill(anOpening(instrument, 'buy', '10'), STEP);
  if (short !== undefined) portfolio.applyFill(anOpening(instrument, 'sell', short), STEP);
  const readAccount = (): FuturesAccountSnapshot =>
    futuresAccount(
      shown.map((position) => ({ instrumentId: instrument.id, ...position })),
      { available: parseFixed(available) },
    );
  const forced = new ForcedTrades({
    source: {
      account: () => Promise.resolve(readAccount()),
      order: ({ venueOrderId }) => Promise.resolve(aClosed(instrument, venueOrderId, order)),
    },
    portfolio,
    termsAt: () => terms,
    now: () => 5_000,
    signal: new AbortController().signal,
  });
  return {
    instrument,
    forced,
    portfolio,
    judge: async (
      closes: readonly Close[],
      pending: readonly FillRecord[] = [],
    ): Promise<ForcedVerdict> => {
      const trades = closes.map((close, index) => aTrade(instrument, close, index));
      const verdict = await forced.judge(instrument.id, trades, pending);
      if (verdict.kind !== 'forced') return verdict;
      return { ...verdict, fills: verdict.fills.map((fill) => forced.withInsurance(fill)) };
    },
  };
}

/** A bot that is long 10 contracts of 1 BTC and short 10 of 1 ETH from 100, with 1,000 USDT. The venue shows neither position any more. */
function twoContracts({ available = '0' } = {}) {
  const contracts = { multiplier: '1', marginMode: 'cross' } as const;
  const btc = aContract(contracts).instrument;
  const eth = aContract({ ...contracts, symbol: 'E-ETH-USDT' }).instrument;
  const portfolio = new Portfolio({
    instruments: [btc, eth].map((instrument) => ({ instrument, pricePrecision: 2 })),
    balances: { futures: new Map([['USDT', parseFixed('1000')]]) },
    equityCurrency: 'USDT',
  });
  portfolio.applyFill(anOpening(btc, 'buy', '10'), STEP);
  portfolio.applyFill(anOpening(eth, 'sell', '10'), STEP);
  const forced = new ForcedTrades({
    source: {
      account: () => Promise.resolve(futuresAccount([], { available: parseFixed(available) })),
      order: ({ instrumentId, venueOrderId }) =>
        Promise.resolve(aClosed(instrumentId === eth.id ? eth : btc, venueOrderId, {})),
    },
    portfolio,
    termsAt: () => TERMS,
    now: () => 5_000,
    signal: new AbortController().signal,
  });
  const judge = async (
    of: FuturesInstrument,
    close: Close,
  ): Promise<ForcedFillUpdate | undefined> => {
    const verdict = await forced.judge(of.id, [aTrade(of, close, 0)], []);
    return verdict.kind === 'forced' ? verdict.fills[0] : undefined;
  };
  return { btc, eth, forced, portfolio, judge };
}

function anOpening({ id }: FuturesInstrument, side: 'buy' | 'sell', quantity: string): FillRecord {
  return {
    clientOrderId: 'a' as ClientOrderId,
    instrumentId: id,
    side,
    action: 'open',
    price: parseFixed('100'),
    quantity: parseFixed(quantity),
    fee: 0n,
    feeAsset: 'USDT',
    liquidity: 'taker',
    eventTime: 0,
  };
}

function fundingOf({ id }: FuturesInstrument, amount: string): AccountUpdate {
  return {
    kind: 'funding',
    instrumentId: id,
    direction: 'long',
    asset: 'USDT',
    amount: parseFixed(amount),
    rate: 0n,
    markPrice: parseFixed('80'),
    eventTime: 0,
  };
}

function aClosed(
  { id }: FuturesInstrument,
  venueOrderId: VenueOrderId,
  overrides: Partial<VenueOrder>,
): VenueOrder {
  return {
    instrumentId: id,
    venueOrderId,
    clientOrderId: undefined,
    side: 'sell',
    action: 'close',
    type: 'market',
    timeInForce: undefined,
    status: 'filled',
    limitPrice: undefined,
    quantity: 0n,
    filledQuantity: 0n,
    averagePrice: undefined,
    filledNotional: undefined,
    createdTime: undefined,
    marginMode: undefined,
    leverage: undefined,
    ...overrides,
  };
}

function aTrade({ id }: FuturesInstrument, close: Close, index: number): VenueTrade {
  const { order, side = 'sell', price, quantity, fee = '0.5', trade } = close;
  const venueOrderId = order as VenueOrderId;
  return {
    instrumentId: id,
    venueTradeId: trade ?? String(900 + index),
    venueOrderId,
    buyOrderId: venueOrderId,
    sellOrderId: venueOrderId,
    side,
    liquidity: 'taker',
    price: parseFixed(price),
    quantity: parseFixed(quantity),
    notional: undefined,
    fee: parseFixed(fee),
    feeAsset: undefined,
    time: 5_000 + index,
    buyUserId: undefined,
    sellUserId: undefined,
  };
}

function fillsOf(verdict: ForcedVerdict): readonly string[] {
  if (verdict.kind !== 'forced') return [verdict.kind];
  return verdict.fills.map(
    ({ cause, fill, insurance }) =>
      `${fill.clientOrderId} ${cause} ${fill.side} ${formatFixed(fill.quantity)} insurance ${formatFixed(insurance)}`,
  );
}

describe('ForcedTrades', () => {
  it('recognizes a liquidation by a margin that is used up', async () => {
    const verdict = await aCase().judge([{ order: '77', price: '91', quantity: '10' }]);

    expect(verdict).toMatchObject({
      kind: 'forced',
      fills: [
        {
          cause: 'liquidation',
          insurance: 0n,
          eventTime: 5_000,
          fill: { action: 'close', feeAsset: 'USDT', venueTradeId: '900', eventTime: 5_000 },
        },
      ],
    });
  });

  it('recognizes a liquidation by the fee of a forced close, for any margin', async () => {
    // 0.25 % of 10 × 99
    const closes = [{ order: '77', price: '99', quantity: '10', fee: '2.475' }];

    expect(fillsOf(await aCase().judge(closes))).toEqual([
      'liquidation-900 liquidation sell 10 insurance 0',
    ]);
  });

  const low = { level: parseFixed('91'), state: 'waiting' } as const;

  it.each<readonly [string, ForcedTerms, string, string, boolean, string]>([
    ['the fee of a forced close', TERMS, '99', '2.475', true, '10'],
    ['the fee of a taker', TERMS, '91', '0.546', false, '10'],
    ['one fee for all, its margin used up', SAME_FEE, '91', '2.275', true, '10'],
    ['one fee for all, most of its margin left', SAME_FEE, '99', '2.475', false, '10'],
    ['one fee for all, a part of the side', SAME_FEE, '91', '1.1375', false, '5'],
  ])(
    'says whether the venue made a close that a trigger may have made: %s',
    (_, terms, price, fee, expected, quantity) => {
      const { instrument, forced } = aCase({ terms });
      const trade = aTrade(instrument, { order: '77', price, quantity, fee }, 0);
      const [close] = groupByOrder([trade]);

      expect(close && forced.wasForced(instrument.id, close, { stop: low, pending: [] })).toBe(
        expected,
      );
    },
  );

  it.each([
    ['fires before the margin is used up', '99', 'waiting', false],
    ['fires where the margin is used up', '91', 'waiting', true],
    ['was canceled', '99', 'canceled', true],
  ] as const)(
    'with one fee for all, compares the margin at the level of a trigger that %s',
    (_, level, state, expected) => {
      const { instrument, forced } = aCase({ terms: SAME_FEE });
      // Filled far beyond the level, because so little is traded.
      const trade = aTrade(
        instrument,
        { order: '77', price: '90', quantity: '10', fee: '2.25' },
        0,
      );
      const [close] = groupByOrder([trade]);
      const stop = { level: parseFixed(level), state };

      expect(close && forced.wasForced(instrument.id, close, { stop, pending: [] })).toBe(expected);
    },
  );

  it('goes by the margin where own orders have paid the fee of a forced close as takers, whatever the config says', async () => {
    const { instrument, forced, judge } = aCase();
    // 0.25 % of 10 × 100, although the config says 0.06 %.
    const opening = { ...anOpening(instrument, 'buy', '10'), fee: parseFixed('2.5') };
    forced.noteTold({ kind: 'fill', fill: opening });
    const close = { order: '77', price: '99', quantity: '10', fee: '2.475' };
    const [ofOrder] = groupByOrder([aTrade(instrument, close, 0)]);
    const given = { stop: { ...low, level: parseFixed('99') }, pending: [] };

    expect(ofOrder && forced.wasForced(instrument.id, ofOrder, given)).toBe(false);
    expect(fillsOf(await judge([close]))).toEqual(['external']);
    expect(fillsOf(await judge([{ ...close, price: '91', fee: '2.275' }]))).toEqual([
      'liquidation-900 liquidation sell 10 insurance 0',
    ]);
  });

  it('the venue pays the loss beyond an isolated margin', async () => {
    // Margin 100, loss 110, fee 0.5: 10.5 beyond the margin.
    const closes = [{ order: '77', price: '89', quantity: '10' }];

    expect(fillsOf(await aCase().judge(closes))).toEqual([
      'liquidation-900 liquidation sell 10 insurance 10.5',
    ]);
  });

  it('the venue pays a loss on cross margin only if nothing is left of the account', async () => {
    const closes = [{ order: '77', price: '0.01', quantity: '10' }];
    const lost = aCase({ marginMode: 'cross', available: '0' });
    const covered = aCase({ marginMode: 'cross', available: '5000' });

    // Loss 999.9, fee 0.5: 0.4 beyond 1,000.
    expect(fillsOf(await lost.judge(closes))).toEqual([
      'liquidation-900 liquidation sell 10 insurance 0.4',
    ]);
    expect(fillsOf(await covered.judge(closes))).toEqual([
      'liquidation-900 liquidation sell 10 insurance 0',
    ]);
  });

  it('books a reduction in several orders, and an order in several executions, each once', async () => {
    const { judge } = aCase({ shown: [{ quantity: parseFixed('2') }] });

    expect(
      fillsOf(
        await judge([
          { order: '77', price: '91', quantity: '3' },
          { order: '77', price: '90.9', quantity: '3' },
          { order: '78', price: '90.8', quantity: '2', fee: '0.454' },
        ]),
      ),
    ).toEqual([
      'liquidation-900 liquidation sell 3 insurance 0',
      'liquidation-901 liquidation sell 3 insurance 0',
      'liquidation-902 liquidation sell 2 insurance 0',
    ]);
  });

  it('recognizes the netting of own long and own short, and the liquidation after it', async () => {
    const { judge } = aCase({ short: '4' });

    expect(
      fillsOf(
        await judge([
          { order: '77', price: '91', quantity: '4', fee: '0' },
          { order: '78', side: 'buy', price: '91', quantity: '4', fee: '0' },
          { order: '79', price: '91', quantity: '6' },
        ]),
      ),
    ).toEqual([
      'netting-900 netting sell 4 insurance 0',
      'netting-901 netting buy 4 insurance 0',
      'liquidation-902 liquidation sell 6 insurance 0',
    ]);
  });

  it('counts own fills that the engine has not received yet', async () => {
    const { instrument, judge } = aCase({ shown: [{ quantity: parseFixed('2') }] });
    const pending = [anOpening(instrument, 'buy', '2')];

    expect(await judge([{ order: '77', price: '91', quantity: '10' }], pending)).toMatchObject({
      kind: 'forced',
    });
  });

  it('recognizes the liquidation of a position that the engine has not received yet', async () => {
    const { instrument, forced, judge } = aCase({ isTold: false });
    const pending = [anOpening(instrument, 'buy', '10')];

    expect(forced.mayConcern(instrument.id, pending)).toBe(true);
    expect(forced.mayConcern(instrument.id, [])).toBe(false);
    const verdict = await judge([{ order: '77', price: '80', quantity: '10' }], pending);
    // A margin of 100 less a loss of 200 and a fee of 0.5.
    expect(fillsOf(verdict)).toEqual(['liquidation-900 liquidation sell 10 insurance 100.5']);
  });

  it('recognizes a liquidated position although the bot has entered again since', async () => {
    const { instrument, forced, portfolio, judge } = aCase({
      shown: [{ quantity: parseFixed('3') }],
    });
    const since = { ...anOpening(instrument, 'buy', '3'), venueTradeId: '950' };
    forced.noteTold({ kind: 'fill', fill: since });
    portfolio.applyFill(since, STEP);

    // A margin of 100, less a loss of 200 and a fee of 0.5. The 30 that came later belong to another position.
    const verdict = await judge([{ order: '77', price: '80', quantity: '10', trade: '900' }]);
    expect(fillsOf(verdict)).toEqual(['liquidation-900 liquidation sell 10 insurance 100.5']);
  });

  it('recognizes a liquidation after a loss of the other side that the engine has already received', async () => {
    const { instrument, forced, portfolio, judge } = aCase({
      marginMode: 'cross',
      short: '10',
      available: '5',
    });
    // The short side loses 995 of 1,000. The rest is too little for the long side, although its price has not moved.
    const close = {
      ...anOpening(instrument, 'buy', '10'),
      action: 'close' as const,
      price: parseFixed('199.5'),
      venueTradeId: '899',
    };
    forced.noteTold({ kind: 'fill', fill: close });
    portfolio.applyFill(close, STEP);

    const verdict = await judge([{ order: '77', price: '100', quantity: '10' }]);
    expect(fillsOf(verdict)).toEqual(['liquidation-900 liquidation sell 10 insurance 0']);
  });

  it('the venue pays a loss of a later entry, although the portfolio mixes it with the closed one', async () => {
    const shown: Partial<VenuePosition>[] = [{ quantity: parseFixed('10') }];
    const { instrument, forced, portfolio, judge } = aCase({ shown });
    const tell = (told: NotedFill, insurance = 0n): void => {
      forced.noteTold(told);
      const forcedFill = { cause: 'liquidation', insurance, eventTime: 0 } as const;
      if (told.kind === 'fill') portfolio.applyFill(told.fill, STEP);
      else portfolio.applyAccountUpdate({ ...told, kind: 'forced-fill', ...forcedFill }, STEP);
    };
    const again = { ...anOpening(instrument, 'buy', '10'), price: parseFixed('80') };
    tell({ kind: 'fill', fill: { ...again, venueTradeId: '901' } });
    const first = await judge([{ order: '77', price: '85', quantity: '10', trade: '900' }]);
    expect(fillsOf(first)).toEqual(['liquidation-900 liquidation sell 10 insurance 50.5']);
    if (first.kind === 'forced') for (const each of first.fills) tell(each, each.insurance);
    forced.settle(instrument.id);

    portfolio.applyAccountUpdate(fundingOf(instrument, '-1'), STEP);
    const half = { ...again, side: 'sell', action: 'close', quantity: parseFixed('5') } as const;
    tell({ kind: 'fill', fill: { ...half, venueTradeId: '902' } });
    forced.settle(instrument.id);
    shown.length = 0;

    // 5 of 10 contracts from 80: 40 of the margin of 80 are left, less funding of 1. They lose 50 and pay 0.5.
    const second = await judge([{ order: '78', price: '70', quantity: '5', trade: '903' }]);
    expect(fillsOf(second)).toEqual(['liquidation-903 liquidation sell 5 insurance 11.5']);
  });

  it('counts the profit of the other side of a cross contract', async () => {
    const shown = { direction: 'short', marginMode: 'cross', quantity: parseFixed('4') } as const;
    const { judge } = aCase({ marginMode: 'cross', short: '4', shown: [shown] });

    // The long loses 900 of 1,000, and the short earns 360.
    expect(fillsOf(await judge([{ order: '77', price: '10', quantity: '10' }]))).toEqual([
      'external',
    ]);
  });

  describe('two contracts of one cross account', () => {
    it('the venue pays the losses of both with the last position', async () => {
      const { btc, eth, forced, portfolio, judge } = twoContracts();
      // The short loses 500 and the long 600, and each pays 0.5: 101 beyond 1,000. Both are judged before the portfolio gets either fill.
      const first = await judge(eth, { order: '77', side: 'buy', price: '150', quantity: '10' });
      const second = await judge(btc, { order: '78', price: '40', quantity: '10', trade: '901' });

      const paid = [first, second].map((fill) => {
        const told = forced.withInsurance(present(fill, 'a close'));
        portfolio.applyFill(told.fill, STEP);
        return formatFixed(told.insurance);
      });
      expect(paid).toEqual(['0', '101']);
    });

    it('recognizes a liquidation after a loss on the other contract, also after an own entry', async () => {
      const { btc, eth, forced, portfolio, judge } = twoContracts({ available: '5' });
      const more = { ...anOpening(eth, 'sell', '1'), venueTradeId: '890' };
      forced.noteTold({ kind: 'fill', fill: more });
      portfolio.applyFill(more, STEP);
      const loss = { ...anOpening(btc, 'sell', '10'), action: 'close', price: parseFixed('0.5') };
      portfolio.applyFill(loss as FillRecord, STEP);

      expect(
        await judge(eth, { order: '77', side: 'buy', price: '100', quantity: '11' }),
      ).toMatchObject({ cause: 'liquidation' });
    });
  });

  it('allows mark and last to differ by a thousandth if the liquidation is near the entry', async () => {
    // The position may lose 3: a margin of 100, of which it must keep 97. A fifth of 3 is less than a thousandth of 1,000.
    const terms = { ...TERMS, tiers: [aTier(undefined, '0.0945')] };
    const closedAt = (price: string): Promise<readonly string[]> =>
      aCase({ terms })
        .judge([{ order: '77', price, quantity: '10' }])
        .then(fillsOf);

    expect(await closedAt('99.75')).toEqual(['liquidation-900 liquidation sell 10 insurance 0']);
    expect(await closedAt('99.85')).toEqual(['external']);
  });

  it.each<readonly [string, Parameters<typeof aCase>[0], Partial<Close>]>([
    ['whose margin was not used up', {}, { price: '95' }],
    ['of more than was held', {}, { quantity: '11' }],
    ['of a side that is not held', {}, { side: 'buy' }],
    ['by a LIMIT order', { order: { type: 'limit' } }, {}],
    ['by an order that opens', { order: { action: 'open' } }, {}],
  ])('judges a close %s as foreign', async (_, about, close) => {
    const { judge } = aCase(about);

    expect(await judge([{ order: '77', price: '91', quantity: '10', ...close }])).toEqual({
      kind: 'external',
    });
  });

  it.each<readonly [string, Parameters<typeof aCase>[0]]>([
    ['shows the position still', { shown: [{ quantity: parseFixed('10') }] }],
    ['shows an order that works', { order: { status: 'open' } }],
  ])('does not decide while the venue %s', async (_, about) => {
    const { judge } = aCase(about);

    expect(await judge([{ order: '77', price: '91', quantity: '10' }])).toEqual({
      kind: 'undecided',
    });
  });
});
