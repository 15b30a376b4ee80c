import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  MINUTE_MS,
  type OrderRequest,
  type PositionAction,
  type Side,
} from '../../../src/domain/index.js';
import { arrivalTimes, venueCandles } from '../../support/arbitraries/venue-scripts.js';
import {
  aContract,
  aContractLimit,
  aContractMarket,
  aFuturesVenue,
  aTier,
  describeAny,
} from '../../support/futures-venue.js';
import { NaiveFutures } from '../../support/naive-futures.js';
import { isHighNearer } from '../../support/naive-venue.js';
import {
  feesOf,
  play,
  START,
  type ScriptStep,
  type VenueCandle,
} from '../../support/spot-venue.js';

const MINUTES = 5;
const UNTIL = MINUTES * MINUTE_MS;

const price = fc.integer({ min: 9_890, max: 9_930 }).map((ticks) => (ticks / 100).toFixed(2));
const side = fc.constantFrom<Side>('buy', 'sell');
const action = fc.constantFrom<PositionAction>('open', 'open', 'open', 'open', 'close');

interface Wish {
  readonly kind: 'limit' | 'market' | 'cancel';
  readonly side: Side;
  readonly action: PositionAction;
  readonly price: string;
  readonly contracts: number;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'POST_ONLY';
  readonly of: number;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom('limit', 'limit', 'limit', 'market', 'market', 'cancel'),
  side,
  action,
  price,
  contracts: fc.integer({ min: 1, max: 400 }),
  timeInForce: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'POST_ONLY'),
  of: fc.nat({ max: 12 }),
});

const scripts = fc
  .array(fc.tuple(arrivalTimes(4), wish), { minLength: 3, maxLength: 12 })
  .map((wishes) => [...wishes].sort(([a], [b]) => a - b));

/** Marks that lie a little beside the candles, and go their own ways. */
const marks = fc.array(
  fc.record({ shift: fc.integer({ min: -8, max: 8 }), widen: fc.nat({ max: 4 }) }),
  { minLength: 4, maxLength: 4 },
);

const terms = fc.record({
  isInverse: fc.boolean(),
  isCross: fc.boolean(),
  leverage: fc.constantFrom('3', '100', '333', '700', '1000'),
  fees: fc.constantFrom(
    feesOf('0', '0', 'quote'),
    feesOf('0.0002', '0.0006', 'quote'),
    feesOf('0.000333333333333333', '0.000777777777777777', 'quote'),
  ),
  maxFeeRate: fc.constantFrom('0', '0.0006', '0.000777777777777777'),
  halfSpread: fc.constantFrom('0', '0', '0.0003'),
  participation: fc.constantFrom(undefined, undefined, '0.1', '1'),
  fillOnTouch: fc.boolean(),
  tiers: fc.constantFrom(
    [{ max: undefined, keep: '0', leverage: '1000' }],
    [
      { max: '40', keep: '0.0004', leverage: '1000' },
      { max: '150', keep: '0.0005', leverage: '700' },
      { max: undefined, keep: '0.0008', leverage: '400' },
    ],
  ),
  balance: fc.constantFrom('0.5', '1', '10', '10', '500'),
  funding: fc.array(fc.constantFrom('0.0001', '-0.0003', '0.000123456789'), { maxLength: 3 }),
  marks: fc.option(marks, { nil: undefined }),
});

function stepOf(
  [at, one]: readonly [number, Wish],
  index: number,
  instrument: ReturnType<typeof aContract>,
): ScriptStep {
  const id = `o${String(index)}`;
  if (one.kind === 'cancel') return { at, cancel: `o${String(one.of % (index + 1))}` };
  const common = { id, instrument, side: one.side, action: one.action };
  const contracts = String(one.contracts);
  const submit: OrderRequest =
    one.kind === 'market'
      ? aContractMarket({ ...common, quantity: contracts })
      : aContractLimit({
          ...common,
          quantity: contracts,
          limitPrice: one.price,
          timeInForce: one.timeInForce,
        });
  return { at, submit };
}

function markOf({ path, minute }: VenueCandle, shift: number, widen: number): VenueCandle {
  const [open, high, low, close] = path.map((at) => Math.round(at * 100) + shift);
  return {
    ...(minute !== undefined && { minute }),
    path: [
      (open ?? 0) / 100,
      ((high ?? 0) + widen) / 100,
      ((low ?? 0) - widen) / 100,
      (close ?? 0) / 100,
    ],
  };
}

describe('the simulated futures venue', () => {
  it('does in every millisecond what the naive one does: same answers, fills, funding and liquidations, same money', () => {
    fc.assert(
      fc.property(venueCandles(), scripts, terms, (candles, wishes, setup) => {
        const { isInverse, leverage, isCross, tiers } = setup;
        const instrument = aContract(isInverse ? 'inverse' : 'linear', {
          multiplier: isInverse ? '100' : '0.01',
          leverage,
          marginMode: isCross ? 'cross' : 'isolated',
        });
        const script = wishes.map((one, index) => stepOf(one, index, instrument));
        const funding = new Map(setup.funding.map((rate, index) => [index + 1, rate]));
        const ownMarks = setup.marks?.flatMap(({ shift, widen }, index) => {
          const candle = candles[index];
          return candle === undefined ? [] : [markOf(candle, shift, widen)];
        });
        const naive = new NaiveFutures({
          ...setup,
          candles,
          marks: ownMarks,
          funding,
          multiplier: isInverse ? '100' : '0.01',
          isHighFirst: isHighNearer,
        });
        naive.play(script, UNTIL);
        const observed = aFuturesVenue({
          contracts: [
            {
              instrument,
              candles,
              ...(ownMarks && { mark: { candles: ownMarks } }),
              funding: {
                stored: {
                  time: Float64Array.from(funding.keys(), (minute) => START + minute * MINUTE_MS),
                  rate: Float64Array.from(funding.values(), Number),
                },
              },
              tiers: tiers.map(({ max, keep, leverage: most }) => aTier(keep, most, max)),
            },
          ],
          balances: { [instrument.marginAsset]: setup.balance },
          fees: setup.fees,
          maxFeeRate: setup.maxFeeRate,
          halfSpread: setup.halfSpread,
          ...(setup.participation !== undefined && { participation: setup.participation }),
          fillOnTouch: setup.fillOnTouch,
        });
        play(observed, script, UNTIL);

        expect(observed.updates.map(describeAny)).toEqual(naive.lines);
        expect(formatFixed(observed.venue.balances().get(instrument.marginAsset) ?? 0n)).toBe(
          naive.book.balance.toFixed(),
        );
      }),
    );
  });
});
