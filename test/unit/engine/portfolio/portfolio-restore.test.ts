import { describe, expect, it } from 'vitest';

import { parseFixed, type FillRecord } from '../../../../src/domain/index.js';
import { Portfolio } from '../../../../src/engine/index.js';
import { MARGIN } from '../../../support/risk/builders.js';
import { aFillRecord } from '../../../support/engine/portfolio.js';

const STEP = parseFixed('0.001');

function aMarginPortfolio(checkpoint?: ReturnType<Portfolio['checkpoint']>): Portfolio {
  return new Portfolio({
    instruments: [{ instrument: MARGIN, pricePrecision: 2 }],
    balances: { margin: new Map([['USDT', parseFixed('1000')]]) },
    equityCurrency: 'USDT',
    ...(checkpoint && { checkpoint }),
  });
}

/** Trades the margin pair at 100. */
function trade(terms: Pick<FillRecord, 'side' | 'action'>, quantity: string): FillRecord {
  return { ...aFillRecord({ quantity }), ...terms, instrumentId: MARGIN.id };
}

describe('a portfolio from a checkpoint', () => {
  it('has no long position because of the debt of a short', () => {
    const before = aMarginPortfolio();
    before.applyFill(trade({ side: 'sell', action: 'open' }, '2'), STEP);

    const restored = aMarginPortfolio(before.checkpoint());

    expect(restored.instrument(MARGIN.id).long.holding.quantity).toBe(0n);
    expect(restored.equity()).toBe(before.equity());
    expect(restored.checkpoint()).toEqual(before.checkpoint());
  });

  it('buys as much as the original portfolio, with dust owed on the short side', () => {
    const before = aMarginPortfolio();
    before.applyFill(trade({ side: 'sell', action: 'open' }, '2'), STEP);
    before.applyFill(trade({ side: 'buy', action: 'close' }, '1.9995'), STEP);
    const restored = aMarginPortfolio(before.checkpoint());

    for (const portfolio of [before, restored])
      portfolio.applyFill(trade({ side: 'buy', action: 'open' }, '3'), STEP);

    for (const portfolio of [before, restored]) {
      expect(portfolio.instrument(MARGIN.id).long.holding.quantity).toBe(parseFixed('3'));
      expect(portfolio.residual()).toBe(0n);
    }
  });
});
