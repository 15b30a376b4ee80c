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
 * What the engine asks risk for: one intent with its sugar resolved. Which side leaves which position, cancel before exit and
 * no-ops are settled; sizes and prices are still as the strategy wrote them.
 */
export interface OrderProposal {
  readonly intentId: number;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly action: PositionAction;
  /** `all`: the whole position; `share`: so much of it. Closes only. */
  readonly size: Size | ExitSize | { readonly all: true };
  /** Sends a LIMIT order at this price; absent: takes what there is (DESIGN R7). */
  readonly limitPrice?: DecimalInput | undefined;
  /** @defaultValue 'GTC'; futures orders that take what there is are IOC */
  readonly timeInForce?: TimeInForce | undefined;
  /** @defaultValue 'never-worse' */
  readonly priceRounding?: PriceRounding | undefined;
  /** Where the stop of an entry is once it has filled at this price; undefined where it has none. @defaultValue it has none */
  stopAt?(entryPrice: Fixed): Fixed | undefined;
  /** Best price of the bot's own orders that rest on the other side; undefined where none does. @defaultValue none does */
  ownPriceAgainst?(): Fixed | undefined;
  /** Pure function of bot, intent and attempt; legs count from 0. */
  clientOrderId(leg: number): ClientOrderId;
}
