import {
  parseDuration,
  type ClientOrderId,
  type EnterIntent,
  type ExitIntent,
  type Fixed,
  type Instrument,
  type OrderIntent,
  type PositionAction,
  type PriceRounding,
  type Side,
  type TimeInForce,
} from '../../domain/index.js';
import type { OrderProposal } from '../../risk/index.js';
import type { OrderIds } from '../order-ids.js';
import { stopOfEntry } from './entry-stop.js';
import type { PositionSide } from './position-side.js';
import type { OrderRole } from './order-cause.js';
import type { WorkState } from './work-state.js';

/** What is to become an order: an intent, in which role, and how much. */
export interface PlannedOrder {
  readonly intentId: number;
  readonly intent: OrderIntent;
  readonly role: OrderRole;
  readonly size: OrderProposal['size'];
  /** That of the intent which it goes on with, where the order of that was replaced. @defaultValue its own */
  readonly origin?: number | undefined;
  /** Where it goes on with a worked order. */
  readonly worked?: WorkState | undefined;
}

/** What is said of an order's price and time; nothing by intents that lead to orders in other ways. */
export function termsOf(intent: OrderIntent): EnterIntent | ExitIntent | undefined {
  return intent.kind === 'enter' || intent.kind === 'exit' ? intent : undefined;
}

/** After how many milliseconds what is not filled is canceled; undefined where it is good for ever. */
export function lifetimeOf({
  expireAfter,
  goodForMs,
}: EnterIntent | ExitIntent): number | undefined {
  return expireAfter === undefined ? goodForMs : parseDuration(expireAfter);
}

/** An intent as risk is asked for it. */
export class PlannedProposal implements OrderProposal {
  readonly intentId: number;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly action: PositionAction;
  readonly size: OrderProposal['size'];
  readonly limitPrice: OrderProposal['limitPrice'];
  readonly timeInForce: TimeInForce | undefined;
  readonly priceRounding: PriceRounding | undefined;
  readonly #ids: OrderIds;
  readonly #attempt: number;
  readonly #positionSide: PositionSide;
  readonly #intent: OrderIntent;
  readonly #role: OrderRole;

  /** `attempt`: proposals of the intent before this one. */
  constructor(
    positionSide: PositionSide,
    { intentId, intent, role, size }: PlannedOrder,
    { ids, attempt }: { readonly ids: OrderIds; readonly attempt: number },
  ) {
    const terms = termsOf(intent);
    this.intentId = intentId;
    this.instrument = positionSide.account.instrument;
    this.action = role === 'entry' ? 'open' : 'close';
    this.side = (positionSide.direction === 'long') === (role === 'entry') ? 'buy' : 'sell';
    this.size = size;
    this.limitPrice = terms?.limitPrice;
    this.timeInForce = terms?.timeInForce;
    this.priceRounding = terms?.priceRounding;
    this.#ids = ids;
    this.#attempt = attempt;
    this.#positionSide = positionSide;
    this.#intent = intent;
    this.#role = role;
  }

  stopAt(entryPrice: Fixed): Fixed | undefined {
    return this.#intent.kind === 'enter'
      ? stopOfEntry(this.#positionSide, this.#intent, entryPrice)
      : undefined;
  }

  /** A take-profit is sent whatever rests: where it could meet an entry, that one was to fill first. What a trigger meets is known when it fires. */
  ownPriceAgainst(): Fixed | undefined {
    return this.#role === 'take-profit' || this.#role === 'venue-stop'
      ? undefined
      : this.#positionSide.quotes.best(this.side === 'buy' ? 'sell' : 'buy');
  }

  clientOrderId(leg: number): ClientOrderId {
    return this.#ids.of(this.intentId, this.#attempt, leg);
  }
}
