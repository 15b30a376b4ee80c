import {
  absFixed,
  Decimal,
  decimalFromFixed,
  fixedFromDecimal,
  type Asset,
  type Direction,
  type FillRecord,
  type Fixed,
  type Instrument,
  type InstrumentRules,
  type OrderRequest,
} from '../../../src/domain/index.js';
import { NaivePortfolio } from '../engine/naive-portfolio.js';
import type { OrderManagerBench } from '../engine/order-manager-bench.js';
import type { SequenceProduct } from './sequence-products.js';

export const FEE_RATE = new Decimal('0.001');

/** An order as the venue sees it. */
export interface VenueOrder {
  readonly request: OrderRequest;
  /** Mark when the order was sent, or the last close without a mark. The immediate loss of a contract order is measured from it. */
  readonly reference: Decimal;
  readonly oco: string | undefined;
  /** Number of the intent that it serves. */
  readonly origin: number;
  /** Number of the entry whose bracket it closes. */
  readonly bracketOf: number | undefined;
  /** Remaining quantity, in the order's unit. */
  remaining: Fixed;
  /** Whether a cancel was requested and not refused. */
  isCancelAsked: boolean;
}

/** Money and working orders of an account at the venue, computed independently of the engine. */
export class VenueModel {
  readonly working = new Map<string, VenueOrder>();
  readonly product: SequenceProduct;
  readonly paidIn: 'received' | 'quote';
  /** Limits of the venue. */
  readonly rules: Partial<InstrumentRules>;
  readonly step: Decimal;
  readonly money: NaivePortfolio;
  /** Close of the last candle. `last`: the latest close or sample. */
  price = 100;
  last = 100;
  mark: number | undefined;
  /** Filled quantities of entries with a bracket, and of the orders of these brackets, in base or contracts, by number of the entry. */
  readonly bought = new Map<number, Fixed>();
  readonly sold = new Map<number, Fixed>();
  /** Filled quantities of entries, in base or contracts, by number of their intent. */
  readonly entered = new Map<number, Fixed>();
  /** The order that was filled in this step. */
  filled: VenueOrder | undefined;

  constructor(
    product: SequenceProduct,
    {
      paidIn,
      rules,
    }: { readonly paidIn: 'received' | 'quote'; readonly rules: Partial<InstrumentRules> },
  ) {
    const { instrument, balances } = product;
    this.product = product;
    this.paidIn = paidIn;
    this.rules = rules;
    this.step = new Decimal(instrument.kind === 'futures' ? '1' : '0.001');
    this.money = new NaivePortfolio([instrument], { [instrument.kind]: balances }, () => this.step);
  }

  get instrument(): Instrument {
    return this.product.instrument;
  }

  get directions(): readonly Direction[] {
    return this.instrument.kind === 'spot' ? ['long'] : ['long', 'short'];
  }

  /** Held base or contracts of one side. Short on margin: the owed quantity. */
  held(direction: Direction): Fixed {
    return fixedFromDecimal(this.money.side(this.instrument, direction).quantity);
  }

  /** Whether a side holds at least one step. */
  isHeld(direction: Direction): boolean {
    return this.money.side(this.instrument, direction).quantity.gte(this.step);
  }

  /** Largest quantity that orders may offer to close a held quantity. A buy-back on margin includes the fee if it is taken from the bought quantity. */
  mostToClose(direction: Direction, held: Fixed): Fixed {
    const isLoan = this.instrument.kind === 'margin' && direction === 'short';
    if (!isLoan || this.paidIn !== 'received') return held;
    const steps = decimalFromFixed(held).div(new Decimal(1).sub(FEE_RATE)).div(this.step);
    return fixedFromDecimal(steps.ceil().mul(this.step));
  }

  /** Applies the commands of an engine. */
  read(bench: OrderManagerBench, commands: readonly string[]): void {
    for (const command of commands) {
      const [, canceled] = /^cancel (.*)/.exec(command) ?? [];
      const asked = this.working.get(canceled ?? '');
      if (asked !== undefined) asked.isCancelAsked = true;
      if (canceled === undefined) this.#open(bench, command.slice(0, command.indexOf(':')));
    }
  }

