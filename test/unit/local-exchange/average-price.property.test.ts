import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  Decimal,
  formatFixed,
  type ClientOrderId,
  type Fixed,
  type Instrument,
} from '../../../src/domain/index.js';
import { OrderRecords } from '../../../src/local-exchange/accounts/order-records.js';
import { aContract } from '../../support/futures-venue.js';

const Exact = Decimal.clone({ precision: 100 });
const whole = (value: number): Fixed => BigInt(value) * 10n ** 18n;
const price = fc.integer({ min: 1, max: 10_000_000 }).map((tenths) => BigInt(tenths) * 10n ** 17n);
const quantity = fc.integer({ min: 1, max: 3_000 }).map(whole);

/** The average price that an order shows after these fills. */
function averageOf(
  instrument: Instrument,
  fills: readonly { readonly price: Fixed; readonly quantity: Fixed }[],
): string | undefined {
  const records = new OrderRecords({
    userId: '1',
    ordinal: 1,
    instrumentOf: () => instrument,
    marginModeOf: () => undefined,
    stepAt: () => whole(1),
    contractIdOf: () => undefined,
    feeRatesOf: () => ({ maker: 0n, taker: 0n, paidIn: 'received' }),
  });
  const request = {
    instrumentId: instrument.id,
    side: 'buy',
    action: 'open',
    quantity: whole(1_000_000),
    unit: 'contracts',
    clientOrderId: undefined,
    type: 'market',
  } as const;
  const record = records.open(request, 0, {});
  for (const fill of fills)
    records.take({
      kind: 'fill',
      clientOrderId: record.internalId,
      fill: {
        ...fill,
        clientOrderId: 'a' as ClientOrderId,
        instrumentId: instrument.id,
        side: 'buy',
        action: 'open',
        fee: 0n,
        feeAsset: 'USDT',
        liquidity: 'taker',
        eventTime: 0,
      },
      isFilled: false,
      eventTime: 0,
    });
  const { averagePrice } = records.show(record);
  return averagePrice === undefined ? undefined : formatFixed(averagePrice);
}

describe.each(['linear', 'inverse'] as const)(
  'avgPrice of an order on a %s contract',
  (contract) => {
    const instrument = aContract(contract, { multiplier: contract === 'linear' ? '0.001' : '100' });

    it('equals the price to the last digit if all fills have the same price', () => {
      fc.assert(
        fc.property(
          price,
          fc.array(quantity, { minLength: 1, maxLength: 5 }),
          (one, quantities) => {
            const fills = quantities.map((each) => ({ price: one, quantity: each }));

            expect(averageOf(instrument, fills)).toBe(formatFixed(one));
          },
        ),
      );
    });

    it('is the exact average of several fills, rounded once', () => {
      const fills = fc.array(fc.record({ price, quantity }), { minLength: 1, maxLength: 5 });
      fc.assert(
        fc.property(fills, (given) => {
          const sum = (of: (price: string, quantity: string) => Decimal): Decimal =>
            given.reduce(
              (total, each) => total.plus(of(formatFixed(each.price), formatFixed(each.quantity))),
              new Exact(0),
            );
          const filled = sum((_, quantityText) => new Exact(quantityText));
          const expected =
            contract === 'linear'
              ? sum((priceText, quantityText) => new Exact(priceText).times(quantityText)).div(
                  filled,
                )
              : filled.div(
                  sum((priceText, quantityText) => new Exact(quantityText).div(priceText)),
                );

          expect(averageOf(instrument, given)).toBe(
            expected.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN).toFixed(),
          );
        }),
      );
    });
  },
);
