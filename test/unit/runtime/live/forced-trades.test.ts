import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  parseFixed,
  type ClientOrderId,
  type FillRecord,
  type FuturesInstrument,
  type MarginMode,
  type VenueOrderId,
} from '../../../../src/domain/index.js';
import { Portfolio } from '../../../../src/runtime/index.js';
import {
  ForcedTrades,
  type ForcedTerms,
  type ForcedVerdict,
} from '../../../../src/runtime/live/forced-trades.js';
import type { VenueOrder, VenuePosition, VenueTrade } from '../../../../src/venue/index.js';
import { aContract, aTier } from '../../../support/futures-contracts.js';
import { futuresAccount } from '../../../support/runtime/beliefs.js';

const STEP = parseFixed('1');
/** Positions keep 0.75 % of their value; an ordinary taker pays 0.06 %. */
const TERMS: ForcedTerms = {
  tiers: [aTier(undefined, '0.005')],
  maxFeeRate: parseFixed('0.0025'),
  takerRate: parseFixed('0.0006'),
};

interface Close {
  readonly order: string;
  readonly side?: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  readonly fee?: string;
  readonly trade?: string;
}

/** A bot that is long 10 contracts of 1 BTC from 100 with 1,000 USDT: 10x, so 100 USDT are set aside where they are isolated. */
function aCase({
  marginMode = 'isolated',
  isTold = true,
  short,
  shown = [],
  available = '900',
  order = {},
}: {
  readonly marginMode?: MarginMode;
  readonly isTold?: boolean;
  readonly short?: string;
  readonly shown?: readonly Partial<VenuePosition>[];
  readonly available?: string;
  readonly order?: Partial<VenueOrder>;
} = {}) {
  const { instrument } = aContract({ multiplier: '1', marginMode });
  const portfolio = new Portfolio({
    instruments: [{ instrument, pricePrecision: 2 }],
    balances: { futures: new Map([['USDT', parseFixed('1000')]]) },
    equityCurrency: 'USDT',
  });
  if (isTold) portfolio.applyFill(anOpening(instrument, 'buy', '10'), STEP);
  if (short !== undefined) portfolio.applyFill(anOpening(instrument, 'sell', short), STEP);
  const account = futuresAccount(
    shown.map((position) => ({ instrumentId: instrument.id, ...position })),
    { available: parseFixed(available) },
  );
  const forced = new ForcedTrades({
    source: {
      account: () => Promise.resolve(account),
      order: ({ venueOrderId }) => Promise.resolve(aClosed(instrument, venueOrderId, order)),
    },
    portfolio,
    termsAt: () => TERMS,
    signal: new AbortController().signal,
  });
  return {
    instrument,
    forced,
    judge: (closes: readonly Close[], pending: readonly FillRecord[] = []) =>
      forced.judge(
        instrument.id,
        closes.map((close, index) => aTrade(instrument, close, index)),
        pending,
      ),
  };
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
  it('knows a liquidation by a margin that was used up', async () => {
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

  it('knows it by the fee of a forced close, wherever the margin was', async () => {
    // 0.25 % of 10 × 99
    const closes = [{ order: '77', price: '99', quantity: '10', fee: '2.475' }];

    expect(fillsOf(await aCase().judge(closes))).toEqual([
      'liquidation-900 liquidation sell 10 insurance 0',
    ]);
  });

  it('has the venue pay what was lost beyond an isolated margin', async () => {
    // 100 set aside, 110 lost, a fee of 0.5: 10.5 beyond.
    const closes = [{ order: '77', price: '89', quantity: '10' }];

    expect(fillsOf(await aCase().judge(closes))).toEqual([
      'liquidation-900 liquidation sell 10 insurance 10.5',
    ]);
  });

  it('has it pay on cross only where nothing is left of the account', async () => {
    const closes = [{ order: '77', price: '0.01', quantity: '10' }];
    const lost = aCase({ marginMode: 'cross', available: '0' });
    const covered = aCase({ marginMode: 'cross', available: '5000' });

    // 999.9 lost, and 0.5: 0.4 beyond 1,000.
    expect(fillsOf(await lost.judge(closes))).toEqual([
      'liquidation-900 liquidation sell 10 insurance 0.4',
    ]);
    expect(fillsOf(await covered.judge(closes))).toEqual([
      'liquidation-900 liquidation sell 10 insurance 0',
    ]);
  });

  it('books a reduction in steps, and a step in several executions, each once', async () => {
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

  it('knows own long netted against own short, and the liquidation that follows', async () => {
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

  it('counts its own fills that the engine was not told of', async () => {
    const { instrument, judge } = aCase({ shown: [{ quantity: parseFixed('2') }] });
    const pending = [anOpening(instrument, 'buy', '2')];

    expect(await judge([{ order: '77', price: '91', quantity: '10' }], pending)).toMatchObject({
      kind: 'forced',
    });
  });

  it('knows a liquidation of what its engine was told nothing of', async () => {
    const { instrument, forced, judge } = aCase({ isTold: false });
    const pending = [anOpening(instrument, 'buy', '10')];

    expect(forced.mayConcern(instrument.id, pending)).toBe(true);
    expect(forced.mayConcern(instrument.id, [])).toBe(false);
    const verdict = await judge([{ order: '77', price: '80', quantity: '10' }], pending);
    // A margin of 100 less a loss of 200 and a fee of 0.5.
    expect(fillsOf(verdict)).toEqual(['liquidation-900 liquidation sell 10 insurance 100.5']);
  });

  it.each<readonly [string, Parameters<typeof aCase>[0], Partial<Close>]>([
    ['whose margin was not used up', {}, { price: '95' }],
    ['of more than was held', {}, { quantity: '11' }],
    ['of a side that is not held', {}, { side: 'buy' }],
    ['by a LIMIT order', { order: { type: 'limit' } }, {}],
    ['by an order that opens', { order: { action: 'open' } }, {}],
  ])('leaves a close %s to the strangers', async (_, about, close) => {
    const { judge } = aCase(about);

    expect(await judge([{ order: '77', price: '91', quantity: '10', ...close }])).toEqual({
      kind: 'foreign',
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