  #open(bench: OrderManagerBench, id: string): void {
    const request = bench.request(id);
    if (this.working.has(id)) throw new Error(`expected no second order ${id}`);
    const own = bench.engine.workingOrders.find((one) => one.request === request);
    if (own === undefined) throw new Error(`expected the engine to follow order ${id}`);
    const { intent, origin } = own;
    if (intent.kind === 'enter' && intent.bracket !== undefined && !this.bought.has(origin))
      for (const counts of [this.bought, this.sold]) counts.set(origin, 0n);
    this.working.set(id, {
      bracketOf: this.bought.size === 0 ? undefined : bracketOf(bench, own),
      request,
      reference: new Decimal(String(this.mark ?? this.price)),
      oco: 'oco' in intent ? intent.oco : undefined,
      origin,
      remaining: request.quantity,
      isCancelAsked: false,
    });
  }

  /** Books the fill of an order at a price and returns it; `quantity` in base or contracts. */
  fill(order: VenueOrder, quantity: Decimal, price: Decimal): FillRecord {
    const { clientOrderId, instrumentId, side, action, unit } = order.request;
    const value = this.valueOf(quantity, price);
    const { kind, base, quote, ...rest } = this.instrument;
    const isInBase = kind !== 'futures' && this.paidIn === 'received' && side === 'buy';
    const feeAsset = 'marginAsset' in rest ? rest.marginAsset : isInBase ? base : quote;
    const fill: FillRecord = {
      ...{ clientOrderId, instrumentId, side, action, feeAsset },
      price: fixedFromDecimal(price),
      quantity: fixedFromDecimal(quantity),
      fee: fixedFromDecimal((isInBase ? quantity : value).mul(FEE_RATE).toDecimalPlaces(18)),
      liquidity: 'taker',
      eventTime: 0,
    };
    this.money.fill(fill);
    this.filled = order;
    if (action === 'open')
      this.entered.set(order.origin, (this.entered.get(order.origin) ?? 0n) + fill.quantity);
    count(this.bought, order.origin, fill.quantity);
    if (order.bracketOf !== undefined) count(this.sold, order.bracketOf, fill.quantity);
    order.remaining -= fixedFromDecimal(unit === 'quote' ? value : quantity);
    return fill;
  }

  /** Value of base or contracts, in the asset that pays. */
  valueOf(quantity: Decimal, price: Decimal): Decimal {
    const { instrument } = this;
    const size =
      instrument.kind === 'futures' ? decimalFromFixed(instrument.multiplier) : new Decimal(1);
    const face = quantity.mul(size);
    const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
    return round(isInverse ? face.div(price) : face.mul(price));
  }

  /** Amount of an asset that the working orders reserve. */
  locked(asset: Asset): Fixed {
    let locked = new Decimal(0);
    for (const order of this.working.values()) {
      const need = this.#needOf(order);
      if (need.asset === asset) locked = locked.add(need.amount);
    }
    return fixedFromDecimal(locked);
  }

  #needOf(order: VenueOrder): { readonly asset: Asset; readonly amount: Decimal } {
    const { request } = order;
    const { instrument } = this;
    const remaining = decimalFromFixed(order.remaining);
    if (instrument.kind === 'futures') {
      const { marginAsset: asset } = instrument;
      const isClose = request.action === 'close' || remaining.isZero();
      return { asset, amount: isClose ? new Decimal(0) : this.#marginOf(order, remaining) };
    }
    if (request.side === 'sell') return { asset: instrument.base, amount: remaining };
    const value =
      request.type === 'limit'
        ? round(decimalFromFixed(request.limitPrice).mul(remaining))
        : remaining;
    const fee = this.paidIn === 'quote' ? roundUp(value.mul(FEE_RATE)) : new Decimal(0);
    return { asset: instrument.quote, amount: value.add(fee) };
  }

  /** Initial margin, fee, and the immediate loss against the mark. */
  #marginOf({ request, reference }: VenueOrder, remaining: Decimal): Decimal {
    const { instrument } = this;
    if (instrument.kind !== 'futures') return new Decimal(0);
    const isLimit = request.type === 'limit';
    const value = isLimit
      ? this.valueOf(remaining, decimalFromFixed(request.limitPrice))
      : remaining;
    const atMark = isLimit ? this.valueOf(remaining, reference) : remaining;
    const isGain = (request.side === 'buy') === (instrument.contract === 'linear');
    const loss = isGain ? value.sub(atMark) : atMark.sub(value);
    return roundUp(value.div(decimalFromFixed(instrument.leverage)))
      .add(roundUp(value.mul(FEE_RATE)))
      .add(Decimal.max(0, loss));
  }

  /** Total amounts by asset. */
  totals(): ReadonlyMap<Asset, Fixed> {
    const { kind } = this.instrument;
    const { base, quote } = this.instrument;
    return new Map(
      [base, quote].map((asset) => [asset, fixedFromDecimal(this.money.of(kind, asset))]),
    );
  }

  /** Quantity that the closing orders of one side offer. */
  offered(direction: Direction): Fixed {
    let offered = 0n;
    for (const { request, remaining } of this.working.values())
      if (request.action === 'close' && (request.side === 'sell') === (direction === 'long'))
        offered += remaining;
    return absFixed(offered);
  }
}

/** Adds to the count of a key, if the key is counted. */
function count(counts: Map<number, Fixed>, key: number, quantity: Fixed): void {
  const before = counts.get(key);
  if (before !== undefined) counts.set(key, before + quantity);
}

/** Number of the entry whose bracket an order closes. */
function bracketOf(
  { engine }: OrderManagerBench,
  { role, request }: OrderManagerBench['engine']['workingOrders'][number],
): number | undefined {
  if (role !== 'bracket-stop' && role !== 'bracket-take-profit') return undefined;
  for (const { brackets = [] } of engine.checkpoint().sides)
    for (const { intentId, stopId, takeProfitId } of brackets)
      if (stopId === request.intentId || takeProfitId === request.intentId) return intentId;
  throw new Error(`expected a bracket of order ${request.clientOrderId}`);
}

const round = (value: Decimal): Decimal => value.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN);
const roundUp = (value: Decimal): Decimal => value.toDecimalPlaces(18, Decimal.ROUND_UP);
