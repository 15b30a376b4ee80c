import type { Decimal } from '../amounts/decimal.js';
import { decimalFromFixed, shareFixed, type Fixed } from '../amounts/fixed.js';
import { priceFromFixed, type Price } from '../amounts/price.js';
import { quantityFromFixed, type Quantity } from '../amounts/quantity.js';
import { contractPrice, priceOfValue } from '../instruments/contract.js';
import type { FuturesInstrument, InstrumentId } from '../instruments/instrument.js';
import type { Direction } from '../orders/intent.js';
import type { VenueMargin } from './venue-margin.js';

/**
 * A held quantity and its cost, exact. The entry value (Σ quantity × price paid) is kept, never an average, so that partial closes lose
 * nothing to rounding (DESIGN R15).
 */
export interface Holding {
  /** ≥ 0; base or contracts. */
  readonly quantity: Fixed;
  /** Cost of the held quantity, fees excluded; in quote (inverse: in base). */
  readonly entryValue: Fixed;
}

export const EMPTY_HOLDING: Holding = { quantity: 0n, entryValue: 0n };

/** Adds `quantity` bought for `value` to a holding. */
export function addToHolding(holding: Holding, quantity: Fixed, value: Fixed): Holding {
  // Skips two additions, which cost as much with 0 as with any other number.
  if (holding === EMPTY_HOLDING) return { quantity, entryValue: value };
  return { quantity: holding.quantity + quantity, entryValue: holding.entryValue + value };
}

/**
 * Takes `quantity` out of a holding, and with it its share of the entry value: value × closed / held, rounded once; the last close
 * takes the rest. `released` is that share.
 */
export function takeFromHolding(
  holding: Holding,
  quantity: Fixed,
): { readonly holding: Holding; readonly released: Fixed } {
  if (quantity >= holding.quantity) return { holding: EMPTY_HOLDING, released: holding.entryValue };
  const released = shareFixed(holding.entryValue, quantity, holding.quantity);
  return {
    holding: { quantity: holding.quantity - quantity, entryValue: holding.entryValue - released },
    released,
  };
}

/** Gives the liquidation prices of positions in one contract. */
interface LiquidationOutlook {
  liquidationPrice(direction: Direction): Price | undefined;
  liquidationDistance(direction: Direction): Decimal | undefined;
}

/** A position as a strategy sees it at one moment. Decimals are made when they are read. */
export class Position {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly exact: Holding;
  readonly #contract: FuturesInstrument | undefined;
  readonly #unrealized: Fixed;
  readonly #liquidation: LiquidationOutlook | undefined;
  readonly #venueMargin: (() => VenueMargin | undefined) | undefined;

  constructor(
    instrumentId: InstrumentId,
    direction: Direction,
    exact: Holding,
    terms: {
      /** Contracts only. */
      readonly contract?: FuturesInstrument;
      /** Contracts only, in the margin asset. @defaultValue 0 */
      readonly unrealized?: Fixed;
      /** Contracts only. @defaultValue not known */
      readonly liquidation?: LiquidationOutlook;
      /** Contracts only: returns the margin figures last read from the venue. @defaultValue none were read */
      readonly venueMargin?: (() => VenueMargin | undefined) | undefined;
    } = {},
  ) {
    this.instrumentId = instrumentId;
    this.direction = direction;
    this.exact = exact;
    this.#contract = terms.contract;
    this.#unrealized = terms.unrealized ?? 0n;
    this.#liquidation = terms.liquidation;
    this.#venueMargin = terms.venueMargin;
  }

  /** Base or contracts held, ≥ 0. */
  get quantity(): Quantity {
    return quantityFromFixed(this.exact.quantity);
  }

  /** Amount paid (on a short: received), fees excluded, in quote (inverse contracts: in base). */
  get entryValue(): Decimal {
    return decimalFromFixed(this.exact.entryValue);
  }

  /** Average price of what is held, harmonic for inverse contracts; undefined when nothing is held. */
  get entryPrice(): Price | undefined {
    const { quantity, entryValue } = this.exact;
    if (quantity === 0n) return undefined;
    return priceFromFixed(
      this.#contract === undefined || entryValue === 0n
        ? priceOfValue(quantity, entryValue)
        : contractPrice(this.#contract, quantity, entryValue),
    );
  }

  /**
   * The mark price at which the venue liquidates a position in contracts, by the bot's own books when this is read: see `instrument().liquidationPrice()`.
   * Undefined on spot and margin, and if no price liquidates the position.
   */
  get liquidationPrice(): Price | undefined {
    return this.#liquidation?.liquidationPrice(this.direction);
  }

  /** Distance of mark from the liquidation price, as a ratio of mark: 0.05 is 5 %. Undefined if that price is. */
  get liquidationDistance(): Decimal | undefined {
    return this.#liquidation?.liquidationDistance(this.direction);
  }

  /**
   * The venue's own figures of a position in contracts, as last read: distance to the liquidation, margin rates, contracts that are being closed, and whether
   * exits are refused. Undefined if no account is read (in a backtest, on paper, on spot and margin), before the first reading, and if nothing is held.
   */
  get venueMargin(): VenueMargin | undefined {
    return this.exact.quantity === 0n ? undefined : this.#venueMargin?.();
  }

  /** Profit of contracts at mark (at last while no mark is known), in the margin asset; 0 on spot and margin. */
  get unrealizedProfit(): Decimal {
    return decimalFromFixed(this.#unrealized);
  }
}
