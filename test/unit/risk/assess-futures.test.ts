import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../src/domain/index.js';
import { assess, type OrderProposal } from '../../../src/risk/index.js';
import {
  anAccount,
  aPolicy,
  aProposal,
  approvedOf,
  contractRules,
  INVERSE,
  LINEAR,
  linesOf,
  refusalOf,
  someFees,
} from '../../support/risk/builders.js';

/** One contract is 0.001 BTC, worth 100 USDT at 100,000. */
const aContractProposal = (overrides: Partial<OrderProposal>): OrderProposal =>
  aProposal({ instrument: LINEAR, ...overrides });
const account = anAccount({ last: '100000' });
const exit = { side: 'sell', action: 'close', size: { all: true } } as const;

describe('assess: linear futures', () => {
  it('opens a notional at MARKET with a quote value', () => {
    const proposal = aContractProposal({ size: { notional: '250' } });

    expect(linesOf(assess(proposal, contractRules(), account, aPolicy()))).toEqual([
      'market buy open 250 quote',
    ]);
  });

  it('opens a short notional at MARKET with a quote value', () => {
    const proposal = aContractProposal({ side: 'sell', size: { notional: '250' } });

    expect(linesOf(assess(proposal, contractRules(), account, aPolicy()))).toEqual([
      'market sell open 250 quote',
    ]);
  });

  it('refuses a value of less than one contract, and suggests the smallest that passes', () => {
    const proposal = aContractProposal({ size: { notional: '99' } });

    const refusal = refusalOf(assess(proposal, contractRules(), account, aPolicy()));

    expect(refusal).toMatchObject({
      check: 'min-order-quantity',
      limit: '1',
      actual: '0',
      unit: 'contracts',
      wouldPass: '100',
      wouldPassUnit: 'USDT',
    });
  });

  it('sends contracts without a price as LIMIT IOC at last ± 5 %, within the asked price', () => {
    const buy = aContractProposal({ size: { quantity: '3' } });
    const sell = aContractProposal({ side: 'sell', size: { quantity: '3' } });
    const at = anAccount({ last: '100000.7' });

    const orders = [buy, sell].map((proposal) =>
      linesOf(assess(proposal, contractRules(), at, aPolicy())),
    );

    // 100,000.7 × 1.05 = 105,000.735; × 0.95 = 95,000.665
    expect(orders).toEqual([
      ['limit buy open 3 contracts at 105000.7 IOC'],
      ['limit sell open 3 contracts at 95000.7 IOC'],
    ]);
  });

  it('sends contracts without a price at least a tick beyond last, and never at 0', () => {
    const rules = contractRules({ pricePrecision: 1, minOrderMoney: '0.0001' });
    const lines = (last: string) =>
      (['buy', 'sell'] as const).flatMap((side) =>
        linesOf(
          assess(
            aContractProposal({ side, size: { quantity: '3' } }),
            rules,
            anAccount({ last }),
            aPolicy(),
          ),
        ),
      );

    expect(lines('1.04')).toEqual([
      'limit buy open 3 contracts at 1.1 IOC',
      'limit sell open 3 contracts at 1 IOC',
    ]);
    expect(lines('0.1')).toEqual([
      'limit buy open 3 contracts at 0.2 IOC',
      'limit sell open 3 contracts at 0.1 IOC',
    ]);
  });

  it('keeps the margin mode, and the time in force of a limit order', () => {
    const proposal = aContractProposal({
      size: { quantity: '3' },
      limitPrice: '99000',
      timeInForce: 'POST_ONLY',
    });

    const { orders } = approvedOf(assess(proposal, contractRules(), account, aPolicy()));

    expect(orders[0]).toMatchObject({ marginMode: 'isolated', timeInForce: 'POST_ONLY' });
  });

  it.each([
    ['POST_ONLY', { size: { quantity: '3' } }],
    ['POST_ONLY', exit],
    ['FOK', { size: { notional: '300' } }],
    ['FOK', exit],
    ['FOK', { side: 'sell', action: 'close', size: { quantity: '3' } }],
  ] as const)('refuses %s without a limit price', (timeInForce, terms) => {
    const proposal = aContractProposal({ ...terms, timeInForce });
    const holding = anAccount({ last: '100000', long: '5' });

    const refusal = refusalOf(assess(proposal, contractRules(), holding, aPolicy()));

    expect(refusal.check).toBe('time-in-force');
  });

  it('sends contracts without a price as FOK if the proposal says so', () => {
    const proposal = aContractProposal({ size: { quantity: '3' }, timeInForce: 'FOK' });

    expect(linesOf(assess(proposal, contractRules(), account, aPolicy()))).toEqual([
      'limit buy open 3 contracts at 105000 FOK',
    ]);
  });

  it('closes contracts at MARKET, a short by buying', () => {
    const holding = anAccount({ last: '100000', long: '5', short: '2' });
    const cover = aContractProposal({ ...exit, side: 'buy' });

    const orders = [aContractProposal(exit), cover].map((proposal) =>
      linesOf(assess(proposal, contractRules(), holding, aPolicy())),
    );

    expect(orders).toEqual([['market sell close 5 contracts'], ['market buy close 2 contracts']]);
  });

  it('closes no more than the position minus working exits', () => {
    const holding = anAccount({ last: '100000', short: '5', closingShort: '3' });
    const proposal = aContractProposal({ side: 'buy', action: 'close', size: { quantity: '4' } });

    expect(linesOf(assess(proposal, contractRules(), holding, aPolicy()))).toEqual([
      'market buy close 2 contracts',
    ]);
  });

  it('requires initial margin and the taker fee', () => {
    // 10 contracts at 100,000 are 1,000 USDT: 200 at leverage 5, and a fee of 1.
    const proposal = aContractProposal({ size: { quantity: '10' }, limitPrice: '100000' });
    const enough = anAccount({ last: '100000', free: { USDT: '201' } });
    const tooLittle = anAccount({ last: '100000', free: { USDT: '200.999' } });

    const verdicts = [enough, tooLittle].map((free) =>
      assess(proposal, contractRules(), free, aPolicy()),
    );

    expect(verdicts.map(({ kind }) => kind)).toEqual(['approved', 'refused']);
    expect(verdicts[1]).toMatchObject({
      refusal: { check: 'insufficient-balance', limit: '200.999', actual: '201', wouldPass: '9' },
    });
  });

  it('requires the initial loss of a price beyond last', () => {
    // 10 contracts at 101,000: 1,010 / 5 + 1.01 of fee + 0.01 BTC × 1,000 of loss = 213.01
    const proposal = aContractProposal({ size: { quantity: '10' }, limitPrice: '101000' });
    const tooLittle = anAccount({ last: '100000', free: { USDT: '213' } });

    const refusal = refusalOf(assess(proposal, contractRules(), tooLittle, aPolicy()));

    expect(refusal.actual).toBe('213.01');
  });

  it.each([
    ['buy', '99000', '198.99'], // 990 / 5 + 0.99: a bid below last loses nothing
    ['sell', '101000', '203.01'], // 1,010 / 5 + 1.01
    ['sell', '99000', '208.99'], // 990 / 5 + 0.99 + 0.01 BTC × 1,000
  ] as const)('requires of a %s at %s a balance of %s', (side, limitPrice, needed) => {
    const proposal = aContractProposal({ side, size: { quantity: '10' }, limitPrice });
    const tooLittle = anAccount({ last: '100000', free: { USDT: '1' } });

    expect(refusalOf(assess(proposal, contractRules(), tooLittle, aPolicy())).actual).toBe(needed);
  });

  it.each([
    ['buy', '100000', '98000', '221'], // 200 + 1, and 0.01 BTC × 2,000 above mark
    ['sell', '100000', '102000', '221'],
    ['buy', '100000', '102000', '201'], // below mark nothing is lost
    ['sell', '100000', '98000', '201'],
  ] as const)(
    'requires of a %s at %s with the mark at %s a balance of %s',
    (side, limitPrice, mark, needed) => {
      const proposal = aContractProposal({ side, size: { quantity: '10' }, limitPrice });
      const tooLittle = anAccount({ last: '100000', mark, free: { USDT: '1' } });

      expect(refusalOf(assess(proposal, contractRules(), tooLittle, aPolicy())).actual).toBe(
        needed,
      );
    },
  );

  it('requires of a MARKET order the loss between last and mark', () => {
    // 1,000 / 5 + 1, and 1,000 × (100,000 − 98,000) / 100,000
    const proposal = aContractProposal({ size: { notional: '1000' } });
    const tooLittle = anAccount({ last: '100000', mark: '98000', free: { USDT: '1' } });

    expect(refusalOf(assess(proposal, contractRules(), tooLittle, aPolicy())).actual).toBe('221');
  });

  it.each(['0', '-1'])('uses last instead of a mark of %s', (mark) => {
    const proposal = aContractProposal({ size: { quantity: '10' }, limitPrice: '100000' });
    const tooLittle = anAccount({ last: '100000', mark, free: { USDT: '1' } });

    expect(refusalOf(assess(proposal, contractRules(), tooLittle, aPolicy())).actual).toBe('201');
  });

  it('requires the higher of both fees', () => {
    const policy = aPolicy({ fees: () => someFees({ maker: '0.003', taker: '0.001' }) });
    const proposal = aContractProposal({ size: { quantity: '10' }, limitPrice: '100000' });
    const tooLittle = anAccount({ last: '100000', free: { USDT: '1' } });

    expect(refusalOf(assess(proposal, contractRules(), tooLittle, policy)).actual).toBe('203');
  });

  it('requires the cost reserve', () => {
    const policy = aPolicy({ costReserve: parseFixed('0.002') });
    const proposal = aContractProposal({ size: { notional: '1000' } });
    const tooLittle = anAccount({ last: '100000', free: { USDT: '1' } });

    // 1,000 × (1/5 + 0.001 + 0.002)
    expect(refusalOf(assess(proposal, contractRules(), tooLittle, policy)).actual).toBe('203');
  });

  it('accepts IOC without a limit price for exits, values and contracts', () => {
    const holding = anAccount({ last: '100000', long: '5' });

    const kinds = [exit, { size: { notional: '300' } }, { size: { quantity: '3' } }].map(
      (terms) =>
        assess(
          aContractProposal({ ...terms, timeInForce: 'IOC' }),
          contractRules(),
          holding,
          aPolicy(),
        ).kind,
    );

    expect(kinds).toEqual(['approved', 'approved', 'approved']);
  });

  it('does not cut a share of equity to the free balance, because it needs only the margin', () => {
    const free = anAccount({ last: '100000', equity: '10010.5', free: { USDT: '10009.9' } });
    const proposal = aContractProposal({ size: { equity: '1' } });

    // 10,010.5 / 1.001 = 10,000.499500499…
    expect(linesOf(assess(proposal, contractRules(), free, aPolicy()))).toEqual([
      'market buy open 10000.49950049 quote',
    ]);
  });

  it('deducts the fee and the cost reserve from a share of equity', () => {
    const policy = aPolicy({
      fees: () => someFees({ maker: '0.0002', taker: '0.0006' }),
      costReserve: parseFixed('0.0004'),
    });
    const proposal = aContractProposal({ size: { equity: '2' } });

    // 10,000 × 2 / 1.001 = 19,980.019980019…
    expect(linesOf(assess(proposal, contractRules(), account, policy))).toEqual([
      'market buy open 19980.01998001 quote',
    ]);
  });
});

