import { describe, expect, it } from 'vitest';

import { parseFixed, type DecimalInput } from '../../../src/domain/index.js';
import { assess, type OrderProposal, type RiskPolicy } from '../../../src/risk/index.js';
import {
  anAccount,
  aPolicy,
  aProposal,
  contractRules,
  ETHBTC,
  INVERSE,
  LINEAR,
  linesOf,
  MARGIN,
  refusalOf,
  someFees,
  someRules,
} from '../../support/risk/builders.js';

/** Terms of an entry with a stop at this price. */
const stopAt = (price: string): Pick<OrderProposal, 'stopAt'> => ({
  stopAt: () => parseFixed(price),
});

function byRisk(risk: DecimalInput, overrides: Partial<OrderProposal> = {}): OrderProposal {
  return aProposal({ size: { risk }, ...stopAt('98'), ...overrides });
}

function withFees(
  overrides: Parameters<typeof someFees>[0],
  policy: Partial<RiskPolicy> = {},
): RiskPolicy {
  const fees = someFees(overrides);
  return aPolicy({ fees: () => fees, ...policy });
}

const FREE = withFees({ maker: '0', taker: '0' });
const QUOTE_FEES = { maker: '0.0002', taker: '0.001', paidIn: 'quote' } as const;

describe('a size by risk', () => {
  it('is the quantity whose stop loses the given share of equity', () => {
    // 10,000 × 0.01 = 100, and each unit loses 2: 50, at last × 1.05.
    const decision = assess(byRisk('0.01'), someRules(), anAccount(), FREE);

    expect(linesOf(decision)).toEqual(['limit buy open 50 base at 105 GTC']);
  });

  it('includes the fees of both fills, with the entry as a taker', () => {
    // 100 × 1.001 − 98 × 0.999 = 2.198; 100 ÷ 2.198 = 45.49590…
    const decision = assess(byRisk('0.01'), someRules(), anAccount(), withFees(QUOTE_FEES));

    expect(linesOf(decision)).toEqual(['limit buy open 45.4959 base at 105 GTC']);
  });

  it('includes the fee in base, by which it sells less than it bought', () => {
    // 100 − 98 × 0.999² = 2.195902; 100 ÷ 2.195902 = 45.539372…
    const decision = assess(byRisk('0.01'), someRules(), anAccount(), aPolicy());

    expect(linesOf(decision)).toEqual(['limit buy open 45.53937 base at 105 GTC']);
  });

  it('includes half the spread and slippage, with each price rounded against it', () => {
    const policy = { ...FREE, takerCost: parseFixed('0.00055') };
    // 100.055 up to 100.06; 98 × 0.99945 = 97.9461 down to 97.94: 2.12 per unit.
    const decision = assess(byRisk('0.01'), someRules(), anAccount(), policy);

    expect(linesOf(decision)).toEqual(['limit buy open 47.16981 base at 105 GTC']);
  });

  it('asks for the stop at the fill price of the entry with its costs', () => {
    const policy = { ...FREE, takerCost: parseFixed('0.01') };
    const asked: string[] = [];
    assess(
      byRisk('0.01', {
        stopAt: (entry) => {
          asked.push(String(entry));
          return undefined;
        },
      }),
      someRules(),
      anAccount(),
      policy,
    );

    expect(asked).toEqual([String(parseFixed('101'))]);
  });

  it('uses the limit price, the higher of both fees and no slippage for a limit entry', () => {
    const policy = withFees({ ...QUOTE_FEES, maker: '0.002' }, { takerCost: parseFixed('0.01') });
    // 99 × 1.002 − 97.02 × 0.999 (98 × 0.99 = 97.02) = 2.27502; 100 ÷ 2.27502 = 43.955657…
    const decision = assess(byRisk('0.01', { limitPrice: '99' }), someRules(), anAccount(), policy);

    expect(linesOf(decision)).toEqual(['limit buy open 43.95565 base at 99 GTC']);
  });

  it('is the quantity of a short whose stop above the entry loses the given share', () => {
    const short = { side: 'sell', ...stopAt('102') } as const;
    const contract = { ...short, instrument: LINEAR };
    // 102 × 1.001 − 100 × 0.999 = 2.202 per unit; a contract is a thousandth.
    expect(
      linesOf(
        assess(byRisk('0.001', contract), contractRules(), anAccount(), withFees(QUOTE_FEES)),
      ),
    ).toEqual(['limit sell open 4541 contracts at 95 IOC']);
    // Bought back with the fee on top: 102 ÷ 0.999 − 100 × 0.999 = 2.202102…; 100 ÷ 2.202102… = 45.411155…
    expect(
      linesOf(
        assess(
          byRisk('0.01', { ...short, instrument: MARGIN }),
          someRules(),
          anAccount(),
          aPolicy(),
        ),
      ),
    ).toEqual(['limit sell open 45.41115 base at 95 GTC']);
  });

  it('is the number of inverse contracts whose stop loses the given share in coins', () => {
    const account = anAccount({ free: { BTC: '100' } });
    // 1 % of 10,000 USDT is 1 BTC at 100; a contract of 10 USD loses 10 ÷ 98 − 10 ÷ 100 = 0.00204081…
    const long = byRisk('0.01', { instrument: INVERSE });
    // 10 ÷ 100 − 10 ÷ 102 = 0.00196078…
    const short = byRisk('0.01', { instrument: INVERSE, side: 'sell', ...stopAt('102') });

    expect(linesOf(assess(long, contractRules(), account, FREE))).toEqual([
      'limit buy open 490 contracts at 105 IOC',
    ]);
    expect(linesOf(assess(short, contractRules(), account, FREE))).toEqual([
      'limit sell open 510 contracts at 95 IOC',
    ]);
  });

  it('converts the share of equity to the quote of the pair', () => {
    const account = anAccount({ last: '0.05', worth: { BTC: '50000' }, free: { BTC: '10' } });
    // 1 % of 10,000 USDT is 0.002 BTC, and each unit loses 0.001.
    const proposal = byRisk('0.01', { instrument: ETHBTC, ...stopAt('0.049') });

    expect(
      linesOf(
        assess(proposal, someRules({ pricePrecision: 5, minOrderMoney: '0' }), account, FREE),
      ),
    ).toEqual(['limit buy open 2 base at 0.0525 GTC']);
  });

  it('is refused if the money is too little, with a suggested size', () => {
    const decision = assess(byRisk('0.03'), someRules(), anAccount(), FREE);

    expect(refusalOf(decision)).toMatchObject({
      check: 'insufficient-balance',
      actual: '15750', // 150 at 105
      wouldPass: '95.23809',
    });
  });

  it('is refused without a stop', () => {
    const { stopAt, ...without } = byRisk('0.01');
    expect(stopAt).toBeDefined();
    const refusals = [without, byRisk('0.01', { stopAt: () => undefined })].map((proposal) =>
      refusalOf(assess(proposal, someRules(), anAccount(), FREE)),
    );

    expect(refusals[0]).toEqual({
      check: 'no-stop',
      limit: 'below 100',
      actual: 'none',
      unit: 'USDT',
      text: 'a size by risk needs a stop: give protection: { stopLoss } or { trailingStop }, or bracket: { stopLoss }',
    });
    expect(refusals[1]).toEqual(refusals[0]);
  });

  it('says from which entry the stop counts where the costs of the entry carry it beyond last', () => {
    const stopAtOneAway = (entry: bigint): bigint => entry - parseFixed('1');
    const policy = { ...FREE, takerCost: parseFixed('0.01') };

    const refusal = refusalOf(
      assess(byRisk('0.01', { stopAt: stopAtOneAway }), someRules(), anAccount(), policy),
    );

    expect(refusal.text).toBe(
      'a size by risk needs a stop below 100 USDT, received one at 100, counted from an entry at 101 (last with spread and slippage)',
    );
  });

  it.each([
    ['buy', '100', 'a size by risk needs a stop below 100 USDT, received one at 100'],
    ['buy', '-1', 'a size by risk needs a stop below 100 USDT, received one at -1'],
    ['sell', '100', 'a size by risk needs a stop above 100 USDT, received one at 100'],
  ] as const)('is refused if a %s has its stop at %s', (side, stop, text) => {
    const proposal = byRisk('0.01', { instrument: LINEAR, side, ...stopAt(stop) });

    expect(refusalOf(assess(proposal, contractRules(), anAccount(), FREE))).toMatchObject({
      check: 'no-stop',
      text,
    });
  });

  it.each(['0', '-0.01', '1.000000000000000000001', '2', 'half', '', 0.01])(
    'is refused as an invalid size if it is %j',
    (risk) => {
      const refusal = refusalOf(assess(byRisk(risk as string), someRules(), anAccount(), FREE));

      expect(refusal).toMatchObject({ check: 'invalid-size', limit: '> 0 and <= 1' });
      expect(refusal.text).toMatch(
        /^expected a share of equity above 0 and at most 1 as decimal text such as "0.01", received /,
      );
    },
  );

  it('is refused before a price of the instrument or of its quote is known', () => {
    const unpriced = anAccount({ last: null });
    const worthless = anAccount({ worth: { BTC: '0' } });

    expect(refusalOf(assess(byRisk('0.01'), someRules(), unpriced, FREE)).check).toBe('no-price');
    expect(
      refusalOf(assess(byRisk('0.01', { instrument: ETHBTC }), someRules(), worthless, FREE)).check,
    ).toBe('no-price');
  });

  it('is refused if the account has no value', () => {
    const broke = anAccount({ equity: '-5' });

    expect(refusalOf(assess(byRisk('1'), someRules(), broke, FREE)).check).toBe(
      'min-order-quantity',
    );
  });
});
