import type { Direction, Fixed, InstrumentId } from '../domain/index.js';
import type { InstrumentAccount } from './portfolio/instrument-account.js';

export interface HeldPosition {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly quantity: Fixed;
}

/** Positions that are large enough to be sold. `dust`: those that are too small. */
export function heldPositions({
  portfolio,
  dust,
}: {
  readonly portfolio: {
    instruments(): Iterable<Pick<InstrumentAccount, 'instrument' | 'long' | 'short'>>;
  };
  readonly dust: { readonly held: readonly HeldPosition[] };
}): readonly HeldPosition[] {
  const tooSmall = dust.held;
  return [...portfolio.instruments()].flatMap(({ instrument: { id }, long, short }) =>
    [long, short]
      .filter(
        ({ isExposed, direction }) =>
          isExposed &&
          !tooSmall.some((one) => one.instrumentId === id && one.direction === direction),
      )
      .map(({ direction, holding: { quantity } }) => ({ instrumentId: id, direction, quantity })),
  );
}
