import { describe, expect, it } from 'vitest';
import {
  createConstantFees,
  createDatedFees,
  createFixedSlippage,
  createSquareRootSlippage,
} from '../../../../src/simulator/index.js';
import type { VenueModels } from '../../../../src/config/index.js';
import { parseFixed } from '../../../../src/domain/index.js';
import {
  feeModelContract,
  sizingContract,
  slippageModelContract,
} from '../../../../src/testing/index.js';
import type { Sizing } from '../../../../src/index.js';
import { brokenOf, passes } from './broken-of.js';

type Fees = NonNullable<VenueModels['fees']>;
type Slippage = NonNullable<VenueModels['slippage']>;

const RATES = {
  maker: parseFixed('-0.0001'),
  taker: parseFixed('0.001'),
  paidIn: 'received',
} as const;
const JANUARY_2025 = Date.UTC(2025, 0, 1);

const ID = { id: 'mine' };

describe('the contract of a fee model', () => {
  passes(
    'constant rates',
    feeModelContract(() => ({ ...ID, ...createConstantFees(RATES) })),
  );
  passes(
    'dated rates',
    feeModelContract(() => ({
      ...ID,
      ...createDatedFees(RATES, [
        { from: JANUARY_2025, instrumentId: undefined, maker: 0n, taker: parseFixed('0.0005') },
      ]),
    })),
  );

  const always =
    (rates: unknown): (() => Fees) =>
    () => ({ ...ID, ratesAt: () => rates as never });

  it.each<readonly [string, () => Fees, RegExp]>([
    ['no id', () => createConstantFees(RATES) as Fees, /a model name .* as id .* undefined/],
    ['an empty id', () => ({ ...createConstantFees(RATES), id: '' }), /a model name .* as id/],
    [
      'a number',
      always({ ...RATES, taker: 0.001 }),
      /ratio below 1 as taker of spot:BTCUSDT, 2024-01-01T00:00:00Z, received 0\.001/,
    ],
    ['more than all', always({ ...RATES, taker: parseFixed('1') }), /ratio below 1 as taker/],
    ['an unknown payment', always({ ...RATES, paidIn: 'base' }), /"received" or "quote"/],
    ['a gain for all', always({ ...RATES, maker: parseFixed('-0.002') }), /not below 0/],
    [
      'a tier of what was asked before',
      () => {
        let asked = 0;
        return {
          ...ID,
          ratesAt: () => {
            asked += 1;
            return asked > 50 ? { ...RATES, taker: 0n, maker: 0n } : RATES;
          },
        };
      },
      /as at first/,
    ],
  ])('catches %s', async (_, create, message) => {
    expect(await brokenOf(feeModelContract(create))).toMatch(message);
  });
});

describe('the contract of a slippage model', () => {
  passes(
    'a fixed ratio',
    slippageModelContract(() => ({ ...ID, ...createFixedSlippage(parseFixed('0.0005')) })),
  );
  passes(
    'the square root',
    slippageModelContract(() => ({ ...ID, ...createSquareRootSlippage(parseFixed('0.1')) })),
  );

  const model =
    (ratio: Slippage['ratio']): (() => Slippage) =>
    () => ({ ...ID, ratio });
  const ONE = parseFixed('1');

  it.each<readonly [string, () => Slippage, RegExp]>([
    ['no id', () => createFixedSlippage(0n) as Slippage, /a model name .* as id .* undefined/],
    ['a number', model(() => 0.1 as never), /ratio from 0 to below 1/],
    ['a better price', model(() => -1n), /ratio from 0 to below 1/],
    [
      'a division by a volume of nothing',
      model((quantity, { volume }) => (quantity * 1_000n) / volume()),
      /Division by zero/,
    ],
    [
      'less for a larger order',
      model((quantity) => ONE / (2n + quantity / ONE)),
      /of at least the/,
    ],
    [
      'more in a larger candle',
      model((_, { volume }) => (volume() > ONE ? 2n : 1n)),
      /of at least the/,
    ],
    [
      'what changes with each question',
      () => {
        let asked = 0n;
        return { ...ID, ratio: () => (asked += 1n) };
      },
      /as at first/,
    ],
  ])('catches %s', async (_, create, message) => {
    expect(await brokenOf(slippageModelContract(create))).toMatch(message);
  });
});

describe('the contract of a sizing rule', () => {
  passes(
    'a share of equity',
    sizingContract(() => ({ equity: '0.5' })),
  );
  passes(
    'what the stop may lose',
    sizingContract(() => ({ risk: '0.01' })),
  );
  passes(
    'a tenth of equity in whole steps',
    sizingContract(({ equity, instrument: { last = Number.NaN, rules } }) => ({
      quantity: equity
        .times('0.1')
        .div(last)
        .toDecimalPlaces(rules?.step.decimalPlaces() ?? 0, 1),
    })),
  );

  let calls = 0;
  it.each<readonly [string, Sizing, RegExp]>([
    ['two amounts', () => ({ equity: '0.5', quantity: '1' }), /refusal by invalid-size/],
    ['a number', () => ({ equity: 0.5 }) as never, /refusal by invalid-size/],
    ['more than there is', () => ({ notional: '30' }), /refusal by/],
    ['nothing, always', () => ({ notional: '0.0000001' }), /an order with one of the balances/],
    [
      'what changes with each call',
      () => ({ equity: `0.${String((calls += 1) % 9)}1` }),
      /as in the previous call/,
    ],
  ])('catches %s', async (_, sizing, message) => {
    expect(await brokenOf(sizingContract(sizing))).toMatch(message);
  });
});
