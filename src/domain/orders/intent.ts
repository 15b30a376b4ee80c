import type { DecimalInput } from '../amounts/decimal.js';
import type { Work } from '../work.js';

export type Side = 'buy' | 'sell';
/** Whether an order adds to a position or reduces one. Reducing never flips. */
export type PositionAction = 'open' | 'close';
export type Direction = 'long' | 'short';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'POST_ONLY';

/**
 * How much: `quantity` in base (spot, margin) or contracts (futures); `notional` in quote; `equity` as a fraction of the account's
 * equity (0.95 is 95 %), costs included; `risk` as what the entry may lose, a share of equity above 0 and at most 1 (0.01 is 1 %).
 *
 * `risk` gives the largest quantity whose loss stays within that share, if the entry fills at last (or at its limit price) and its stop at its level, with
 * the fees, spread and slippage of the config. The stop is that of its `bracket`, or the nearer of stop-loss and trailing stop in its `protection`. An entry
 * with neither uses the stop of the position. Refused as `no-stop` if there is no stop. The quantity already held is not counted: an entry that adds
 * risks that share once more.
 */
export type Size =
  | { readonly quantity: DecimalInput }
  | { readonly notional: DecimalInput }
  | { readonly equity: DecimalInput }
  | { readonly risk: DecimalInput };

/**
 * How much of a position to exit: `quantity` in base (spot, margin) or contracts (futures), or `share`, above 0 and at most 1, of the quantity held
 * when the exit is judged, rounded down to the quantity step. Quantity that other working exits offer still counts as held: two exits of 0.33 in one
 * event are shares of the same quantity, and 1 is all of it.
 */
export type ExitSize = { readonly quantity: DecimalInput } | { readonly share: DecimalInput };

/** A price level: absolute in quote, or as a ratio of the entry price (0.02 is 2 % away from it), or a distance in quote. */
export type Level =
  | { readonly price: DecimalInput }
  | { readonly ratio: DecimalInput }
  | { readonly distance: DecimalInput };

/**
 * Exits that guard a position. The stop and the trailing stop are watched by the engine; the take-profit rests at the venue as a LIMIT
 * order. When one ends the position the others are withdrawn.
 */
export interface Protection {
  readonly stopLoss?: Level | undefined;
  readonly takeProfit?: Level | undefined;
  /** Follows the best price since entry at this distance; `price` makes no sense here and is refused. */
  readonly trailingStop?: Level | undefined;
}

/**
 * Exits of one entry alone, for its filled quantity: its own stop, watched like the stop of a position, and its own take-profit, which rests as a LIMIT
 * order. When one of them closes that quantity, the other ends. Ratios and distances count from the average price of this entry.
 */
export type Bracket = Pick<Protection, 'stopLoss' | 'takeProfit'>;

interface OrderTerms {
  /** `spot:BTCUSDT`, or the bare symbol if it is unique. @defaultValue the strategy's first instrument */
  readonly instrument?: string | undefined;
  /** Sends a LIMIT order at this price instead of a MARKET order. */
  readonly limitPrice?: DecimalInput | undefined;
  /** @defaultValue 'GTC'; spot and margin accept only this */
  readonly timeInForce?: TimeInForce | undefined;
  /** Good till time: cancels the unfilled quantity after this many milliseconds, counted from the first order, also after a replacement. */
  readonly goodForMs?: number | undefined;
  /** `goodForMs` written as a duration: `'90s'`, `'15min'`, `'3h'` or `'2d'`. */
  readonly expireAfter?: string | undefined;
  /**
   * One cancels the others: the name of a group of orders of which only one is to fill. The first fill of one order withdraws the working and waiting orders
   * of the other intents in the group, on any instrument. Two orders may both fill, if the second fills before its cancel reaches the venue.
   */
  readonly oco?: string | undefined;
  /** How it is worked; see {@link Work}. @defaultValue one order */
  readonly work?: Work | undefined;
  /** How a limit price off the tick grid is rounded. @defaultValue 'never-worse' (buy down, sell up) */
  readonly priceRounding?: 'never-worse' | 'nearest' | undefined;
  /** A name to cancel or replace by, and to read in reports. */
  readonly label?: string | undefined;
}

