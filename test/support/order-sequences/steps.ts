import type fc from 'fast-check';

import { Decimal, decimalFromFixed, formatFixed } from '../../../src/domain/index.js';
import type { OrderManagerBench } from '../engine/order-manager-bench.js';
import type { DrawnIntent } from './drawn-intents.js';
import type { SequenceLaws } from './sequence-laws.js';
import type { VenueModel, VenueOrder } from './venue-model.js';

/** An engine with the laws that check it. */
export interface Watched {
  readonly bench: OrderManagerBench;
  readonly laws: SequenceLaws;
}

/** One step. It may ask the model whether it is possible, and changes both engine and model. */
abstract class Step implements fc.Command<VenueModel, Watched> {
  abstract readonly text: string;
  protected readonly needsOrder: boolean = false;

  check({ working }: Readonly<VenueModel>): boolean {
    return !this.needsOrder || working.size > 0;
  }

  abstract act(model: VenueModel, bench: OrderManagerBench): readonly string[];

  run(model: VenueModel, { bench, laws }: Watched): void {
    model.read(bench, this.act(model, bench));
    laws.check();
  }

  toString(): string {
    return this.text;
  }
}

/** Raises intents in one event. */
export class Want extends Step {
  readonly text: string;
  readonly #drawn: readonly DrawnIntent[];

  constructor(drawn: readonly DrawnIntent[]) {
    super();
    this.#drawn = drawn;
    this.text = `want ${JSON.stringify(drawn.map(({ at }) => at({ last: 100 })))}`;
  }

  override run(model: VenueModel, watched: Watched): void {
    watched.laws.begin();
    super.run(model, watched);
  }

  override act(model: VenueModel, bench: OrderManagerBench): readonly string[] {
    model.last = model.price;
    return bench.want(...this.#drawn.map(({ at }) => at({ last: model.price })));
  }
}

/** Moves the market, by a number of hundredths of a percent. */
export class Price extends Step {
  readonly text: string;
  readonly #kind: 'candle' | 'sample' | 'mark';
  readonly #move: number;

  constructor(kind: 'candle' | 'sample' | 'mark', move: number) {
    super();
    this.#kind = kind;
    this.#move = move;
    this.text = `${kind} ${String(move)} ‱`;
  }

  override act(model: VenueModel, bench: OrderManagerBench): readonly string[] {
    const moved = Math.round(model.last * (100 + this.#move / 100)) / 100;
    const price = Math.min(Math.max(moved, 25), 400);
    if (this.#kind === 'mark') {
      if (model.instrument.kind !== 'futures') return [];
      model.mark = price;
      return bench.mark(price);
    }
    model.last = price;
    if (this.#kind === 'sample') return bench.sample(String(price));
    model.price = price;
    return bench.candle(price);
  }
}

export class Pass extends Step {
  readonly text: string;
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    super();
    this.#milliseconds = milliseconds;
    this.text = `pass ${String(milliseconds)} ms`;
  }

  override act(_model: VenueModel, bench: OrderManagerBench): readonly string[] {
    return bench.pass(this.#milliseconds);
  }
}

/** A step of the venue on one of the orders that work there. */
abstract class Answer extends Step {
  readonly #pick: number;
  protected override readonly needsOrder = true;

  constructor(pick: number) {
    super();
    this.#pick = pick;
  }

  override act(model: VenueModel, bench: OrderManagerBench): readonly string[] {
    const ids = [...model.working.keys()];
    const id = ids[this.#pick % ids.length] ?? '';
    const order = model.working.get(id);
    return order === undefined ? [] : this.answer(id, order, { model, bench });
  }

  protected abstract answer(
    id: string,
    order: VenueOrder,
    both: { readonly model: VenueModel; readonly bench: OrderManagerBench },
  ): readonly string[];
}

/** The venue reports on an order that continues to work. `lose`: the outcome is unknown to the engine, and the model stays as it was. */
export class Say extends Answer {
  readonly text: 'accept' | 'refuse cancel' | 'lose';

  constructor(pick: number, text: 'accept' | 'refuse cancel' | 'lose') {
    super(pick);
    this.text = text;
  }

  protected override answer(
    id: string,
    order: VenueOrder,
    { bench }: { readonly bench: OrderManagerBench },
  ): readonly string[] {
    if (this.text === 'accept') return bench.accept(id);
    if (this.text === 'lose') return bench.lose(id);
    order.isCancelAsked = false;
    return bench.refuseCancel(id);
  }
}

export class End extends Answer {
  readonly text: string;
  readonly #status: 'canceled' | 'rejected' | 'expired';

  constructor(pick: number, status: 'canceled' | 'rejected' | 'expired') {
    super(pick);
    this.#status = status;
    this.text = status;
  }

  protected override answer(
    id: string,
    { request, remaining }: VenueOrder,
    { model, bench }: { readonly model: VenueModel; readonly bench: OrderManagerBench },
  ): readonly string[] {
    model.working.delete(id);
    // An order with a fill, or with a requested cancel, can no longer be rejected.
    const isNew = remaining === request.quantity && bench.status(id) !== 'canceling';
    return bench.end(id, isNew || this.#status !== 'rejected' ? this.#status : 'canceled');
  }
}

export class Fill extends Answer {
  readonly text: string;
  /** Parts per thousand of the remaining quantity. */
  readonly #share: number;
  /** Whether a marketable LIMIT order fills at the market price instead of its limit. */
  readonly #isAtMarket: boolean;

  constructor(pick: number, share: number, isAtMarket: boolean) {
    super(pick);
    this.#share = share;
    this.#isAtMarket = isAtMarket;
    this.text = `fill ${String(share)} ‰${isAtMarket ? ' at the market' : ''}`;
  }

  protected override answer(
    id: string,
    order: VenueOrder,
    { model, bench }: { readonly model: VenueModel; readonly bench: OrderManagerBench },
  ): readonly string[] {
    const price = this.#priceOf(order, model.price);
    const remaining = decimalFromFixed(order.remaining);
    const most =
      order.request.unit === 'quote'
        ? floor(remaining.div(model.valueOf(new Decimal(1), price)), model.step)
        : remaining;
    const part = floor(most.mul(this.#share).div(1_000), model.step).add(model.step);
    const quantity = Decimal.min(most, part);
    if (quantity.isZero()) return [];
    const isFilled = quantity.eq(most);
    const fill = model.fill(order, quantity, price);
    if (isFilled) model.working.delete(id);
    return bench.fill(id, quantity.toFixed(), {
      price: price.toFixed(),
      fee: formatFixed(fill.fee),
      feeAsset: fill.feeAsset,
      isFilled,
    });
  }

  #priceOf({ request }: VenueOrder, market: number): Decimal {
    const last = new Decimal(String(market));
    if (request.type === 'market') return last;
    const limit = decimalFromFixed(request.limitPrice);
    if (!this.#isAtMarket) return limit;
    return request.side === 'buy' ? Decimal.min(limit, last) : Decimal.max(limit, last);
  }
}

function floor(value: Decimal, step: Decimal): Decimal {
  return value.div(step).floor().mul(step);
}
