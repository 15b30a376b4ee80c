import type {
  ClientOrderId,
  DecimalInput,
  ExitSize,
  Fixed,
  Instrument,
  PositionAction,
  PriceRounding,
  Side,
  Size,
  TimeInForce,
} from '../domain/index.js';

/**
 * The request of the engine to risk: one intent with its shortcuts resolved. The side of an exit, cancels before an exit and no-ops are settled;
 * sizes and prices are still as the strategy wrote them.
 */
export interface OrderProposal {
  readonly intentId: number;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly action: PositionAction;
  /** `all`: the whole position; `share`: this share of it. Exits only. */
  readonly size: Size | ExitSize | { readonly all: true };
  /** Price of a LIMIT order. Without it, the order takes the available volume (DESIGN R7). */
  readonly limitPrice?: DecimalInput | undefined;
  /** @defaultValue 'GTC'; futures orders without a limit price are IOC */
  readonly timeInForce?: TimeInForce | undefined;
  /** @defaultValue 'never-worse' */
  readonly priceRounding?: PriceRounding | undefined;
  /** Stop price of an entry that fills at this price; undefined without a stop. @defaultValue no stop */
  stopAt?(entryPrice: Fixed): Fixed | undefined;
  /** Best price of the bot's own orders that rest on the other side; undefined without such an order. @defaultValue no such order */
  ownPriceAgainst?(): Fixed | undefined;
  /** Pure function of bot, intent and attempt; legs count from 0. */
  clientOrderId(leg: number): ClientOrderId;
}