describe('assess: leverage tiers', () => {
  /** Leverage 5 is allowed up to 50,000 in the margin asset. */
  const tiersOf = (maxValue: string) =>
    [
      { maxValue: parseFixed('100'), maxLeverage: parseFixed('20'), keepRate: 0n },
      { maxValue: parseFixed(maxValue), maxLeverage: parseFixed('5'), keepRate: 0n },
      { maxValue: undefined, maxLeverage: parseFixed('4.9'), keepRate: 0n },
    ] as const;
  const policy = aPolicy({ tiers: () => tiersOf('50000') });
  const rich = { last: '100000', free: { USDT: '1000000' } };

  it('allows a position up to the end of the last tier that allows its leverage', () => {
    // 500 contracts of 0.001 BTC at 100,000.
    const verdicts = ['500', '501'].map((quantity) =>
      assess(
        aContractProposal({ size: { quantity }, limitPrice: '90000' }),
        contractRules(),
        anAccount(rich),
        policy,
      ),
    );

    expect(verdicts.map(({ kind }) => kind)).toEqual(['approved', 'refused']);
    expect(verdicts[1]).toMatchObject({
      refusal: {
        check: 'leverage-tier',
        limit: '4.9',
        actual: '5',
        wouldPass: '500',
        wouldPassUnit: 'contracts',
        text: 'a position worth 50100 USDT may have a leverage of 4.9, and that of futures:E-BTC-USDT is 5; 500 contracts would pass',
      },
    });
  });

  it.each([
    ['buy', '60'],
    ['sell', '70'],
  ] as const)('counts the side that a %s adds to, at mark', (side, wouldPass) => {
    // 440 are held long and 430 short. The tier allows 500 at this price.
    const account = anAccount({ ...rich, long: '440', short: '430' });
    const proposal = aContractProposal({ side, size: { quantity: '71' }, limitPrice: '100000' });
    const atTwice = anAccount({ ...rich, mark: '200000' });

    expect(refusalOf(assess(proposal, contractRules(), account, policy))).toMatchObject({
      check: 'leverage-tier',
      wouldPass,
    });
    const large = aContractProposal({ side, size: { quantity: '251' }, limitPrice: '100000' });
    expect(refusalOf(assess(large, contractRules(), atTwice, policy)).wouldPass).toBe('250');
  });

  it('suggests a value if the size is a value', () => {
    const proposal = aContractProposal({ size: { notional: '50200' } });

    const refusal = refusalOf(assess(proposal, contractRules(), anAccount(rich), policy));

    expect(refusal).toMatchObject({ wouldPass: '50000', wouldPassUnit: 'USDT' });
  });

  it('suggests nothing if no size is allowed, and never more than a maximum', () => {
    const proposal = aContractProposal({ size: { quantity: '501' }, limitPrice: '100000' });
    const barred = aPolicy({ tiers: () => [{ ...tiersOf('1')[2], keepRate: 0n }] });
    const capped = contractRules({ maxLimitQuantity: '300' });

    const verdicts = [
      assess(proposal, contractRules(), anAccount(rich), barred),
      assess(proposal, capped, anAccount(rich), policy),
    ];

    expect(verdicts.map((each) => refusalOf(each).wouldPass)).toEqual([undefined, '300']);
  });

  it('measures an inverse contract in coins', () => {
    const inBtc = aPolicy({ tiers: () => tiersOf('200') });
    const account = anAccount({ last: '50000', free: { BTC: '1000' } });
    // 200 BTC × 50,000 / 10 USD
    const proposal = aProposal({
      instrument: INVERSE,
      size: { quantity: '1000001' },
      limitPrice: '50000',
    });

    const refusal = refusalOf(
      assess(proposal, contractRules({ minOrderMoney: '0' }), account, inBtc),
    );

    expect(refusal).toMatchObject({ check: 'leverage-tier', wouldPass: '1000000' });
  });

  it('never refuses an exit, and checks nothing without a price', () => {
    const holding = anAccount({ ...rich, long: '900' });
    const unpriced = anAccount({ ...rich, last: null });
    const entry = aContractProposal({ size: { quantity: '501' }, limitPrice: '100000' });

    const kinds = [
      assess(aContractProposal(exit), contractRules(), holding, policy),
      assess(entry, contractRules(), unpriced, policy),
    ].map(({ kind }) => kind);

    expect(kinds).toEqual(['approved', 'approved']);
  });
});

