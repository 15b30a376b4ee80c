import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  Decimal,
  decimalFromFixed,
  parseFixed,
  type Asset,
  type FillRecord,
  type Fixed,
} from '../../../../src/domain/index.js';
import type { Portfolio } from '../../../../src/engine/index.js';
import { SPOT } from '../../../support/risk/builders.js';
import { lawRuns } from '../../../support/runs.js';
import { aSpot } from '../../../support/engine/engine.js';
import { aFillRecord, aPortfolio } from '../../../support/engine/portfolio.js';

const runs = { numRuns: lawRuns() };
const STEP = parseFixed('0.001');
const TICK = parseFixed('0.01');
const INSTRUMENTS = [SPOT, aSpot('ETH', 'BTC'), aSpot('ETH', 'USDT')] as const;
const BALANCES = { USDT: '1000000', BTC: '1000000', ETH: '0' };

interface Trade {
  readonly fill: FillRecord;
  /** The same fill, split into parts. */
  readonly parts: readonly FillRecord[];
}

const move = fc.record({
  instrument: fc.constantFrom(...INSTRUMENTS),
  isPurchase: fc.boolean(),
  steps: fc.bigInt(2n, 5_000n),
  ticks: fc.bigInt(1n, 1_000_000n),
  feeIn: fc.constantFrom('base', 'quote'),
  share: fc.bigInt(1n, 999n),
});

/** Trades on the grid. No sale exceeds the held quantity of its instrument. Fees are a thousandth, which is exact on the grid. */
const trades: fc.Arbitrary<readonly Trade[]> = fc
  .array(move, { maxLength: 40, size: 'max' })
  .map((moves) => {
    const held = new Map<string, Fixed>();
    return moves.flatMap(({ instrument, isPurchase, steps, ticks, feeIn, share }): Trade[] => {
      const before = held.get(instrument.id) ?? 0n;
      const sellable = before / STEP;
      const count = isPurchase || steps < sellable ? steps : sellable;
      if (count < 2n) return [];
      const isInBase = isPurchase && feeIn === 'base';
      const price = ticks * TICK;
      const record = (part: bigint): FillRecord => {
        const quantity = part * STEP;
        const fee = (isInBase ? quantity : (quantity * price) / 10n ** 18n) / 1_000n;
        const feeAsset = isInBase ? instrument.base : instrument.quote;
        const side = isPurchase ? 'buy' : 'sell';
        return { ...aFillRecord({ instrument, side }), price, quantity, fee, feeAsset };
      };
      const fill = record(count);
      held.set(
        instrument.id,
        before + (isPurchase ? fill.quantity : -fill.quantity) - (isInBase ? fill.fee : 0n),
      );
      const first = 1n + (share * (count - 2n)) / 1_000n;
      return [{ fill, parts: [record(first), record(count - first)] }];
    });
  });

function book(fills: readonly FillRecord[]): Portfolio {
  const portfolio = aPortfolio({ instruments: INSTRUMENTS, balances: BALANCES });
  portfolio.instrument(SPOT.id).lastNumber = 100;
  for (const fill of fills) portfolio.applyFill(fill, STEP);
  return portfolio;
}

/** The expected total of each asset, by plain decimal.js. */
function expectedTotals(fills: readonly FillRecord[]): ReadonlyMap<Asset, Decimal> {
  const totals = new Map(
    Object.entries(BALANCES).map(([asset, amount]) => [asset, new Decimal(amount)]),
  );
  const add = (asset: Asset, amount: Decimal): void => {
    totals.set(asset, (totals.get(asset) ?? new Decimal(0)).add(amount));
  };
  for (const { instrumentId, side, price, quantity, fee, feeAsset } of fills) {
    const instrument = INSTRUMENTS.find(({ id }) => id === instrumentId) ?? SPOT;
    const sign = side === 'buy' ? 1 : -1;
    add(instrument.base, decimalFromFixed(quantity).mul(sign));
    add(instrument.quote, decimalFromFixed(price).mul(decimalFromFixed(quantity)).mul(-sign));
    add(feeAsset, decimalFromFixed(fee).neg());
  }
  return totals;
}

