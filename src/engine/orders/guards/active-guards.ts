import type { Direction, Fixed, InstrumentId } from '../../../domain/index.js';
import { firingLevel, type Guard } from './guard.js';
import type { PositionSide } from '../position-side.js';

/** The present guard of a position, or of a single entry. */
export interface ActiveGuard {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Base or contracts; for the guard of a position the whole holding. */
  readonly quantity: Fixed;
  readonly stop: Fixed | undefined;
  readonly takeProfit: Fixed | undefined;
  /** Present level of the trailing stop. */
  readonly trailingStop: Fixed | undefined;
  /** The entry that a bracket guards; undefined for the guard of a position. */
  readonly entry: { readonly intentId: number; readonly label: string | undefined } | undefined;
  /** Whether its stop fired but closed nothing, or the venue rejected its take-profit. It waits for the next try. */
  readonly hasFailed: boolean;
}

/** Guards of positions, each followed by the brackets of its entries, oldest first. */
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
