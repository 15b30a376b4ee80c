import type { Decimal } from '../amounts/decimal.js';
import { decimalFromFixed, divideFixed, type Fixed } from '../amounts/fixed.js';
import { priceFromFixed, type Price } from '../amounts/price.js';
import { quantityFromFixed, type Quantity } from '../amounts/quantity.js';
import type { InstrumentId } from '../instruments/instrument.js';
import type { Direction } from '../orders/intent.js';
import type { EpochMs } from '../time.js';

/** Why a venue refuses to close a position, if it does. */
type PositionFreeze = 'no' | 'liquidation' | 'delivery';

/** Margin figures of one position in contracts, as the venue gives them. Prices in quote per base, rates as ratios; undefined if not given. */
export interface MarginReading {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly markPrice: Fixed | undefined;
  /** On cross margin the price of the bot's own books, if they have one, because the price that the venue shows is known to be wrong. */
  readonly liquidationPrice: Fixed | undefined;
  /** Margin of the position as a share of its value. */
  readonly marginRate: Fixed | undefined;
  /** The margin rate at which the venue liquidates the position. */
  readonly maintenanceRate: Fixed | undefined;
  /** Contracts held by working orders that close it. */
  readonly pendingClose: Fixed | undefined;
  readonly frozen: PositionFreeze;
}

/** How far the mark may move before the liquidation, as a share of the mark; negative beyond it. Undefined if either price is not known. */
export function distanceToLiquidation({
  markPrice,
  liquidationPrice,
  direction,
}: Pick<MarginReading, 'markPrice' | 'liquidationPrice' | 'direction'>): Fixed | undefined {
  if (markPrice === undefined || markPrice <= 0n || liquidationPrice === undefined)
    return undefined;
  const left = direction === 'long' ? markPrice - liquidationPrice : liquidationPrice - markPrice;
  return divideFixed(left, markPrice);
}

/** A {@link MarginReading} as a strategy sees it. */
export interface VenueMargin {
  /** When the bot received it, UTC milliseconds. */
  readonly time: EpochMs;
  readonly markPrice: Price | undefined;
  readonly liquidationPrice: Price | undefined;
  /** How far mark may move before the liquidation, as a ratio of mark: 0.05 is 5 %; negative beyond it. */
  readonly liquidationDistance: Decimal | undefined;
  readonly marginRate: Decimal | undefined;
  readonly maintenanceRate: Decimal | undefined;
  /** Contracts held by working orders that close the position. */
  readonly pendingClose: Quantity | undefined;
  /** Whether the venue refuses orders that would close the position, and why. */
  readonly frozen: PositionFreeze;
}

export function showVenueMargin(reading: MarginReading, time: EpochMs): VenueMargin {
  const { markPrice, liquidationPrice, marginRate, maintenanceRate, pendingClose } = reading;
  const distance = distanceToLiquidation(reading);
  return {
    time,
    markPrice: markPrice === undefined ? undefined : priceFromFixed(markPrice),
    liquidationPrice: liquidationPrice === undefined ? undefined : priceFromFixed(liquidationPrice),
    liquidationDistance: distance === undefined ? undefined : decimalFromFixed(distance),
    marginRate: marginRate === undefined ? undefined : decimalFromFixed(marginRate),
    maintenanceRate: maintenanceRate === undefined ? undefined : decimalFromFixed(maintenanceRate),
    pendingClose: pendingClose === undefined ? undefined : quantityFromFixed(pendingClose),
    frozen: reading.frozen,
  };
}
