import type { Direction, Fixed, InstrumentId } from '../../domain/index.js';
import { firingLevel, type Guard } from './guard.js';
import type { PositionSide } from './position-side.js';

/** What guards a position, or one entry alone, as it stands. */
export interface ActiveGuard {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Base or contracts; of a position all that is held. */
  readonly quantity: Fixed;
  readonly stop: Fixed | undefined;
  readonly takeProfit: Fixed | undefined;
  /** Where the trailing stop stands now. */
  readonly trailingStop: Fixed | undefined;
  /** The entry that a bracket guards alone; undefined for what guards the position. */
  readonly entry: { readonly intentId: number; readonly label: string | undefined } | undefined;
  /** Whether its stop fired and sold nothing, or the venue did not take its take-profit: it waits until it is tried again. */
  readonly hasFailed: boolean;
}

/** Guards of positions, each before the brackets of its entries, which come oldest first. */
export function listGuards(positionSides: readonly PositionSide[]): readonly ActiveGuard[] {
  return positionSides.flatMap((positionSide) => {
    const { guard, brackets = [], ledger } = positionSide;
    const ofPosition = guard
      ? [
          describe(positionSide, guard, {
            quantity: ledger.holding.quantity,
            entry: undefined,
            hasFailed: positionSide.stopFailed || positionSide.takeProfitFailed,
          }),
        ]
      : [];
    const ofEntries = brackets.map(
      ({ guard: levels, quantity, intentId, intent: { label }, stopFailed, takeProfitFailed }) =>
        describe(positionSide, levels, {
          quantity,
          entry: { intentId, label },
          hasFailed: stopFailed || takeProfitFailed === true,
        }),
    );
    return [...ofPosition, ...ofEntries];
  });
}

function describe(
  { instrumentId, direction }: PositionSide,
  guard: Guard,
  rest: Pick<ActiveGuard, 'quantity' | 'entry' | 'hasFailed'>,
): ActiveGuard {
  const { stop, takeProfit } = guard;
  const trailingStop = firingLevel({ ...guard, stop: undefined }, direction);
  return { instrumentId, direction, stop, takeProfit, trailingStop, ...rest };
}
