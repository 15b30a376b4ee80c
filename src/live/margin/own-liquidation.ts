import type { Clock, Direction, Fixed, InstrumentId } from '../../domain/index.js';
import { liquidationOf, type Engine } from '../../engine/index.js';
import type { ForcedTradesOptions } from './forced-trades.js';

/** Returns the mark at which a position is liquidated by the bot's own books. The venue's figure for cross positions is known to be wrong. */
export function ownLiquidation(
  { portfolio: { contracts } }: Pick<Engine, 'portfolio'>,
  termsAt: ForcedTradesOptions['termsAt'],
  clock: Clock,
): (instrumentId: InstrumentId, direction: Direction) => Fixed | undefined {
  return (instrumentId, direction) =>
    liquidationOf(contracts.side(instrumentId, direction), contracts.open, {
      tiersOf: ({ instrument }) => termsAt(instrument.id, clock.now()).tiers,
      maxFeeRate: termsAt(instrumentId, clock.now()).maxFeeRate,
    });
}
