import type { Asset, Direction, EpochMs, Fixed, FuturesInstrument } from '../../../domain/index.js';
import type { RiskAccount } from '../../../risk/index.js';
import type { VenuePosition } from '../../../venue/index.js';

/** The state of the venue that a probe uses. */
export interface ProbeView {
  readonly time: EpochMs;
  /** Quote per base. */
  readonly last: Fixed;
  readonly mark: Fixed;
  /** Available amount of the contract's margin asset. */
  readonly available: Fixed;
  /** Open positions in the contract. */
  readonly positions: readonly VenuePosition[];
}

/** A contract's account as the venue shows it: the account that risk uses for a bot without a ledger. */
export class ProbeAccount implements RiskAccount {
  readonly equityCurrency: Asset;
  readonly #view: ProbeView;

  constructor({ marginAsset }: FuturesInstrument, view: ProbeView) {
    this.equityCurrency = marginAsset;
    this.#view = view;
  }

  get now(): EpochMs {
    return this.#view.time;
  }

  lastPrice(): Fixed {
    return this.#view.last;
  }

  markPrice(): Fixed {
    return this.#view.mark;
  }

  freeBalance(): Fixed {
    return this.#view.available;
  }

  owed(): Fixed {
    return 0n;
  }

  equity(): Fixed {
    return this.#view.available;
  }

  worthOf(): undefined {
    return undefined;
  }

  held(_instrumentId: string, direction: Direction): Fixed {
    return heldIn(this.#view, direction);
  }

  /** A probe has only one order at a time, and waits for its end. */
  closing(): Fixed {
    return 0n;
  }

  workingOrders(): number {
    return 0;
  }
}

/** Number of contracts in positions of one direction. */
export function heldIn({ positions }: Pick<ProbeView, 'positions'>, direction: Direction): Fixed {
  return positions
    .filter((position) => position.direction === direction)
    .reduce((sum, { quantity }) => sum + quantity, 0n);
}
