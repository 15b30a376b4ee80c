import type { DecimalInput } from './decimal.js';
import type { Work } from './work.js';

export type Side = 'buy' | 'sell';
/** Whether an order adds to a position or reduces one. Reducing never flips. */
export type PositionAction = 'open' | 'close';
export type Direction = 'long' | 'short';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'POST_ONLY';

/**
 * How much: `quantity` in base (spot, margin) or contracts (futures); `notional` in quote; `equity` as a fraction of the account's
 * equity (0.95 is 95 %), costs included; `risk` as what the entry may lose, a share of equity above 0 and at most 1 (0.01 is 1 %).
 *
 * `risk` is the largest quantity that loses no more than that where it fills at last, or at its limit price, and its stop at its level, with the
 * fees, spread and slippage of the config. Refused as `no-stop` without a stop-loss or trailing stop in its `protection`; the nearer of both counts. What is
 * held already is not counted: an entry that adds risks that share once more. A stop of its `bracket` counts likewise; without one of its own it counts the
 * stop of the position.
 */
export type Size =
  | { readonly quantity: DecimalInput }
  | { readonly notional: DecimalInput }
  | { readonly equity: DecimalInput }
  | { readonly risk: DecimalInput };

/**
 * How much of a position to leave: `quantity` in base (spot, margin) or contracts (futures), or `share`, above 0 and at most 1, of all that is held
 * when the exit is judged, rounded down to the quantity step. What other exits offer is held as well: two of 0.33 in one event are of the same
 * position, and 1 is all of it.
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
  readonly stopLoss?: Level;
  readonly takeProfit?: Level;
  /** Follows the best price since entry at this distance; `price` makes no sense here and is refused. */
  readonly trailingStop?: Level;
}

/**
 * Exits of one entry alone, for what of it has been filled: its own stop, watched as that of a position is, and its own take-profit, which rests as a LIMIT
 * order. The one ends the other. Ratios and distances count from the average price of this entry.
 */
export type Bracket = Pick<Protection, 'stopLoss' | 'takeProfit'>;

interface OrderTerms {
  /** `spot:BTCUSDT`, or the bare symbol where it is unique. @defaultValue the strategy's first instrument */
  readonly instrument?: string;
  /** Sends a LIMIT order at this price instead of taking what there is. */
  readonly limitPrice?: DecimalInput | undefined;
  /** @defaultValue 'GTC'; spot and margin know nothing else */
  readonly timeInForce?: TimeInForce | undefined;
  /** Good till time: cancels what is not filled after this many milliseconds, counted from when each order is sent. */
  readonly goodForMs?: number;
  /** The same as a duration: `'90s'`, `'15min'`, `'3h'` or `'2d'`. */
  readonly expireAfter?: string;
  /**
   * One cancels the others: a name for orders of which one is to be filled. The first fill of one withdraws what works and waits of the others, whatever
   * their instrument. Two that fill before the venue has heard of the cancel are both filled.
   */
  readonly oco?: string;
  /** How it is worked; see {@link Work}. @defaultValue one order */
  readonly work?: Work | undefined;
  /** How a limit price off the tick grid is rounded. @defaultValue 'never-worse' (buy down, sell up) */
  readonly priceRounding?: 'never-worse' | 'nearest';
  /** A name to cancel or replace by, and to read in reports. */
  readonly label?: string;
}

/** Opens or adds to a position. */
export interface EnterIntent extends OrderTerms {
  readonly kind: 'enter';
  readonly direction: Direction;
  readonly size: Size;
  /** Guards all of the position that is held then, in the place of what guarded it before. */
  readonly protection?: Protection;
  /** Guards this entry alone, beside those of others; not together with `protection`. */
  readonly bracket?: Bracket | undefined;
  /** Whether to enter although a position or a working entry of that direction exists. @defaultValue false: then nothing is done */
  readonly add?: boolean;
}

/**
 * Reduces a position. Without `size` by all of it: other exits of the position are withdrawn first, and so are entries that take what there is; entries
 * that rest are left alone. With `size` by a part, beside other exits.
 */
export interface ExitIntent extends OrderTerms {
  readonly kind: 'exit';
  /** Whether entries that rest are withdrawn, too. @defaultValue false */
  readonly cancelEntries?: boolean;
  /** Which side to leave where both can be held. @defaultValue the one that is held */
  readonly direction?: Direction;
  readonly size?: ExitSize;
}

/** Sets, moves or removes (`undefined` members) the guards of the position that is held. */
export interface ProtectIntent {
  readonly kind: 'protect';
  readonly instrument?: string;
  /** Which side to guard where both are held. @defaultValue the one that is held */
  readonly direction?: Direction;
  readonly protection: Protection;
}

/** Names working orders: those of one intent, or all with a label. */
export type OrderReference = { readonly intentId: number } | { readonly label: string };

/** Withdraws working orders. */
export interface CancelIntent {
  readonly kind: 'cancel';
  readonly target: OrderReference;
}

/** Withdraws a working LIMIT order and, when its end is known, sends what was left of it on new terms. */
export interface ReplaceIntent {
  readonly kind: 'replace';
  readonly target: OrderReference;
  readonly limitPrice?: DecimalInput;
  /** New total; what the old order has filled counts toward it. */
  readonly quantity?: DecimalInput;
}

/** Withdraws every working order and leaves every position, of one instrument or of all. */
export interface FlattenIntent {
  readonly kind: 'flatten';
  readonly instrument?: string;
}

/**
 * What a position is to be: `quantity` in base or contracts, `notional` in quote, or `weight` as a share of equity. Below 0 it is short, on margin and
 * contracts.
 */
export type TargetSize =
  | { readonly quantity: DecimalInput }
  | { readonly notional: DecimalInput }
  | { readonly weight: DecimalInput };

/**
 * Brings positions to what they are to be, by the difference to what is held and working: what becomes less is sold first, and when that has ended, what
 * becomes more is bought with what there is then. Each trade is rounded down, so that none goes past its target.
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

/** What a strategy wants; no id, no venue detail. */
export type OrderIntent =
  | EnterIntent
  | ExitIntent
  | ProtectIntent
  | CancelIntent
  | ReplaceIntent
  | FlattenIntent
  | TargetIntent;
