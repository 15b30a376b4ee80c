import fc from 'fast-check';

import {
  decimal,
  formatFixed,
  parseFixed,
  powerOfTen,
  resolveRules,
  type ClientOrderId,
  type DecimalInput,
  type Fixed,
  type Instrument,
  type InstrumentRules,
  type ResolvedRules,
} from '../../../src/domain/index.js';
import type { OrderProposal, RiskAccount, RiskPolicy } from '../../../src/risk/index.js';
import { anAccount, aPolicy, INVERSE, LINEAR, MARGIN, SPOT } from './builders.js';

/** One proposal to risk, with the state on which risk decides. */
export interface RiskCase {
  readonly proposal: OrderProposal;
  readonly rules: ResolvedRules;
  readonly account: RiskAccount;
  readonly policy: RiskPolicy;
}

/** Decimal text with up to `decimals` decimals, from integers: never through a binary float. */
export function decimalText(options: {
  readonly max: bigint;
  readonly decimals: number;
}): fc.Arbitrary<string> {
  return fc
    .tuple(fc.bigInt({ min: 1n, max: options.max }), fc.integer({ min: 0, max: options.decimals }))
    .map(([units, decimals]) => shiftText(units, decimals));
}

/** units × 10^-decimals, for any number of decimals. */
export function shiftText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? whole : `${whole}.${digits.slice(digits.length - decimals)}`;
}

/** A number as strategies write it: text, sometimes with more digits than any grid, or a Decimal. */
export const aWrittenNumber: fc.Arbitrary<DecimalInput> = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: decimalText({ max: 10_000n, decimals: 4 }) },
      { weight: 2, arbitrary: decimalText({ max: powerOfTen(12), decimals: 10 }) },
      { weight: 1, arbitrary: decimalText({ max: powerOfTen(24), decimals: 24 }) },
    ),
    fc.boolean(),
  )
  .map(([text, asDecimal]) => (asDecimal ? decimal(text) : text));

const aShare = fc.integer({ min: 1, max: 12_000 }).map((share) => shiftText(BigInt(share), 4));

const someFixed = (max: bigint, decimals: number): fc.Arbitrary<Fixed> =>
  decimalText({ max, decimals }).map(parseFixed);

/** Sometimes absent, as limits of a record are. */
const aLimit = (max: bigint): fc.Arbitrary<Fixed | undefined> =>
  fc.option(someFixed(max, 3), { nil: undefined, freq: 2 });

function larger(low: Fixed | undefined, high: Fixed | undefined): Fixed | undefined {
  return low !== undefined && high !== undefined && low > high ? low : high;
}

/** Rules as a record may state them: minimums small, maximums above them, each absent at times. */
export function someRulesFor(instrument: Instrument): fc.Arbitrary<ResolvedRules> {
  const isFutures = instrument.kind === 'futures';
  return fc
    .record({
      tradable: fc.integer({ min: 0, max: 30 }).map((draw) => draw > 0),
      pricePrecision: fc.integer({ min: 0, max: 8 }),
      quantityPrecision: isFutures ? fc.constant(0) : fc.integer({ min: 0, max: 8 }),
      minOrderQuantity: aLimit(2_000n),
      minOrderMoney: aLimit(20_000n),
      maxMarketQuantity: aLimit(5_000_000n),
      maxMarketMoney: aLimit(50_000_000n),
      maxLimitQuantity: aLimit(5_000_000n),
      maxWorkingOrders: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 2 }),
    })
    .map((drawn) => {
      const rules = {
        ...drawn,
        maxMarketQuantity: larger(drawn.minOrderQuantity, drawn.maxMarketQuantity),
        maxLimitQuantity: larger(drawn.minOrderQuantity, drawn.maxLimitQuantity),
        maxMarketMoney: larger(drawn.minOrderMoney, drawn.maxMarketMoney),
      };
      return resolveRules(withoutAbsent(rules));
    });
}

function withoutAbsent(rules: {
  readonly [K in keyof InstrumentRules]: InstrumentRules[K] | undefined;
}): InstrumentRules {
  const given = Object.entries(rules).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as unknown as InstrumentRules;
}

const anInstrument = fc.constantFrom<Instrument>(SPOT, SPOT, SPOT, MARGIN, LINEAR, LINEAR, INVERSE);

const aTooLargePolicy = fc.constantFrom('refuse', 'clamp', 'split');

