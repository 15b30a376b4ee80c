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
import { createContractTwins, contractTerms } from '../../support/contract-twins.js';
import {
  aContractLimit,
  aContractMarket,
  describeAny,
  type aContract,
} from '../../support/futures-venue.js';
import { play, type ScriptStep } from '../../support/spot-venue.js';

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

describe('the simulated futures venue', () => {
  it('does in every millisecond what the naive one does: same answers, fills, funding and liquidations, same money', () => {
    fc.assert(
      fc.property(venueCandles(), scripts, contractTerms, (candles, wishes, setup) => {
        const { instrument, observed, naive } = createContractTwins(candles, setup);
        const script = wishes.map((one, index) => stepOf(one, index, instrument));
        naive.play(script, UNTIL);
        play(observed, script, UNTIL);

        expect(observed.updates.map(describeAny)).toEqual(naive.lines);
        expect(formatFixed(observed.venue.balances().get(instrument.marginAsset) ?? 0n)).toBe(
          naive.book.balance.toFixed(),
        );
      }),
    );
  });
});
