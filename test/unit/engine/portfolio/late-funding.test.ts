import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  parseFixed,
  type ClientOrderId,
  type FillRecord,
} from '../../../../src/domain/index.js';
import { Portfolio } from '../../../../src/engine/index.js';
import { fixedMap } from '../../../support/margin/builders.js';
import { LINEAR } from '../../../support/risk/builders.js';

const STEP = parseFixed('1');
const BOUNDARY = 28_800_000;

/** An account that holds contracts worth 100 at a leverage of 5, isolated. */
function aPortfolio(before?: Portfolio): Portfolio {
  return new Portfolio({
    instruments: [{ instrument: LINEAR, pricePrecision: 2 }],
    balances: { futures: fixedMap({ USDT: '1000' }) },
    equityCurrency: 'USDT',
    checkpoint: before?.checkpoint(),
  });
}

function fill(portfolio: Portfolio, action: FillRecord['action'], eventTime: number): void {
  portfolio.applyFill(
    {
      clientOrderId: 'test-1-0-0' as ClientOrderId,
      instrumentId: LINEAR.id,
      side: action === 'open' ? 'buy' : 'sell',
      action,
      price: parseFixed('100'),
      quantity: parseFixed('1000'),
      fee: 0n,
      feeAsset: 'USDT',
      liquidity: 'taker',
      eventTime,
    },
    STEP,
  );
}

function payFunding(portfolio: Portfolio): void {
  portfolio.applyAccountUpdate(
    {
      kind: 'funding',
      instrumentId: LINEAR.id,
      direction: 'long',
      rate: parseFixed('0.01'),
      markPrice: parseFixed('100'),
      amount: parseFixed('-1'),
      asset: 'USDT',
      eventTime: BOUNDARY,
    },
    0n,
  );
}

describe('funding of an isolated position', () => {
  it.each(['the same engine', 'an engine that goes on with its checkpoint'])(
    'is no cost of a position that was opened since, for %s',
    (who) => {
      const first = aPortfolio();
      fill(first, 'open', BOUNDARY - 1);
      fill(first, 'close', BOUNDARY + 1);
      fill(first, 'open', BOUNDARY + 2);
      const portfolio = who === 'the same engine' ? first : aPortfolio(first);
      const margin = portfolio.total('USDT', 'futures') - portfolio.free('USDT', 'futures');

      payFunding(portfolio);

      expect(formatFixed(portfolio.total('USDT', 'futures'))).toBe('999');
      expect(portfolio.total('USDT', 'futures') - portfolio.free('USDT', 'futures')).toBe(margin);
    },
  );

  it('is a cost of the position that was held, also where another fill came first', () => {
    const portfolio = aPortfolio();
    fill(portfolio, 'open', BOUNDARY);
    fill(portfolio, 'open', BOUNDARY + 1);
    const margin = portfolio.total('USDT', 'futures') - portfolio.free('USDT', 'futures');

    payFunding(portfolio);

    // The position has 1 less, and so has the account: what is free is as before.
    const left = portfolio.total('USDT', 'futures') - portfolio.free('USDT', 'futures');
    expect(formatFixed(margin - left)).toBe('1');
  });
});
