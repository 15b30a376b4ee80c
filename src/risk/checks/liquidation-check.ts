import { contractValue, formatFixed } from '../../domain/index.js';
import { knownPrice } from '../account.js';
import { createRefusal } from '../refusal.js';
import type { RiskCheck } from './risk-check.js';

/**
 * Refuses contracts whose stop would never be reached, because the venue takes the position over before: measured with all of the entry filled at
 * last, or at its limit price, as far as the bot's own books say.
 */
export const stopBeforeLiquidation: RiskCheck = {
  name: 'stop-beyond-liquidation',
  check({ proposal, terms, quantity }, _rules, account) {
    const { instrument, action, side, limitPrice } = proposal;
    if (instrument.kind !== 'futures' || action === 'close') return undefined;
    const price = limitPrice === undefined ? knownPrice(account, instrument.id) : terms.price;
    const stop = price === undefined ? undefined : proposal.stopAt?.(price);
    if (price === undefined || stop === undefined) return undefined;
    const isLong = side === 'buy';
    const liquidation = account.liquidationWith?.(instrument.id, isLong ? 'long' : 'short', {
      quantity,
      value: contractValue(instrument, quantity, price),
    });
    if (liquidation === undefined || (isLong ? stop > liquidation : stop < liquidation))
      return undefined;
    return createRefusal({
      check: this.name,
      limit: `${isLong ? 'above' : 'below'} ${formatFixed(liquidation)}`,
      actual: stop,
      unit: instrument.quote,
      text: `its stop at ${formatFixed(stop)} ${instrument.quote} would never be reached: the position is liquidated at ${formatFixed(liquidation)}; set a nearer stop, or less leverage or quantity`,
    });
  },
};
