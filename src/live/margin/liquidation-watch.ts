import {
  ceilToStep,
  distanceToLiquidation,
  floorToStep,
  formatFixed,
  stepOfPrecision,
  type Direction,
  type Fixed,
  type InstrumentId,
  type InstrumentRules,
  type MarginReading,
} from '../../domain/index.js';
import type { AccountSnapshot, VenuePosition } from '../../venue/index.js';

interface LiquidationWatchOptions {
  /** Contracts that the bot trades. */
  readonly instrumentIds: ReadonlySet<InstrumentId>;
  /** Distance of the mark from the liquidation price, as a share of the mark, below which the operator is warned. */
  readonly warnsBelow: Fixed;
  /** Liquidation price of a cross position by the bot's own books, which know the whole account. @defaultValue unknown */
  readonly ownPrice?:
    ((instrumentId: InstrumentId, direction: Direction) => Fixed | undefined) | undefined;
  /** By whose ticks prices are told. @defaultValue as they are worked out */
  readonly rulesOf?: ((instrumentId: InstrumentId) => InstrumentRules | undefined) | undefined;
  /** Takes all readings. */
  readonly onReadings: (readings: readonly MarginReading[]) => void;
  /** Called once each time that the distance falls below the limit. */
  readonly onNear: (text: string) => void;
  /** Called when the venue has frozen a position and refuses to close it; with undefined when it is no longer frozen. */
  readonly onFrozen: (instrumentId: InstrumentId, text: string | undefined) => void;
}

/** Watches the distance to the venue's liquidations, with account readings that are made anyway. */
export class LiquidationDistanceWatch {
  readonly #options: LiquidationWatchOptions;
  readonly #near = new Set<string>();
  #frozen: ReadonlySet<InstrumentId> = new Set();
  #readings: readonly MarginReading[] = [];

  constructor(options: LiquidationWatchOptions) {
    this.#options = options;
  }

  /** The latest readings. */
  get readings(): readonly MarginReading[] {
    return this.#readings;
  }

  take(snapshots: readonly AccountSnapshot[]): void {
    const accounts = snapshots.flatMap((each) => (each.kind === 'futures' ? each.accounts : []));
    if (!snapshots.some(({ kind }) => kind === 'futures')) return;
    const { instrumentIds, ownPrice } = this.#options;
    this.#readings = accounts
      .flatMap(({ positions }) => positions)
      .filter(
        ({ instrumentId, isValid, quantity }) =>
          isValid && quantity > 0n && instrumentIds.has(instrumentId),
      )
      .map((position) => readingOf(position, ownPrice));
    this.#options.onReadings(this.#readings);
    this.#tellNear();
    this.#tellFrozen();
  }

  #tellNear(): void {
    const { warnsBelow, rulesOf, onNear } = this.#options;
    const near = this.#readings.filter((reading) => {
      const distance = distanceToLiquidation(reading);
      return distance !== undefined && distance < warnsBelow;
    });
    for (const reading of near)
      if (!this.#near.has(nameOf(reading)))
        onNear(describe(reading, rulesOf?.(reading.instrumentId)));
    this.#near.clear();
    for (const reading of near) this.#near.add(nameOf(reading));
  }

  #tellFrozen(): void {
    const { onFrozen } = this.#options;
    const frozen = this.#readings.filter(({ frozen: how }) => how !== 'no');
    for (const { instrumentId, direction, frozen: how } of frozen)
      onFrozen(
        instrumentId,
        `${instrumentId}: the venue has frozen the ${direction} position for ${how}, and refuses exits`,
      );
    const now = new Set(frozen.map(({ instrumentId }) => instrumentId));
    for (const id of this.#frozen) if (!now.has(id)) onFrozen(id, undefined);
    this.#frozen = now;
  }
}

function readingOf(
  position: VenuePosition,
  ownPrice: LiquidationWatchOptions['ownPrice'],
): MarginReading {
  const { instrumentId, direction, markPrice, marginMode, marginRate, maintenanceRate } = position;
  const { liquidationPrice: shown } = position;
  const price = marginMode === 'isolated' ? shown : ownPrice?.(instrumentId, direction);
  const liquidationPrice = price !== undefined && price > 0n ? price : undefined;
  return {
    ...{ instrumentId, direction, markPrice, marginRate, maintenanceRate, liquidationPrice },
    pendingClose: position.pendingCloseQuantity,
    frozen: position.frozen ?? 'no',
  };
}

function nameOf({ instrumentId, direction }: MarginReading): string {
  return `${instrumentId} ${direction}`;
}

function describe(reading: MarginReading, rules: InstrumentRules | undefined): string {
  const { markPrice = 0n, liquidationPrice = 0n, direction } = reading;
  const percent = (Number(formatFixed(distanceToLiquidation(reading) ?? 0n)) * 100).toFixed(1);
  const tick = rules === undefined ? 1n : stepOfPrecision(rules.pricePrecision);
  // On the side of the mark: it is never told to be further away than it is.
  const shown = (direction === 'long' ? ceilToStep : floorToStep)(liquidationPrice, tick);
  return `${nameOf(reading)}: the mark ${formatFixed(markPrice)} is ${percent} % from the liquidation at ${formatFixed(shown)}`;
}