/** Opens or adds to a position. */
export interface EnterIntent extends OrderTerms {
  readonly kind: 'enter';
  readonly direction: Direction;
  readonly size: Size;
  /** Guards the whole position that is held after the fill, and replaces its former guards. */
  readonly protection?: Protection | undefined;
  /** Guards this entry alone; other entries keep their own brackets. Not together with `protection`. */
  readonly bracket?: Bracket | undefined;
  /** Whether to enter although a position or a working entry of that direction exists. @defaultValue false: then nothing is done */
  readonly add?: boolean | undefined;
}

/**
 * Reduces a position. Without `size` it exits the whole position: other exits of the position, and entries that cannot rest, are withdrawn first;
 * resting entries stay. With `size` it exits a part, in parallel with other exits.
 */
export interface ExitIntent extends OrderTerms {
  readonly kind: 'exit';
  /** Whether resting entries are withdrawn, too. @defaultValue false */
  readonly cancelEntries?: boolean | undefined;
  /** Which side to exit, if both can be held. @defaultValue the side that is held */
  readonly direction?: Direction | undefined;
  readonly size?: ExitSize | undefined;
}

/** Sets, moves or removes (`undefined` members) the guards of the position that is held. */
export interface ProtectIntent {
  readonly kind: 'protect';
  readonly instrument?: string | undefined;
  /** Which side to guard; required if both are held. @defaultValue the side that is held */
  readonly direction?: Direction | undefined;
  readonly protection: Protection;
}

/** Names working orders: the orders of one intent, or all orders with a label. */
export type OrderReference = { readonly intentId: number } | { readonly label: string };

/** Withdraws working orders. */
export interface CancelIntent {
  readonly kind: 'cancel';
  readonly target: OrderReference;
}

/** Withdraws a working LIMIT order and, when its end is known, sends its remaining quantity on new terms. */
export interface ReplaceIntent {
  readonly kind: 'replace';
  readonly target: OrderReference;
  readonly limitPrice?: DecimalInput | undefined;
  /** New quantity of the whole: the fills of the intent count, those of all orders that were replaced before and of all parts into which one was split. */
  readonly quantity?: DecimalInput | undefined;
}

/** Withdraws every working order and exits every position, of one instrument or of all. */
export interface FlattenIntent {
  readonly kind: 'flatten';
  readonly instrument?: string | undefined;
}

/**
 * The target size of a position: `quantity` in base or contracts, `notional` in quote, or `weight` as a share of equity. A negative size is short (margin
 * and contracts only).
 */
export type TargetSize =
  | { readonly quantity: DecimalInput }
  | { readonly notional: DecimalInput }
  | { readonly weight: DecimalInput };

/**
 * Brings positions to their targets by trading the difference to the held and working quantity. Positions above their target are reduced first. When these
 * orders have ended, the others are increased, from the holdings and balances at that time. Each trade is rounded down, so that no position passes its target.
 */
export interface TargetIntent {
  readonly kind: 'target';
  readonly targets: readonly {
    /** @defaultValue the strategy's first instrument */
    readonly instrument?: string | undefined;
    readonly to: TargetSize;
  }[];
  /** A position that is off by no more than this share of equity stays as it is. @defaultValue 0 */
  readonly tolerance?: DecimalInput | undefined;
  /** Trades worth less are left out, in quote. @defaultValue the minimum of the venue */
  readonly minimumTrade?: DecimalInput | undefined;
  readonly label?: string | undefined;
}

/** An intent of a strategy: no id, no venue detail. */
export type OrderIntent =
  | EnterIntent
  | ExitIntent
  | ProtectIntent
  | CancelIntent
  | ReplaceIntent
  | FlattenIntent
  | TargetIntent;