const somePolicy: fc.Arbitrary<RiskPolicy> = fc
  .record({
    entries: aTooLargePolicy,
    exits: aTooLargePolicy,
    dust: fc.constantFrom('sweep', 'leave', 'warn'),
    maker: fc.integer({ min: 0, max: 50 }),
    taker: fc.integer({ min: 0, max: 50 }),
    paidIn: fc.constantFrom('received', 'quote'),
    costReserve: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
  })
  .map(({ entries, exits, dust, maker, taker, paidIn, costReserve }) => {
    const rate = (units: number): Fixed => parseFixed(shiftText(BigInt(units), 4));
    const fees = { maker: rate(maker), taker: rate(taker), paidIn };
    return aPolicy({
      tooLarge: { entries, exits },
      dust,
      fees: () => fees,
      ...(costReserve === undefined
        ? undefined
        : { costReserve: parseFixed(shiftText(BigInt(costReserve), 4)) }),
    });
  });

const someAccount: fc.Arbitrary<RiskAccount> = fc
  .record({
    last: decimalText({ max: 2_000_000n, decimals: 5 }),
    markPercent: fc.option(fc.integer({ min: 80, max: 120 }), { nil: undefined }),
    owed: fc.option(decimalText({ max: 10_000_000n, decimals: 3 }), { nil: '0' }),
    free: decimalText({ max: 10_000_000n, decimals: 3 }),
    freeBase: fc.option(decimalText({ max: 10_000_000n, decimals: 3 }), { nil: undefined }),
    equity: decimalText({ max: 10_000_000n, decimals: 3 }),
    held: decimalText({ max: 100_000_000n, decimals: 8 }),
    closingShare: fc.integer({ min: -4, max: 11 }),
    working: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ last, markPercent, owed, free, freeBase, equity, held, closingShare, working }) => {
    const closing = formatFixed((parseFixed(held) * BigInt(Math.max(closingShare, 0))) / 10n);
    const mark = markPercent === undefined ? undefined : parseFixed(last) * BigInt(markPercent);
    return anAccount({
      last,
      ...(mark === undefined ? undefined : { mark: formatFixed(mark / 100n) }),
      owed,
      equity,
      free: { USDT: free, USD: free, ...(freeBase === undefined ? undefined : { BTC: freeBase }) },
      long: held,
      short: held,
      closingLong: closing,
      closingShort: closing,
      working,
    });
  });

const aSize: fc.Arbitrary<OrderProposal['size']> = fc.oneof(
  aWrittenNumber.map((quantity) => ({ quantity })),
  aWrittenNumber.map((notional) => ({ notional })),
  aShare.map((equity) => ({ equity })),
  fc.constant({ all: true } as const),
);

/** Any proposal about an instrument, sensible or not. */
function aProposalFor(instrument: Instrument): fc.Arbitrary<OrderProposal> {
  return fc
    .record({
      side: fc.constantFrom('buy', 'sell'),
      action: fc.constantFrom('open', 'close'),
      size: aSize,
      limitPrice: fc.option(aWrittenNumber, { nil: undefined }),
      priceRounding: fc.constantFrom('never-worse', 'nearest', undefined),
      timeInForce: fc.constantFrom(undefined, undefined, undefined, 'GTC', 'IOC'),
    })
    .map(({ limitPrice, priceRounding, timeInForce, ...drawn }) => ({
      intentId: 1,
      instrument,
      ...sensible(drawn, instrument),
      ...(limitPrice === undefined ? undefined : { limitPrice }),
      ...(priceRounding === undefined ? undefined : { priceRounding }),
      ...(timeInForce === undefined || (timeInForce === 'IOC' && instrument.kind !== 'futures')
        ? undefined
        : { timeInForce }),
      clientOrderId: (leg: number) => `law-1-0-${String(leg)}` as ClientOrderId,
    }));
}

/** Makes a drawn proposal sensible: on spot, buys open and sells close; only exits have the size `all`. */
function sensible<T extends Pick<OrderProposal, 'side' | 'action' | 'size'>>(
  drawn: T,
  instrument: Instrument,
): T {
  const action = 'all' in drawn.size ? 'close' : drawn.action;
  const side = instrument.kind === 'spot' ? (action === 'open' ? 'buy' : 'sell') : drawn.side;
  return { ...drawn, action, side };
}

export const aRiskCase: fc.Arbitrary<RiskCase> = anInstrument.chain((instrument) =>
  fc
    .record({
      proposal: aProposalFor(instrument),
      rules: someRulesFor(instrument),
      account: someAccount,
      policy: somePolicy,
      // Exits of nearly all of a position try the handling of dust.
      nearlyAll: fc.option(fc.integer({ min: 900, max: 999 }), { nil: undefined, freq: 2 }),
    })
    .map(({ nearlyAll, proposal, account, ...asked }) => {
      if (nearlyAll === undefined || proposal.action === 'open') {
        return { ...asked, proposal, account };
      }
      const held = account.held(instrument.id, 'long') - account.closing(instrument.id, 'long');
      const quantity = formatFixed((held * BigInt(nearlyAll)) / 1_000n);
      return { ...asked, proposal: { ...proposal, size: { quantity } }, account };
    }),
);
