import {
  Decimal,
  decimalFromFixed,
  type Asset,
  type Direction,
  type FillRecord,
  type Fixed,
  type FuturesInstrument,
  type Instrument,
  type ProductKind,
} from '../../../src/domain/index.js';
import type { AccountUpdate } from '../../../src/venue/index.js';

/** One side of one instrument. */
interface NaiveSide {
  quantity: Decimal;
  entryValue: Decimal;
  margin: Decimal;
  kept: Decimal;
}

const ZERO = new Decimal(0);
const round = (value: Decimal): Decimal => value.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN);

/**
 * A portfolio in plain bookkeeping with decimal.js: money by account and asset, positions by instrument and side. It shares
 * only one rule with the engine's portfolio: each posting is rounded once.
 */
export class NaivePortfolio {
  readonly #instruments: readonly Instrument[];
  readonly #step: (instrument: Instrument) => Decimal;
  readonly money = new Map<string, Decimal>();
  readonly sides = new Map<string, NaiveSide>();

  constructor(
    instruments: readonly Instrument[],
    balances: Readonly<Partial<Record<ProductKind, Readonly<Record<Asset, string>>>>>,
    step: (instrument: Instrument) => Decimal,
  ) {
    this.#instruments = instruments;
    this.#step = step;
    for (const [kind, assets] of Object.entries(balances))
      for (const [asset, amount] of Object.entries(assets))
        this.money.set(`${kind} ${asset}`, new Decimal(amount));
  }

  of(kind: ProductKind, asset: Asset): Decimal {
    return this.money.get(`${kind} ${asset}`) ?? ZERO;
  }

  side({ id }: Instrument, direction: Direction): NaiveSide {
    const key = `${id} ${direction}`;
    const found = this.sides.get(key);
    if (found !== undefined) return found;
    const made = { quantity: ZERO, entryValue: ZERO, margin: ZERO, kept: ZERO };
    this.sides.set(key, made);
    return made;
  }

  fill(record: FillRecord): void {
    const instrument = this.#instrument(record.instrumentId);
    const direction = (record.side === 'buy') === (record.action === 'open') ? 'long' : 'short';
    const side = this.side(instrument, direction);
    if (instrument.kind === 'futures') this.#contract(instrument, direction, side, record);
    else this.#pair(instrument, side, record);
  }

  update(update: AccountUpdate): void {
    switch (update.kind) {
      case 'forced-fill': {
        this.fill(update.fill);
        const instrument = this.#instrument(update.fill.instrumentId);
        const asset = instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote;
        this.#add(instrument.kind, asset, decimalFromFixed(update.insurance));
        break;
      }
      case 'funding': {
        const amount = decimalFromFixed(update.amount);
        this.#add('futures', update.asset, amount);
        const instrument = this.#instrument(update.instrumentId) as FuturesInstrument;
        const side = this.side(instrument, update.direction);
        if (instrument.marginMode === 'isolated') side.kept = side.kept.add(amount);
        break;
      }
      case 'interest':
        this.#add('margin', update.asset, decimalFromFixed(update.amount).neg());
        break;
      case 'margin-warning':
        break;
    }
  }

  /** Total value at prices by instrument and by asset. */
  equity(
    prices: (instrument: Instrument) => { readonly mark: Decimal },
    worth: (asset: Asset) => Decimal,
  ): Decimal {
    const amounts = new Map(this.money);
    for (const instrument of this.#instruments) {
      if (instrument.kind !== 'futures') continue;
      for (const direction of ['long', 'short'] as const) {
        const key = `futures ${instrument.marginAsset}`;
        const gain = this.unrealized(instrument, direction, prices(instrument).mark);
        amounts.set(key, (amounts.get(key) ?? ZERO).add(gain));
      }
    }
    return [...amounts].reduce((sum, [key, amount]) => {
      const [, asset = ''] = key.split(' ');
      return sum.add(round(amount.mul(worth(asset))));
    }, ZERO);
  }

  unrealized(instrument: FuturesInstrument, direction: Direction, mark: Decimal): Decimal {
    const { quantity, entryValue } = this.side(instrument, direction);
    const gain = worthOf(instrument, quantity, mark).sub(entryValue);
    return gain.mul(signOf(instrument, direction));
  }