describe('the portfolio: laws', () => {
  it('equity at any price is the initial balances less fees, plus the gain on positions', () => {
    fc.assert(
      fc.property(
        trades,
        fc.tuple(fc.bigInt(1n, 10n ** 7n), fc.bigInt(1n, 10n ** 7n)),
        (made, [btc, eth]) => {
          const fills = made.map(({ fill }) => fill);
          const portfolio = book(fills);
          portfolio.instrument(SPOT.id).lastNumber = Number(btc) / 100;
          portfolio.instrument(INSTRUMENTS[2].id).lastNumber = Number(eth) / 100;
          const prices = new Map([
            ['USDT', new Decimal(1)],
            ['BTC', new Decimal(btc.toString()).div(100)],
            ['ETH', new Decimal(eth.toString()).div(100)],
          ]);

          const expected = [...expectedTotals(fills)].reduce(
            (sum, [asset, total]) => sum.add(total.mul(prices.get(asset) ?? 0)),
            new Decimal(0),
          );

          expect(decimalFromFixed(portfolio.equity()).toFixed()).toBe(expected.toFixed());
        },
      ),
      runs,
    );
  });

  it('balances are the sum of all flows, with no residual', () => {
    fc.assert(
      fc.property(trades, (made) => {
        const fills = made.map(({ fill }) => fill);
        const portfolio = book(fills);

        for (const [asset, total] of expectedTotals(fills))
          expect(decimalFromFixed(portfolio.total(asset)).toFixed()).toBe(total.toFixed());
        expect(portfolio.residual(portfolio.balances())).toBe(0n);
      }),
      runs,
    );
  });

  it('fills in parts give the same balances, quantities and fees as whole fills', () => {
    fc.assert(
      fc.property(trades, (made) => {
        const whole = book(made.map(({ fill }) => fill));
        const inParts = book(made.flatMap(({ parts }) => parts));

        expect(inParts.balances()).toEqual(whole.balances());
        for (const asset of Object.keys(BALANCES))
          expect(inParts.cash('spot', asset).fees).toBe(whole.cash('spot', asset).fees);
        for (const { id } of INSTRUMENTS) {
          const [a, b] = [inParts, whole].map((portfolio) => portfolio.instrument(id).long.holding);
          expect(a?.quantity).toBe(b?.quantity);
          // Each part's share of the entry value is rounded once.
          const difference = (a?.entryValue ?? 0n) - (b?.entryValue ?? 0n);
          expect(difference * difference <= BigInt(made.length ** 2)).toBe(true);
        }
        expect(inParts.residual()).toBe(0n);
      }),
      runs,
    );
  });

  it('purchases in parts give exactly the same position', () => {
    fc.assert(
      fc.property(trades, (made) => {
        const purchases = made.filter(({ fill }) => fill.side === 'buy');
        const whole = book(purchases.map(({ fill }) => fill));
        const inParts = book(purchases.flatMap(({ parts }) => parts));

        for (const { id } of INSTRUMENTS)
          expect(inParts.instrument(id).long.holding).toEqual(whole.instrument(id).long.holding);
      }),
      runs,
    );
  });

  it('positions and their entry values are 0 after everything is sold', () => {
    fc.assert(
      fc.property(trades, (made) => {
        const portfolio = book(made.map(({ fill }) => fill));

        for (const instrument of INSTRUMENTS) {
          const { quantity } = portfolio.instrument(instrument.id).long.holding;
          const sale = { ...aFillRecord({ instrument, side: 'sell' }), quantity };
          if (quantity > 0n) portfolio.applyFill(sale, STEP);
          expect(portfolio.instrument(instrument.id).long.holding).toEqual({
            quantity: 0n,
            entryValue: 0n,
          });
        }
        expect(portfolio.isExposed).toBe(false);
        expect(portfolio.residual()).toBe(0n);
      }),
      runs,
    );
  });
});
