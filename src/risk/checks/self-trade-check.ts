import { formatFixed } from '../../domain/index.js';
import { createRefusal } from '../refusal.js';
import type { RiskCheck } from './risk-check.js';

/** Refuses a limit price that reaches an own order which rests on the other side. Venues refuse such an order, or let the account trade with itself. */
export const selfTrade: RiskCheck = {
  name: 'self-trade',
  check({ proposal, terms }) {
    if (proposal.limitPrice === undefined || terms.type !== 'limit') return undefined;
    const own = proposal.ownPriceAgainst?.();
    const { price } = terms;
    const isBuy = proposal.side === 'buy';
    if (own === undefined || (isBuy ? price < own : price > own)) return undefined;
    const limit = `${isBuy ? 'below' : 'above'} ${formatFixed(own)}`;
    return createRefusal({
      check: this.name,
      limit,
      actual: price,
      unit: 'price',
      text: `a ${proposal.side} at ${formatFixed(price)} would trade with the bot's own ${isBuy ? 'sell' : 'buy'} at ${formatFixed(own)}, which rests in ${proposal.instrument.id}: cancel that one first, or ask for a price ${limit}`,
    });
  },
};
