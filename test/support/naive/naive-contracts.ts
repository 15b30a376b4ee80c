import { Decimal, type Direction } from '../../../src/domain/index.js';

export const ZERO = new Decimal(0);
export const rounded = (value: Decimal): Decimal =>
  value.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN);
const up = (value: Decimal): Decimal => value.toDecimalPlaces(18, Decimal.ROUND_CEIL);

/** Terms of a contract and its account; texts are decimals. */
export interface NaiveContractTerms {
  readonly isInverse: boolean;
  readonly isCross: boolean;
  readonly multiplier: string;
  readonly leverage: string;
  readonly balance: string;
  readonly maxFeeRate: string;
  /** Smallest first; the last has no maximum. */
  readonly tiers: readonly {
    readonly max: string | undefined;
    readonly keep: string;
    readonly leverage: string;
  }[];
}

interface Side {
  contracts: Decimal;
  entry: Decimal;
  margin: Decimal;
  kept: Decimal;
  /** Results of closes less their fees, and funding. */
  realized: Decimal;
  isFrozen: boolean;
}

const nothing = (): Side => ({
  contracts: ZERO,
  entry: ZERO,
  margin: ZERO,
  kept: ZERO,
  realized: ZERO,
  isFrozen: false,
});

/** Long and short of one contract on one account, in plain decimal.js, with only the formulas of the exchange's documents. */
export class NaiveContracts {
  readonly long = nothing();
  readonly short = nothing();
  balance: Decimal;
  frozen = ZERO;
  readonly #terms: NaiveContractTerms;

  constructor(terms: NaiveContractTerms) {
    this.#terms = terms;
    this.balance = new Decimal(terms.balance);
  }

  get isHeld(): boolean {
    return this.long.contracts.gt(0) || this.short.contracts.gt(0);
  }

