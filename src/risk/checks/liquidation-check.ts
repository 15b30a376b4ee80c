import {
  ceilToStep,
  contractValue,
  floorToStep,
  formatFixed,
  type Direction,
  type Fixed,
  type ResolvedRules,
} from '../../domain/index.js';
import { knownPrice } from '../account.js';
import { createRefusal } from '../refusal.js';
import type { RiskCheck } from './risk-check.js';

/** The liquidation price for messages: rounded to the tick toward the market, so that a refused stop never seems to be on the right side. */
export function liquidationOnTick(
  liquidation: Fixed,
  direction: Direction,
  { tick }: Pick<ResolvedRules, 'tick'>,
): Fixed {
  return direction === 'long' ? ceilToStep(liquidation, tick) : floorToStep(liquidation, tick);
}

/**
 * Refuses contracts whose stop would never be reached, because the venue liquidates the position before. Assumes that the whole entry fills at the
 * last price, or at its limit price, and uses the bot's own books.
 */
export const stopBeforeLiquidation: RiskCheck = {
  name: 'stop-beyond-liquidation',
  check({ proposal, terms, quantity }, rules, account) {
    const { instrument, action, side, limitPrice } = proposal;
    if (instrument.kind !== 'futures' || action === 'close') return undefined;
    const price = limitPrice === undefined ? knownPrice(account, instrument.id) : terms.price;
    const stop = price === undefined ? undefined : proposal.stopAt?.(price);
    if (price === undefined || stop === undefined) return undefined;
    const isLong = side === 'buy';
    const direction = isLong ? 'long' : 'short';
    const liquidation = account.liquidationWith?.(instrument.id, direction, {
      quantity,
      value: contractValue(instrument, quantity, price),
    });
    if (liquidation === undefined || (isLong ? stop > liquidation : stop < liquidation))
      return undefined;
    const shown = formatFixed(liquidationOnTick(liquidation, direction, rules));
    return createRefusal({
      check: this.name,
      limit: `${isLong ? 'above' : 'below'} ${shown}`,
      actual: stop,
      unit: instrument.quote,
      text: `its stop at ${formatFixed(stop)} ${instrument.quote} would never be reached: the position is liquidated at ${shown}; set a nearer stop, or less leverage or quantity`,
    });
  },
};