describe('assess: inverse futures', () => {
  const holding = anAccount({ last: '50000', free: { BTC: '1' } });
  const rules = contractRules({ minOrderMoney: '0' });

  it('refuses a MARKET order that opens, and suggests IOC', () => {
    const proposal = aProposal({ instrument: INVERSE, size: { notional: '100' } });

    const refusal = refusalOf(assess(proposal, rules, holding, aPolicy()));

    expect(refusal).toMatchObject({ check: 'inverse-market-open', limit: 'LIMIT' });
    expect(refusal.text).toContain('with IOC');
  });

  it('opens contracts as LIMIT IOC', () => {
    const proposal = aProposal({ instrument: INVERSE, size: { quantity: '100' } });

    expect(linesOf(assess(proposal, rules, holding, aPolicy()))).toEqual([
      'limit buy open 100 contracts at 52500 IOC',
    ]);
  });

  it('converts a notional by the face value, at any price', () => {
    const proposal = aProposal({
      instrument: INVERSE,
      size: { notional: '105' },
      limitPrice: '40000',
    });

    // 105 USD / 10 USD per contract
    expect(linesOf(assess(proposal, rules, holding, aPolicy()))).toEqual([
      'limit buy open 10 contracts at 40000 GTC',
    ]);
  });

  it('requires margin in base', () => {
    // 1,000 contracts of 10 USD at 50,000 are 0.2 BTC: 0.04 at leverage 5, and a fee of 0.0002.
    const proposal = aProposal({
      instrument: INVERSE,
      size: { quantity: '1000' },
      limitPrice: '50000',
    });
    const verdicts = ['0.0402', '0.0401'].map((BTC) =>
      assess(proposal, rules, anAccount({ last: '50000', free: { BTC } }), aPolicy()),
    );

    expect(verdicts.map(({ kind }) => kind)).toEqual(['approved', 'refused']);
    expect(verdicts[1]).toMatchObject({ refusal: { actual: '0.0402', unit: 'BTC' } });
  });

  it('requires no initial loss if last is not a positive price', () => {
    const proposal = aProposal({
      instrument: INVERSE,
      size: { quantity: '1000' },
      limitPrice: '50000',
    });

    const verdicts = ['0', '-1'].map((last) =>
      assess(proposal, rules, anAccount({ last, free: { BTC: '0.0402' } }), aPolicy()),
    );

    expect(verdicts.map(({ kind }) => kind)).toEqual(['approved', 'approved']);
  });

  it('requires the initial loss of a price beyond last, in base', () => {
    // 1,000 contracts of 10 USD at 62,500, last 50,000: 0.16 / 5 + 0.00016 + 10,000 × (1/50,000 − 1/62,500) = 0.07216
    const proposal = aProposal({
      instrument: INVERSE,
      size: { quantity: '1000' },
      limitPrice: '62500',
    });

    const refusal = refusalOf(
      assess(proposal, rules, anAccount({ last: '50000', free: { BTC: '0.07' } }), aPolicy()),
    );

    expect(refusal.actual).toBe('0.07216');
  });
});
