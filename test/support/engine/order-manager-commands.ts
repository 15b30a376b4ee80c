import fc from 'fast-check';

import {
  floorToStep,
  formatFixed,
  minFixed,
  multiplyFixed,
  parseFixed,
  shareFixed,
  type Fixed,
  type OrderIntent,
  type OrderRequest,
} from '../../../src/domain/index.js';
import { SPOT } from '../risk/builders.js';
import type { OrderManagerBench } from './order-manager-bench.js';

const STEP = parseFixed('0.001');
const FEE_RATE = parseFixed('0.001');

/** An order as the venue sees it. */
interface VenueOrder {
  readonly request: OrderRequest;
  /** In the order's unit. */
  remaining: Fixed;
  /** Asked for, and not refused. */
  isCancelAsked: boolean;
}

/** What the account is worth and what works at the venue, kept apart from everything the engine keeps. */
export class VenueModel {
  readonly working = new Map<string, VenueOrder>();
  readonly paidIn: 'received' | 'quote';
  usdt: Fixed;
  btc = 0n;
  price = 100;

  constructor(paidIn: 'received' | 'quote', usdt: string) {
    this.paidIn = paidIn;
    this.usdt = parseFixed(usdt);
  }

  /** Takes what an engine's commands say. */
  read(bench: OrderManagerBench, commands: readonly string[]): void {
    for (const command of commands) {
      const [, canceled] = /^cancel (.*)/.exec(command) ?? [];
      const asked = this.working.get(canceled ?? '');
      if (asked !== undefined) asked.isCancelAsked = true;
      if (canceled !== undefined) continue;
      const id = command.slice(0, command.indexOf(':'));
      const request = bench.request(id);
      if (this.working.has(id)) throw new Error(`expected no second order ${id}`);
      this.working.set(id, { request, remaining: request.quantity, isCancelAsked: false });
    }
  }

  /** What the working orders hold back of an asset: sells their base, buys their quote, with a fee paid in quote on top. */
  locked(asset: 'BTC' | 'USDT'): Fixed {
    let locked = 0n;
    for (const { request, remaining } of this.working.values()) {
      if ((request.side === 'sell') !== (asset === 'BTC')) continue;
      if (request.side === 'sell') locked += remaining;
      else {
        const value =
          request.type === 'limit' ? multiplyFixed(request.limitPrice, remaining) : remaining;
        // Values here have at most 5 decimals, so a thousandth of them is exact.
        locked += this.paidIn === 'quote' ? value + value / 1_000n : value;
      }
    }
    return locked;
  }
}

/** One step: it may ask the model whether it can happen, and tells both of it. */
abstract class Step implements fc.Command<VenueModel, OrderManagerBench> {
  abstract readonly text: string;
  protected readonly needsOrder: boolean = false;

  check({ working }: Readonly<VenueModel>): boolean {
    return !this.needsOrder || working.size > 0;
  }

  abstract act(model: VenueModel, bench: OrderManagerBench): readonly string[];

  run(model: VenueModel, bench: OrderManagerBench): void {
    model.read(bench, this.act(model, bench));
    checkAgreement(model, bench);
  }

  toString(): string {
    return this.text;
  }
}

class Want extends Step {
  readonly text: string;
  readonly #intent: OrderIntent;

  constructor(intent: OrderIntent) {
    super();
    this.#intent = intent;
    this.text = `want ${JSON.stringify(intent)}`;
  }

  override act(_model: VenueModel, bench: OrderManagerBench): readonly string[] {
    return bench.want(this.#intent);
  }
}

class Price extends Step {
  readonly text: string;
  readonly #kind: 'candle' | 'sample';
  readonly #price: number;

  constructor(kind: 'candle' | 'sample', price: number) {
    super();
    this.#kind = kind;
    this.#price = price;
    this.text = `${kind} ${String(price)}`;
  }

