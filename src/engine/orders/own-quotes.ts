import { Ranking, type Fixed, type Side } from '../../domain/index.js';
import type { WorkingOrder } from './working-order.js';

/** LIMIT orders of the bot that rest on one instrument, by side, best price first: what a new order must not trade with. */
export class OwnQuotes {
  readonly #buys = new Ranking<WorkingOrder>(
    (one, other) => limitOf(one) > limitOf(other),
    isQuoted,
  );
  readonly #sells = new Ranking<WorkingOrder>(
    (one, other) => limitOf(one) < limitOf(other),
    isQuoted,
  );

  /** Takes an order that works again where it was taken out, because its cancel was refused. */
  add(order: WorkingOrder): void {
    if (order.canRest) this.#of(order.request.side).add(order);
  }

  /** Best price on a side; undefined where nothing rests there. */
  best(side: Side): Fixed | undefined {
    const best = this.#of(side).first();
    return best && limitOf(best);
  }

  /** Orders held of a side, with those that have ended and have not left yet. */
  held(side: Side): number {
    return this.#of(side).size;
  }

  #of(side: Side): Ranking<WorkingOrder> {
    return side === 'buy' ? this.#buys : this.#sells;
  }
}

function limitOf({ request }: WorkingOrder): Fixed {
  return request.type === 'limit' ? request.limitPrice : 0n;
}

/** What is being canceled is not counted: its cancel goes out before what is sent next. */
function isQuoted({ status, isFinal }: WorkingOrder): boolean {
  return !isFinal && status !== 'canceling';
}
