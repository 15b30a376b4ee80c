import { describe, expectTypeOf, it } from 'vitest';

import type {
  ApprovedDecision,
  Decimal,
  OrderRequest,
  Price,
  Quantity,
  RiskApproved,
} from '#src/domain/index.js';

describe('RiskApproved', () => {
  it('is not an order that nobody checked', () => {
    expectTypeOf<OrderRequest>().not.toExtend<RiskApproved<OrderRequest>>();
  });

  it('is an order request for whoever only reads it', () => {
    expectTypeOf<RiskApproved<OrderRequest>>().toExtend<OrderRequest>();
  });

  it('is what an approval holds', () => {
    expectTypeOf<ApprovedDecision['orders'][number]>().toEqualTypeOf<RiskApproved<OrderRequest>>();
  });
});

describe('money brands', () => {
  it('keep a quantity from being a price, and a price from being a quantity', () => {
    expectTypeOf<Quantity>().not.toExtend<Price>();
    expectTypeOf<Price>().not.toExtend<Quantity>();
  });

  it('are lost in a product, because the unit changed', () => {
    const multiply = (price: Price, quantity: Quantity) => price.mul(quantity);

    expectTypeOf(multiply).returns.toEqualTypeOf<Decimal>();
    expectTypeOf(multiply).returns.not.toExtend<Price>();
  });
});
