import { describe, expect, it } from 'vitest';

import { parseFixed, type Instrument } from '../../../../src/domain/index.js';
import { reservationOf } from '../../../../src/engine/orders/reservation.js';
import { assess, type OrderProposal, type RiskPolicy } from '../../../../src/risk/index.js';
import {
  anAccount,
  aPolicy,
  aProposal,
  approvedOf,
  contractRules,
  INVERSE,
  LINEAR,
  MARGIN,
  someFees,
  someRules,
  SPOT,
} from '../../../support/risk/builders.js';

const LAST = '100000.7';
const inQuote = someFees({ paidIn: 'quote' });

/** The amount that risk reserves for an entry, and the reservation of the order that it sends. */
function judged(
  instrument: Instrument,
  proposal: Partial<OrderProposal>,
  policy: RiskPolicy = aPolicy(),
): { readonly reserved: bigint | undefined; readonly reservation: bigint } {
  const isContract = instrument.kind === 'futures';
  const rules = isContract ? contractRules() : someRules();
  const asked = aProposal({ instrument, ...proposal });
  const { orders, reserved } = approvedOf(
    assess(asked, rules, anAccount({ last: LAST, long: '5' }), policy),
  );
  const [request] = orders;
  if (request === undefined || orders.length > 1) throw new Error('expected one order');
  const referencePrice = isContract ? parseFixed(LAST) : undefined;
  const order = { request, remaining: request.quantity, referencePrice };
  return { reserved, reservation: reservationOf(instrument, order, policy, 0) };
}

describe('the reserved amount of an approved entry', () => {
  it.each([
    ['a purchase at a limit', SPOT, { size: { quantity: '0.0123' }, limitPrice: '99999.31' }],
    ['a purchase at market', SPOT, { size: { notional: '250.37' } }],
    ['a purchase at last and the band', SPOT, { size: { quantity: '0.0123' } }],
    ['a purchase on margin', MARGIN, { size: { quantity: '0.0123' } }],
    ['contracts', LINEAR, { size: { quantity: '3' } }],
    ['contracts sold below the mark', LINEAR, { side: 'sell', size: { quantity: '3' } }],
    ['inverse contracts', INVERSE, { size: { quantity: '1' }, limitPrice: '99999.3' }],
  ] as const)('equals the reservation of %s', (_name, instrument, proposal) => {
    for (const policy of [aPolicy(), aPolicy({ fees: () => inQuote })]) {
      const { reserved, reservation } = judged(instrument, proposal, policy);
      expect(reserved).toBe(reservation);
      expect(reservation).toBeGreaterThan(0n);
    }
  });

  it.each([
    ['a short on margin, which holds base', MARGIN, { side: 'sell', size: { quantity: '0.01' } }],
    ['contracts for money', LINEAR, { size: { notional: '250' } }],
    ['an exit', SPOT, { side: 'sell', action: 'close', size: { all: true } }],
  ] as const)('is undefined for %s', (_name, instrument, proposal) => {
    expect(judged(instrument, proposal).reserved).toBeUndefined();
  });

  it('is undefined for contracts with a cost reserve', () => {
    const policy = aPolicy({ costReserve: parseFixed('0.001') });

    expect(judged(LINEAR, { size: { quantity: '3' } }, policy).reserved).toBeUndefined();
  });
});
