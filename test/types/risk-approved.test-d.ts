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
  it('does not accept an unchecked order', () => {
    expectTypeOf<OrderRequest>().not.toExtend<RiskApproved<OrderRequest>>();
  });

  it('can be read as an order request', () => {
    expectTypeOf<RiskApproved<OrderRequest>>().toExtend<OrderRequest>();
  });

  it('is the type of the orders in an approval', () => {
    expectTypeOf<ApprovedDecision['orders'][number]>().toEqualTypeOf<RiskApproved<OrderRequest>>();
  });
});

describe('money brands', () => {
  it('do not accept a quantity as a price, or a price as a quantity', () => {
    expectTypeOf<Quantity>().not.toExtend<Price>();
    expectTypeOf<Price>().not.toExtend<Quantity>();
  });

  it('are lost in a product of price and quantity, because the unit changed', () => {
    const multiply = (price: Price, quantity: Quantity) => price.mul(quantity);

    expectTypeOf(multiply).returns.toEqualTypeOf<Decimal>();
    expectTypeOf(multiply).returns.not.toExtend<Price>();
  });
});