  exact(contracts: Decimal, price: Decimal): Decimal {
    const size = contracts.times(this.#terms.multiplier);
    return this.#terms.isInverse ? size.div(price) : size.times(price);
  }

  /** The exact value may have endless decimals. So the rate is applied before the division. */
  charge(contracts: Decimal, price: Decimal, rate: Decimal): Decimal {
    const size = contracts.times(this.#terms.multiplier).times(rate);
    return rounded(this.#terms.isInverse ? size.div(price) : size.times(price));
  }

  value(contracts: Decimal, price: Decimal): Decimal {
    return rounded(this.exact(contracts, price));
  }

  gain(direction: Direction, entry: Decimal, exit: Decimal): Decimal {
    const rises = (direction === 'long') !== this.#terms.isInverse;
    return rises ? exit.minus(entry) : entry.minus(exit);
  }

  unrealized(direction: Direction, mark: Decimal): Decimal {
    const { contracts, entry } = this[direction];
    return contracts.eq(0) ? ZERO : this.gain(direction, entry, this.value(contracts, mark));
  }

  /** The balance without the margin and the kept results of isolated positions. */
  get cross(): Decimal {
    const { long, short } = this;
    return this.balance.minus(long.margin).minus(long.kept).minus(short.margin).minus(short.kept);
  }

  /** Amount that the account shows as margin of a position. Isolated: margin plus kept results, without the realized result. */
  setAside(direction: Direction, mark: Decimal): Decimal {
    const { margin, kept, realized } = this[direction];
    return this.#terms.isCross ? this.held(direction, mark) : margin.plus(kept).minus(realized);
  }

  available(mark: Decimal): Decimal {
    let free = this.cross.minus(this.frozen);
    if (!this.#terms.isCross) return free;
    free = free.minus(this.held('long', mark)).minus(this.held('short', mark));
    const open = this.unrealized('long', mark).plus(this.unrealized('short', mark));
    return free.plus(Decimal.min(0, open));
  }

  /** Margin bound by a position: isolated its own margin, cross its initial margin at mark. */
  held(direction: Direction, mark: Decimal): Decimal {
    const { contracts, margin } = this[direction];
    if (contracts.eq(0)) return ZERO;
    return this.#terms.isCross
      ? rounded(this.value(contracts, mark).div(this.#terms.leverage))
      : margin;
  }

  #tier(value: Decimal): number {
    const found = this.#terms.tiers.findIndex(({ max }) => max === undefined || value.lte(max));
    return found < 0 ? this.#terms.tiers.length - 1 : found;
  }

  /** Money needed to open; undefined if the leverage is too high for the tier. */
  need(
    direction: Direction,
    contracts: Decimal,
    at: { readonly price: Decimal; readonly mark: Decimal; readonly rate: Decimal },
  ): Decimal | undefined {
    const { leverage, tiers } = this.#terms;
    const after = this.value(this[direction].contracts.plus(contracts), at.mark);
    const tier = tiers[this.#tier(after)];
    if (new Decimal(leverage).gt(tier?.leverage ?? 0)) return undefined;
    const value = this.value(contracts, at.price);
    const loss = this.gain(direction, value, this.value(contracts, at.mark)).neg();
    return up(value.div(leverage))
      .plus(up(value.times(at.rate)))
      .plus(Decimal.max(0, loss));
  }

  open(direction: Direction, contracts: Decimal, price: Decimal, rate: Decimal): Decimal {
    const side = this[direction];
    const value = this.value(contracts, price);
    const fee = this.charge(contracts, price, rate);
    side.contracts = side.contracts.plus(contracts);
    side.entry = side.entry.plus(value);
    if (!this.#terms.isCross)
      side.margin = side.margin.plus(rounded(value.div(this.#terms.leverage)));
    this.balance = this.balance.minus(fee);
    return fee;
  }

  /** Closes contracts. Returns the fee, and the money that an ended isolated position hands back. */
  close(
    direction: Direction,
    contracts: Decimal,
    price: Decimal,
    rate: Decimal,
  ): { readonly fee: Decimal; readonly back: Decimal } {
    const side = this[direction];
    const fee = this.charge(contracts, price, rate);
    const isAll = contracts.eq(side.contracts);
    const cost = isAll ? side.entry : rounded(side.entry.times(contracts).div(side.contracts));
    const profit = this.gain(direction, cost, this.value(contracts, price));
    const result = profit.minus(fee);
    this.balance = this.balance.plus(result);
    side.entry = side.entry.minus(cost);
    if (isAll) {
      const back = side.margin.plus(side.kept).plus(result);
      Object.assign(side, nothing());
      return { fee, back };
    }
    side.realized = side.realized.plus(result);
    if (!this.#terms.isCross) {
      const share = rounded(side.margin.times(contracts).div(side.contracts));
      const paid = Decimal.min(share, Decimal.max(0, result.neg()));
      side.margin = side.margin.minus(share);
      side.kept = side.kept.plus(result).plus(paid);
    }
    side.contracts = side.contracts.minus(contracts);
    return { fee, back: ZERO };
  }

  fund(direction: Direction, mark: Decimal, rate: Decimal): Decimal {
    const side = this[direction];
    const charge = this.charge(side.contracts, mark, rate);
    const amount = direction === 'long' ? charge.neg() : charge;
    this.balance = this.balance.plus(amount);
    side.realized = side.realized.plus(amount);
    if (!this.#terms.isCross) side.kept = side.kept.plus(amount);
    return amount;
  }

  #maintenance(direction: Direction, mark: Decimal): Decimal {
    const { contracts } = this[direction];
    if (contracts.eq(0)) return ZERO;
    const value = this.value(contracts, mark);
    const keep = this.#terms.tiers[this.#tier(value)]?.keep ?? '0';
    return value.times(new Decimal(keep).plus(this.#terms.maxFeeRate));
  }

  /** Money above the maintenance margin, of the position if isolated or of the account if cross. */
  cushion(direction: Direction, mark: Decimal): Decimal {
    if (this.#terms.isCross)
      return this.cross
        .plus(this.unrealized('long', mark))
        .plus(this.unrealized('short', mark))
        .minus(this.#maintenance('long', mark))
        .minus(this.#maintenance('short', mark));
    const { margin, kept } = this[direction];
    return margin
      .plus(kept)
      .plus(this.unrealized(direction, mark))
      .minus(this.#maintenance(direction, mark));
  }

  /**
   * Distance by which the mark may move before a liquidation is possible, in floats and on the safe side: at most a thousandth of the mark,
   * with the largest maintenance rate on the way, and only nine tenths of the result.
   */
  room(mark: number): number {
    const { multiplier, isInverse, isCross, maxFeeRate } = this.#terms;
    const at = new Decimal(mark);
    let room = mark / 1_000;
    let slope = 0;
    let money = this.cross.toNumber();
    for (const direction of ['long', 'short'] as const) {
      const { contracts, margin, kept } = this[direction];
      if (contracts.eq(0)) continue;
      const size = contracts.times(multiplier).toNumber();
      const value = isInverse ? size / mark : size * mark;
      const keep = this.#dearestKeep(value * 1.002) + Number(maxFeeRate);
      const steep = (isInverse ? (size / mark ** 2) * 1.05 : size) * (1 + keep);
      const profit = this.unrealized(direction, at).toNumber() - value * keep;
      if (!isCross) room = Math.min(room, (margin.plus(kept).toNumber() + profit) / steep);
      money += profit;
      slope += steep;
    }
    if (isCross && slope > 0) room = Math.min(room, money / slope);
    return room * 0.9;
  }

  /** The largest maintenance rate of the tiers up to this value. */
  #dearestKeep(value: number): number {
    const { tiers } = this.#terms;
    const reached = tiers.slice(0, this.#tier(new Decimal(value)) + 1);
    return Math.max(...reached.map(({ keep }) => Number(keep)));
  }

  /** The position that the venue liquidates next. On cross it is the position with the largest loss; on a tie, long. */
  broken(mark: Decimal): Direction | undefined {
    const held = (['long', 'short'] as const).filter((side) => this[side].contracts.gt(0));
    const short = held.filter((side) => this.cushion(side, mark).lte(0));
    if (!this.#terms.isCross || short.length < 2) return short[0];
    return this.unrealized('short', mark).lt(this.unrealized('long', mark)) ? 'short' : 'long';
  }

  /** Largest number of contracts that fits the tier below. */
  lowerTier(direction: Direction, mark: Decimal): Decimal {
    const tier = this.#tier(this.value(this[direction].contracts, mark));
    const max = this.#terms.tiers[tier - 1]?.max;
    if (max === undefined) return ZERO;
    const { multiplier, isInverse } = this.#terms;
    return isInverse
      ? new Decimal(max).times(mark).div(multiplier).floor()
      : new Decimal(max).div(mark.times(multiplier)).floor();
  }

  /** The amount that the venue pays for a fully closed position. */
  insure(direction: Direction, back: Decimal): Decimal {
    if (this[direction].contracts.gt(0)) return ZERO;
    const money = this.#terms.isCross ? (this.isHeld ? ZERO : this.cross) : back;
    if (money.gte(0)) return ZERO;
    this.balance = this.balance.minus(money);
    return money.neg();
  }
}
