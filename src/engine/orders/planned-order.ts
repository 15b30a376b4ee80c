import {
  parseDuration,
  type ClientOrderId,
  type EnterIntent,
  type EpochMs,
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
import { stopOfEntry } from './guards/entry-stop.js';
import type { PositionSide } from './position-side.js';
import type { OrderRole } from './working/order-cause.js';
import type { WorkState } from './worked/work-state.js';
import type { ParentOrder } from './working/working-order.js';

/** An order that is still to be proposed: an intent with its role and size. */
export interface PlannedOrder {
  readonly intentId: number;
  readonly intent: OrderIntent;
  readonly role: OrderRole;
  readonly size: OrderProposal['size'];
  /** Id of the original intent, if this replaces an order of it. @defaultValue its own */
  readonly origin?: number | undefined;
  /** Set if it replaces an order. @defaultValue a new one */
  readonly parent?: ParentOrder | undefined;
  /** Set if it continues a worked order. */
  readonly worked?: WorkState | undefined;
  /** When the venue sent it, if it is told of later. @defaultValue now */
  readonly createdTime?: EpochMs | undefined;
}

/** The intent, if it is of a kind that has terms for price and time; otherwise undefined. */
export function termsOf(intent: OrderIntent): EnterIntent | ExitIntent | undefined {
  return intent.kind === 'enter' || intent.kind === 'exit' ? intent : undefined;
}

/** Milliseconds after which the unfilled rest is canceled; undefined without an expiry. */
export function lifetimeOf({
  expireAfter,
  goodForMs,
}: EnterIntent | ExitIntent): number | undefined {
  return expireAfter === undefined ? goodForMs : parseDuration(expireAfter);
}

/** The intent for what is left of its quantity, with what is left of its lifetime. */
export function expiringAt<Intent extends OrderIntent>(
  intent: Intent,
  until: EpochMs | undefined,
  now: EpochMs,
): Intent {
  if (until === undefined || termsOf(intent) === undefined) return intent;
  return { ...intent, expireAfter: undefined, goodForMs: until - now };
}

/** The proposal of a planned order, as risk reads it. */
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

  /** A take-profit ignores resting orders: an entry that it could meet would fill first. For a trigger, the orders it meets are known only when it fires. */
  ownPriceAgainst(): Fixed | undefined {
    return this.#role === 'take-profit' ||
      this.#role === 'bracket-take-profit' ||
      this.#role === 'venue-stop'
      ? undefined
      : this.#positionSide.quotes.best(this.side === 'buy' ? 'sell' : 'buy');
  }

  clientOrderId(leg: number): ClientOrderId {
    return this.#ids.of(this.intentId, this.#attempt, leg);
  }
}
