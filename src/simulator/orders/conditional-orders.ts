import {
  formatFixed,
  type EpochMs,
  type Fixed,
  type OrderReason,
  type OrderRequest,
  type ResolvedRules,
} from '../../domain/index.js';
import type { TriggerKind } from '../../venue/index.js';
import { moneyOf } from '../accounts/money.js';
import type { InstrumentMarket } from '../instrument-market.js';
import type { PathPrice } from '../path/candle-path.js';
import type { DoubtfulLevel } from '../path/path-doubt.js';
import { PathLevel, type ReachSide } from '../path/path-level.js';
import { reason } from './venue-rules.js';

/** An order that the venue sends when the last price touches a level (DESIGN R10). */
export interface ConditionalRequest {
  readonly order: OrderRequest;
  readonly trigger: TriggerKind;
  /** Quote per base. */
  readonly triggerPrice: Fixed;
}

/** Ids look like the venue's: 19 digits, above 2^53. They differ from the ids of orders. */
const FIRST_TRIGGER_ID = 2_000_000_000_000_000_000n;

/** A conditional order that waits for its trigger. */
export class WaitingTrigger implements DoubtfulLevel {
  readonly request: ConditionalRequest;
  readonly triggerId: string;
  /** Rises with each conditional order: a smaller number came first. */
  readonly sequence: number;
  readonly #place: PathLevel;

  constructor(request: ConditionalRequest, market: InstrumentMarket, sequence: number) {
    this.request = request;
    this.sequence = sequence;
    this.triggerId = String(FIRST_TRIGGER_ID + BigInt(sequence));
    this.#place = new PathLevel(market, request.triggerPrice, sideOf(request));
  }

  get market(): InstrumentMarket {
    return this.#place.market;
  }

  get level(): Fixed {
    return this.#place.level;
  }

  get side(): ReachSide {
    return this.#place.side;
  }

  /** Whether the path may reach the level in the open candle. `false` is certain. */
  get mayBeReached(): boolean {
    return this.#place.mayBeReached;
  }

  /** Value of the order at its trigger price, in quote. */
  money(): Fixed {
    const { order } = this.request;
    return order.unit === 'quote'
      ? order.quantity
      : moneyOf(this.market.source.instrument, order.quantity, this.level);
  }

  isReachedAt(price: PathPrice): boolean {
    return this.#place.isReachedAt(price);
  }

  reachTime(): EpochMs | undefined {
    return this.#place.reachTime();
  }

  /** Price of the path when it fires: the level itself, or the price after a jump. */
  firedAt(time: EpochMs): PathPrice {
    const path = this.market.path();
    return this.isReachedAt(path.before(time))
      ? { numerator: this.level, denominator: 1n }
      : path.at(time);
  }
}

/** `below` for a SELL stop-loss, a BUY take-profit and chase-down; `above` for all others. */
function sideOf({ order, trigger }: ConditionalRequest): ReachSide {
  switch (trigger) {
    case 'stop-loss':
      return order.side === 'sell' ? 'below' : 'above';
    case 'take-profit':
      return order.side === 'sell' ? 'above' : 'below';
    case 'chase-up':
      return 'above';
    case 'chase-down':
      return 'below';
  }
}

/** Why the venue refuses a conditional order, or undefined. Quantity, money and margin are checked when it fires. */
export function findTriggerViolation(
  request: ConditionalRequest,
  {
    path,
    rules,
    isFutures,
  }: { readonly path: PathPrice; readonly rules: ResolvedRules; readonly isFutures: boolean },
): OrderReason | undefined {
  const { order, trigger, triggerPrice } = request;
  if (!isFutures)
    return reason('unsupportedCombination', 'conditional orders are for contracts only');
  const fits =
    trigger === 'chase-up'
      ? order.action === 'open' && order.side === 'buy'
      : trigger === 'chase-down'
        ? order.action === 'open' && order.side === 'sell'
        : order.action === 'close';
  if (!fits)
    return reason(
      'unsupportedCombination',
      `expected ${wantedBy(trigger)} for a ${trigger}, received ${order.side} ${order.action}`,
    );
  if (triggerPrice <= 0n || triggerPrice % rules.tick !== 0n)
    return reason(
      'precision',
      `expected a trigger price > 0 on the tick ${formatFixed(rules.tick)}, received ${formatFixed(triggerPrice)}`,
    );
  const isTrue =
    sideOf(request) === 'below'
      ? path.numerator <= triggerPrice * path.denominator
      : path.numerator >= triggerPrice * path.denominator;
  return isTrue ? reason('badParameter', 'the condition is true already') : undefined;
}

function wantedBy(trigger: TriggerKind): string {
  if (trigger === 'chase-up') return 'a buy that opens';
  return trigger === 'chase-down' ? 'a sale that opens' : 'an order that closes';
}