  override act(model: VenueModel, bench: OrderManagerBench): readonly string[] {
    if (this.#kind === 'sample') return bench.sample(String(this.#price));
    model.price = this.#price;
    return bench.candle(this.#price);
  }
}

class Pass extends Step {
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

class Accept extends Answer {
  readonly text = 'accept';

  protected override answer(
    id: string,
    _order: VenueOrder,
    { bench }: { readonly bench: OrderManagerBench },
  ): readonly string[] {
    return bench.accept(id);
  }
}

class RefuseCancel extends Answer {
  readonly text = 'refuse cancel';

  protected override answer(
    id: string,
    order: VenueOrder,
    { bench }: { readonly bench: OrderManagerBench },
  ): readonly string[] {
    order.isCancelAsked = false;
    return bench.refuseCancel(id);
  }
}

/** The venue knows of the order all that it knew before. */
class Lose extends Answer {
  readonly text = 'lose';

  protected override answer(
    id: string,
    _order: VenueOrder,
    { bench }: { readonly bench: OrderManagerBench },
  ): readonly string[] {
    return bench.lose(id);
  }
}

class End extends Answer {
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
    // What has filled, or is being canceled, is not rejected any more.
    const isNew = remaining === request.quantity && bench.status(id) !== 'canceling';
    return bench.end(id, isNew || this.#status !== 'rejected' ? this.#status : 'canceled');
  }
}

class Fill extends Answer {
  readonly text: string;
  /** In parts per thousand of what is left. */
  readonly #share: bigint;

  constructor(pick: number, share: number) {
    super(pick);
    this.#share = BigInt(share);
    this.text = `fill ${String(share)} ‰`;
  }

  protected override answer(
    id: string,
    order: VenueOrder,
    { model, bench }: { readonly model: VenueModel; readonly bench: OrderManagerBench },
  ): readonly string[] {
    const { request } = order;
    const price = request.type === 'limit' ? request.limitPrice : parseFixed(String(model.price));
    const most =
      request.unit === 'quote'
        ? floorToStep(shareFixed(order.remaining, 10n ** 18n, price), STEP)
        : order.remaining;
    const quantity = minFixed(most, floorToStep((most * this.#share) / 1_000n, STEP) + STEP);
    if (quantity === 0n) return [];
    const value = multiplyFixed(price, quantity);
    const isInBase = model.paidIn === 'received' && request.side === 'buy';
    const fee = multiplyFixed(isInBase ? quantity : value, FEE_RATE);
    const sign = request.side === 'buy' ? 1n : -1n;
    model.usdt -= sign * value + (isInBase ? 0n : fee);
    model.btc += sign * quantity - (isInBase ? fee : 0n);
    order.remaining -= request.unit === 'quote' ? value : quantity;
    if (quantity === most) model.working.delete(id);
    return bench.fill(id, formatFixed(quantity), {
      price: formatFixed(price),
      fee: formatFixed(fee),
      feeAsset: isInBase ? 'BTC' : 'USDT',
      isFilled: quantity === most,
    });
  }
}

/** What must hold after every step. Throws where it does not. */
export function checkAgreement(model: VenueModel, { engine }: OrderManagerBench): void {
  const { portfolio } = engine;
  const totals = new Map([
    ['USDT', model.usdt],
    ['BTC', model.btc],
  ]);
  const expectSame = (what: string, expected: unknown, actual: unknown): void => {
    if (expected !== actual)
      throw new Error(`${what}: expected ${String(expected)}, received ${String(actual)}`);
  };
  expectSame('residual', 0n, portfolio.residual({ spot: totals }));
  for (const asset of ['USDT', 'BTC'] as const) {
    const { free, locked } = portfolio.balance(asset).exact;
    expectSame(`locked ${asset}`, model.locked(asset), locked);
    expectSame(`free ${asset}`, (totals.get(asset) ?? 0n) - locked, free);
    expectSame(`${asset} is not negative`, true, free >= 0n && locked >= 0n);
  }
  const working = engine.workingOrders;
  expectSame(
    'working',
    [...model.working.keys()].join(),
    working.map(({ request: { clientOrderId } }) => clientOrderId).join(),
  );
  for (const { request, remaining, reserved } of working)
    expectSame(`${request.clientOrderId} counts`, true, remaining >= 0n && reserved >= 0n);
  const { quantity } = portfolio.instrument(SPOT.id).long.holding;
  const selling = model.locked('BTC');
  expectSame('sells no more than is held', true, selling <= quantity);
}

const amount = fc.integer({ min: 1, max: 3_000 }).map((steps) => String(steps / 1_000));
const price = fc.integer({ min: 6_000, max: 14_000 }).map((ticks) => String(ticks / 100));
const ratio = fc.integer({ min: 1, max: 30 }).map((percent) => String(percent / 100));
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

/** Leaves out what is undefined, as an author would. */
function record(shape: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> {
  return fc
    .record(shape)
    .map((all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    );
}

const protection = record({
  stopLoss: optional(ratio.map((value) => ({ ratio: value }))),
  takeProfit: optional(ratio.map((value) => ({ ratio: value }))),
  trailingStop: optional(ratio.map((value) => ({ ratio: value }))),
});
const target = fc.oneof(
  fc.record({ intentId: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ label: fc.constantFrom('a', 'b', 'take-profit') }),
);
const terms = {
  limitPrice: optional(price),
  goodForMs: optional(fc.integer({ min: 1, max: 5_000 })),
  label: optional(fc.constantFrom('a', 'b')),
};
const quantity = amount.map((value) => ({ quantity: value }));
const entry = record({
  kind: fc.constant('enter'),
  direction: fc.constant('long'),
  size: fc.oneof(
    quantity,
    fc.integer({ min: 1, max: 4_000 }).map((money) => ({ notional: String(money) })),
    ratio.map((value) => ({ equity: value })),
  ),
  add: optional(fc.constant(true)),
  protection: optional(protection),
  ...terms,
});
const intents: readonly fc.Arbitrary<object>[] = [
  entry,
  entry,
  entry,
  record({
    kind: fc.constant('exit'),
    size: optional(quantity),
    cancelEntries: optional(fc.constant(true)),
    ...terms,
  }),
  record({ kind: fc.constant('protect'), protection }),
  record({ kind: fc.constant('cancel'), target }),
  record({
    kind: fc.constant('replace'),
    target,
    limitPrice: optional(price),
    quantity: optional(amount),
  }),
  fc.constant({ kind: 'flatten' }),
];

const pick = fc.nat({ max: 20 });
const number = price.map(Number);

/** Everything a strategy, the market and the venue can do, entries and answers more often than the rest. */
export const ORDER_MANAGER_STEPS: fc.Arbitrary<Step>[] = [
  ...intents.map((intent) => intent.map((wanted) => new Want(wanted as OrderIntent))),
  number.map((value) => new Price('candle', value)),
  number.map((value) => new Price('sample', value)),
  fc.integer({ min: 1, max: 3_000 }).map((milliseconds) => new Pass(milliseconds)),
  ...[0, 1, 2].flatMap((): fc.Arbitrary<Step>[] => [
    pick.map((index) => new Accept(index)),
    fc
      .tuple(pick, fc.oneof(fc.constant(1_000), fc.integer({ min: 0, max: 999 })))
      .map(([at, share]) => new Fill(at, share)),
    fc
      .tuple(pick, fc.constantFrom('canceled', 'rejected', 'expired'))
      .map(([at, status]) => new End(at, status)),
  ]),
  pick.map((index) => new RefuseCancel(index)),
  pick.map((index) => new Lose(index)),
];

/** Answers as a willing venue would, which fills what takes any price and ends only what it is asked to. Returns whether all is left. */
export function leave(model: VenueModel, bench: OrderManagerBench): boolean {
  model.read(bench, bench.want({ kind: 'protect', protection: {} }, { kind: 'flatten' }));
  for (let round = 0; round < 20 && model.working.size > 0; round += 1) {
    [...model.working.values()].forEach(({ request, isCancelAsked }) => {
      const at = [...model.working.keys()].indexOf(request.clientOrderId);
      const answer = isCancelAsked
        ? new End(at, 'canceled')
        : request.type === 'market'
          ? new Fill(at, 1_000)
          : new Accept(at);
      answer.run(model, bench);
    });
  }
  return model.working.size === 0 && model.btc < STEP;
}
