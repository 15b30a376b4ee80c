import type {
  ClientOrderId,
  EnterIntent,
  ExitIntent,
  Instrument,
  OrderIntent,
  PositionAction,
  PriceRounding,
  Side,
  TimeInForce,
} from '../../domain/index.js';
import type { OrderProposal } from '../../risk/index.js';
import type { Slot } from './slot.js';
import type { OrderRole } from './working-order.js';

/** What is to become an order: an intent, in which role, and how much. */
export interface Wish {
  readonly intentId: number;
  readonly intent: OrderIntent;
  readonly role: OrderRole;
  readonly size: OrderProposal['size'];
}

/** What is said of an order's price and time; nothing by intents that lead to orders in other ways. */
export function termsOf(intent: OrderIntent): EnterIntent | ExitIntent | undefined {
  return intent.kind === 'enter' || intent.kind === 'exit' ? intent : undefined;
}

/** A wish as risk is asked for it. */
export class WishProposal implements OrderProposal {
  readonly intentId: number;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly action: PositionAction;
  readonly size: OrderProposal['size'];
  readonly limitPrice: OrderProposal['limitPrice'];
  readonly timeInForce: TimeInForce | undefined;
  readonly priceRounding: PriceRounding | undefined;
  readonly #idPrefix: string;
  readonly #attempt: number;

  /** `attempt`: proposals of the intent before this one. */
  constructor(
    slot: Slot,
    { intentId, intent, role, size }: Wish,
    { idPrefix, attempt }: { readonly idPrefix: string; readonly attempt: number },
  ) {
    const terms = termsOf(intent);
    this.intentId = intentId;
    this.instrument = slot.account.instrument;
    this.action = role === 'entry' ? 'open' : 'close';
    this.side = (slot.direction === 'long') === (role === 'entry') ? 'buy' : 'sell';
    this.size = size;
    this.limitPrice = terms?.limitPrice;
    this.timeInForce = terms?.timeInForce;
    this.priceRounding = terms?.priceRounding;
    this.#idPrefix = idPrefix;
    this.#attempt = attempt;
  }

  clientOrderId(leg: number): ClientOrderId {
    const attempt = this.#attempt;
    // Nearly all orders are the only one of their intent.
    const end =
      attempt === 0 && leg === 0 ? '-0-0' : `-${attempt.toString(36)}-${leg.toString(36)}`;
    // The short end first: a text made of many parts would be kept as its parts.
    return `${this.#idPrefix}${this.intentId.toString(36) + end}` as ClientOrderId;
  }
}
