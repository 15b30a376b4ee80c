import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { FIXED_ONE } from '../../../src/domain/index.js';
import { FillValuer, roundTrips, type RunFill } from '../../../src/report/index.js';
import { splitFill, tradingFills } from '../../support/arbitraries/trading-fills.js';
import { aRunFill, BTC_SPOT, ETH_SPOT } from '../../support/run-records.js';
import { lawRuns } from '../../support/runs.js';

function tripsOf(fills: readonly RunFill[]) {
  const valuer = new FillValuer({ instruments: [BTC_SPOT, ETH_SPOT], equityCurrency: 'USDT' });
  return roundTrips(fills.map((fill) => valuer.of(fill)));
}

/** Flows of the fills: quote paid and received less fees in quote, and base held per instrument. */
function naiveFlows(fills: readonly RunFill[]) {
  let cash = 0n;
  const base = new Map<string, bigint>();
  for (const { record } of fills) {
    const sign = record.side === 'buy' ? 1n : -1n;
    const isQuoteFee = record.feeAsset === 'USDT';
    cash -= (sign * record.price * record.quantity) / FIXED_ONE + (isQuoteFee ? record.fee : 0n);
    const moved = sign * record.quantity - (isQuoteFee ? 0n : record.fee);
    base.set(record.instrumentId, (base.get(record.instrumentId) ?? 0n) + moved);
  }
  return { cash, base };
}

/** Sells everything that is still held at 50, dust included, on a grid that is fine enough for dust. */
function closingFills(fills: readonly RunFill[]): readonly RunFill[] {
  const { base } = naiveFlows(fills);
  return [BTC_SPOT, ETH_SPOT].flatMap((instrument) => {
    const held = base.get(instrument.id) ?? 0n;
    const fill = aRunFill({ instrument, side: 'sell', price: '50', time: 1_000 });
    return held === 0n ? [] : [{ ...fill, record: { ...fill.record, quantity: held } }];
  });
}

describe('roundTrips', () => {
  it.each(['quote', 'received'] as const)(
    'earns in total the cash gained once all is sold, with fees paid in %s',
    (paidIn) => {
      fc.assert(
        fc.property(tradingFills(paidIn), (traded) => {
          const fills = [...traded, ...closingFills(traded)];

          const earned = tripsOf(fills).reduce((sum, { pnl }) => sum + pnl, 0n);

          expect(earned).toBe(naiveFlows(fills).cash);
        }),
        { numRuns: lawRuns() },
      );
    },
  );

  it('makes the same trades from partial fills', () => {
    fc.assert(
      fc.property(
        tradingFills('quote'),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (fills, share) => {
          const parts = fills.flatMap((fill) => splitFill(fill, share));

          expect(tripsOf(parts)).toEqual(tripsOf(fills));
        },
      ),
      { numRuns: lawRuns() },
    );
  });

  it('makes the same trades from partial fills, up to rounding, when fees leave dust', () => {
    fc.assert(
      fc.property(
        tradingFills('received'),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (fills, share) => {
          const whole = tripsOf(fills);
          const parts = tripsOf(fills.flatMap((fill) => splitFill(fill, share)));

          const withoutPnl = whole.map((trip, index) => ({ ...trip, pnl: parts[index]?.pnl }));
          expect(parts).toEqual(withoutPnl);
          // Each partial close rounds its share of the entry value once, to 10^-18.
          const difference = whole.map(({ pnl }, index) => pnl - (parts[index]?.pnl ?? 0n));
          expect(difference.every((units) => units > -200n && units < 200n)).toBe(true);
        },
      ),
    );
  });

  it('ends trades in time order, and never before they began', () => {
    fc.assert(
      fc.property(tradingFills('received'), (fills) => {
        const trips = tripsOf(fills);

        for (const [index, trip] of trips.entries()) {
          expect(trip.closeTime).toBeGreaterThanOrEqual(trip.openTime);
          expect(trip.closeTime).toBeGreaterThanOrEqual(trips[index - 1]?.closeTime ?? 0);
        }
      }),
    );
  });
});