  /** The money that a new order may use of a margin asset. */
  available(asset: Asset, marks: (instrument: Instrument) => Decimal): Decimal {
    let available = this.of('futures', asset);
    let crossGain = ZERO;
    for (const instrument of this.#instruments) {
      if (instrument.kind !== 'futures' || instrument.marginAsset !== asset) continue;
      for (const direction of ['long', 'short'] as const) {
        const side = this.side(instrument, direction);
        const mark = marks(instrument);
        if (instrument.marginMode === 'isolated') {
          available = available.sub(side.margin).sub(side.kept);
        } else {
          const value = worthOf(instrument, side.quantity, mark);
          available = available.sub(round(value.div(decimalFromFixed(instrument.leverage))));
          crossGain = crossGain.add(this.unrealized(instrument, direction, mark));
        }
      }
    }
    return available.add(Decimal.min(0, crossGain));
  }

  #pair(instrument: Instrument, side: NaiveSide, record: FillRecord): void {
    const { kind, base, quote } = instrument;
    const [quantity, price, fee] = [record.quantity, record.price, record.fee].map(
      decimalFromFixed,
    ) as [Decimal, Decimal, Decimal];
    const value = round(price.mul(quantity));
    const sign = record.side === 'buy' ? 1 : -1;
    this.#add(kind, base, quantity.mul(sign));
    this.#add(kind, quote, value.mul(-sign));
    this.#add(kind, record.feeAsset, fee.neg());
    const moved = record.feeAsset === base ? quantity.sub(fee.mul(sign)) : quantity;
    if (record.action === 'open') enlarge(side, moved, value);
    else reduce(side, moved, this.#step(instrument));
  }

  #contract(
    instrument: FuturesInstrument,
    direction: Direction,
    side: NaiveSide,
    record: FillRecord,
  ): void {
    const quantity = decimalFromFixed(record.quantity);
    const value = worthOf(instrument, quantity, decimalFromFixed(record.price));
    const fee = decimalFromFixed(record.fee);
    const isIsolated = instrument.marginMode === 'isolated';
    this.#add('futures', record.feeAsset, fee.neg());
    if (record.action === 'open') {
      enlarge(side, quantity, value);
      if (isIsolated)
        side.margin = side.margin.add(round(value.div(decimalFromFixed(instrument.leverage))));
      return;
    }
    const held = side.quantity;
    const released = reduce(side, quantity, this.#step(instrument));
    const profit = value.sub(released).mul(signOf(instrument, direction));
    this.#add('futures', instrument.marginAsset, profit);
    if (!isIsolated) return;
    const result = profit.sub(fee);
    const share = quantity.gte(held) ? side.margin : round(side.margin.mul(quantity).div(held));
    const paid = Decimal.min(share, Decimal.max(0, result.neg()));
    side.margin = side.margin.sub(share);
    side.kept = quantity.gte(held) ? ZERO : side.kept.add(result).add(paid);
  }

  #add(kind: ProductKind, asset: Asset, amount: Decimal): void {
    this.money.set(`${kind} ${asset}`, this.of(kind, asset).add(amount));
  }

  #instrument(id: string): Instrument {
    const found = this.#instruments.find((instrument) => instrument.id === id);
    if (found === undefined) throw new Error(`expected ${id} among the instruments`);
    return found;
  }
}

function enlarge(side: NaiveSide, quantity: Decimal, value: Decimal): void {
  side.quantity = side.quantity.add(quantity);
  side.entryValue = side.entryValue.add(value);
}

/** Reduces a side and returns the released entry value. */
function reduce(side: NaiveSide, quantity: Decimal, step: Decimal): Decimal {
  const before = side.entryValue;
  const isAll = quantity.gte(side.quantity);
  const released = isAll ? before : round(before.mul(quantity).div(side.quantity));
  side.quantity = isAll ? ZERO : side.quantity.sub(quantity);
  side.entryValue = side.quantity.lt(step) ? ZERO : before.sub(released);
  return released;
}

function worthOf(
  { contract, multiplier }: FuturesInstrument,
  quantity: Decimal,
  price: Decimal,
): Decimal {
  const face = quantity.mul(decimalFromFixed(multiplier));
  return round(contract === 'linear' ? face.mul(price) : face.div(price));
}

function signOf({ contract }: FuturesInstrument, direction: Direction): number {
  return (contract === 'linear') === (direction === 'long') ? 1 : -1;
}

/** Compares an exact amount with a naive one. */
export function isSame(exact: Fixed, naive: Decimal): boolean {
  return decimalFromFixed(exact).eq(naive);
}
