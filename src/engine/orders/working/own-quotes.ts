import { Ranking, type Fixed, type Side } from '../../../domain/index.js';
import type { WorkingOrder } from './working-order.js';

/** The bot's resting LIMIT orders on one instrument, by side, best price first. A new order must not trade with them. */
export class OwnQuotes {
  readonly #buys = new Ranking<WorkingOrder>(
    (one, other) => limitOf(one) > limitOf(other),
    isQuoted,
  );
  readonly #sells = new Ranking<WorkingOrder>(
    (one, other) => limitOf(one) < limitOf(other),
    isQuoted,
  );

  /** Adds an order. Call it again when a cancel was refused: the order may have been dropped while it was being canceled. */
  add(order: WorkingOrder): void {
    if (order.canRest) this.#of(order.request.side).add(order);
  }

  /** Best price on a side; undefined if no order rests there. */
  best(side: Side): Fixed | undefined {
    const best = this.#of(side).first();
    return best && limitOf(best);
  }

  /** Number of stored orders of a side. May include ended orders, until the next clean-up. */
  held(side: Side): number {
    return this.#of(side).all.length;
  }

  #of(side: Side): Ranking<WorkingOrder> {
    return side === 'buy' ? this.#buys : this.#sells;
  }
}

function limitOf({ request }: WorkingOrder): Fixed {
  return request.type === 'limit' ? request.limitPrice : 0n;
}

/** An order that is being canceled does not count: its cancel goes out before the next order. */
function isQuoted({ status, isFinal }: WorkingOrder): boolean {
  return !isFinal && status !== 'canceling';
}
