import fc from 'fast-check';

import { parseFixed } from '../../../src/domain/index.js';
import { createFixedSlippage, type ExtremeOrder } from '../../../src/simulator/index.js';
import { aMarginVenue } from '../margin-venue.js';
import { NaiveMarginPurse } from '../margin/naive-margin-purse.js';
import { isHighNearer } from '../naive/naive-path.js';
import { NaiveSpotPurse, type NaivePurse } from '../naive/naive-purse.js';
import { NaiveVenue } from '../naive/naive-venue.js';
import {
  aVenue,
  feesOf,
  type ObservedVenue,
  type VenueCandle,
  type VenueSetup,
} from '../spot-venue.js';

/** Possible terms of a venue for a pair, and of its account. */
export const pairTerms = fc.record({
  fees: fc.constantFrom(
    feesOf('0', '0', 'quote'),
    feesOf('0.001', '0.002', 'received'),
    feesOf('0.001', '0.002', 'quote'),
    // Rates that need rounding, and a maker who pays more than a taker.
    feesOf('0.000333333333333333', '0.000777777777777777', 'quote'),
    feesOf('0.003333333333333333', '0.000777777777777777', 'received'),
    feesOf('0.003333333333333333', '0.000777777777777777', 'quote'),
  ),
  halfSpread: fc.constantFrom('0', '0', '0.00005', '0.0003', '0.001'),
  slippage: fc.constantFrom('0', '0', '0.0001', '0.00123456789'),
  participation: fc.constantFrom(undefined, '0.1', '0.333333', '1'),
  fillOnTouch: fc.boolean(),
  minMoney: fc.constantFrom('0', '5', '50'),
  usdt: fc.constantFrom('0', '250', '1000', '1000', '100000'),
  btc: fc.constantFrom('0', '2.5', '10', '1000'),
  order: fc.constantFrom<ExtremeOrder | undefined>(undefined, 'high-first', 'low-first'),
});

/** One of {@link pairTerms}. */
export type PairTerms = typeof pairTerms extends fc.Arbitrary<infer T> ? T : never;

/** Terms of loans on small balances. Some leverages lead to a warning or a call at once, most come close. */
export const loanTerms = fc.record({
  usdt: fc.constantFrom('0', '20', '40', '100'),
  btc: fc.constantFrom('0', '0', '0.2', '1.5'),
  leverage: fc.constantFrom('1', '3', '4.33', '4.34', '10', '10.9', '10.95', '20'),
  hourlyRate: fc.constantFrom('0', '0.00001', '0.000123456789012345', '0.01'),
});

/** One of {@link loanTerms}. */
export type LoanTerms = typeof loanTerms extends fc.Arbitrary<infer T> ? T : never;

/** A simulated venue for spot, and a naive venue on the same terms. */
export function createSpotTwins(
  candles: readonly VenueCandle[],
  setup: PairTerms,
): { readonly observed: ObservedVenue; readonly naive: NaiveVenue; readonly purse: NaivePurse } {
  const purse = new NaiveSpotPurse(setup.usdt, setup.btc);
  const balances = { USDT: setup.usdt, BTC: setup.btc };
  const observed = aVenue({ ...venueSetup(candles, setup), balances });
  return { observed, naive: naiveVenue(candles, setup, purse), purse };
}

/** The same on margin. */
export function createMarginTwins(
  candles: readonly VenueCandle[],
  setup: PairTerms,
  { usdt, btc, ...loan }: LoanTerms,
): {
  readonly observed: ReturnType<typeof aMarginVenue>;
  readonly naive: NaiveVenue;
  readonly purse: NaivePurse;
} {
  const balances = { USDT: usdt, BTC: btc };
  const purse = new NaiveMarginPurse(balances, loan);
  const observed = aMarginVenue({ ...venueSetup(candles, setup), ...loan, balances });
  return { observed, naive: naiveVenue(candles, setup, purse), purse };
}

function venueSetup(candles: readonly VenueCandle[], setup: PairTerms): VenueSetup {
  return {
    candles,
    fees: setup.fees,
    halfSpread: setup.halfSpread,
    slippage: createFixedSlippage(parseFixed(setup.slippage)),
    ...(setup.participation !== undefined && { participation: setup.participation }),
    fillOnTouch: setup.fillOnTouch,
    rules: { minOrderMoney: parseFixed(setup.minMoney) },
    ...(setup.order !== undefined && { order: setup.order }),
  };
}

function naiveVenue(
  candles: readonly VenueCandle[],
  setup: PairTerms,
  purse: NaivePurse,
): NaiveVenue {
  const { order } = setup;
  const isHighFirst = order === undefined ? isHighNearer : (): boolean => order === 'high-first';
  return new NaiveVenue({ ...setup, purse, candles, isHighFirst });
}
