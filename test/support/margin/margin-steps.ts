import fc from 'fast-check';
import { expect } from 'vitest';

import {
  Decimal,
  decimalFromFixed,
  flowsOfFill,
  formatFixed,
  HOUR_MS,
  multiplyFixed,
  parseFixed,
  type Asset,
  type Fixed,
  type Flows,
  type Side,
} from '../../../src/domain/index.js';
import type { MarginLedger } from '../../../src/simulator/index.js';
import { stepped } from '../arbitraries/amounts.js';
import { aMarginLedger, MIDNIGHT, pricesOf } from './builders.js';
import { NaiveMargin } from './naive-margin.js';

const RATES = { USDT: '0.00001', BTC: '0.000012345678901234', ETH: '0' };
const ONE_UNIT = new Decimal('1e-18');

/** The naive account, with the prices and orders that both accounts share. */
export class MarginWorld {
  readonly naive: NaiveMargin;
  readonly leverage: string;
  readonly prices: Record<Asset, string> = { BTC: '100', ETH: '7.5' };
  /** Working orders with the amount that each holds. */
  readonly orders: { readonly asset: Asset; amount: Fixed }[] = [];
  hours = 0;

  constructor(balances: Readonly<Record<Asset, string>>, leverage: string) {
    this.naive = new NaiveMargin(balances, RATES);
    this.leverage = leverage;
  }

  priceOf = (asset: Asset): Fixed => pricesOf(this.prices)(asset);
}

/** A ledger and the naive account, with the same start. */
export function aMarginWorld(
  balances: Readonly<Record<Asset, string>>,
  leverage: string,
): { readonly model: MarginWorld; readonly real: MarginLedger } {
  const hourlyRate = (asset: Asset): Fixed => parseFixed(RATES[asset as keyof typeof RATES]);
  return {
    model: new MarginWorld(balances, leverage),
    real: aMarginLedger(balances, { hourlyRate }),
  };
}

/** Checks that both give the same answer to every question, and that the laws hold. */
function compare(world: MarginWorld, ledger: MarginLedger): void {
  const { naive, prices, priceOf } = world;
  const terms = { leverage: parseFixed(world.leverage), priceOf };
  for (const asset of naive.assets) {
    const { principal, interest } = ledger.debt(asset);
    const parts = [ledger.free(asset), ledger.locked(asset), principal, interest];
    expect(parts.every((part) => part >= 0n)).toBe(true);
    expect([...parts, ledger.insured(asset)].map(formatFixed).join(' ')).toBe(naive.line(asset));
    expect(ledger.residual().get(asset) ?? 0n).toBe(0n);

    const borrowable = decimalFromFixed(ledger.borrowable(asset, terms));
    const question = { leverage: world.leverage, prices };
    if (!borrowable.isZero()) expect(naive.mayBorrow(borrowable, asset, question)).toBe(true);
    expect(naive.mayBorrow(borrowable.plus(ONE_UNIT), asset, question)).toBe(false);
  }
  const { assets, debt } = naive.worth(prices);
  expect(formatFixed(ledger.equity(priceOf))).toBe(
    assets.minus(debt).toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN).toFixed(),
  );
  expect(ledger.isIndebted).toBe(debt.gt(0));
}

function texts(flows: Flows): Readonly<Record<Asset, string>> {
  return Object.fromEntries([...flows].map(([asset, amount]) => [asset, formatFixed(amount)]));
}

type Step = fc.Command<MarginWorld, MarginLedger>;

abstract class MarginStep implements Step {
  check: Step['check'] = () => true;

  run(world: MarginWorld, ledger: MarginLedger): void {
    this.act(world, ledger);
    compare(world, ledger);
  }

  protected abstract act(world: MarginWorld, ledger: MarginLedger): void;
  abstract toString(): string;
}

/** Checks that both agree whether an order is covered, and returns the answer. */
function isCovered(world: MarginWorld, ledger: MarginLedger, asset: Asset, need: Fixed): boolean {
  const terms = { leverage: parseFixed(world.leverage), priceOf: world.priceOf };
  const lacking = need - ledger.free(asset);
  const naive =
    lacking <= 0n ||
    world.naive.mayBorrow(decimalFromFixed(lacking), asset, {
      leverage: world.leverage,
      prices: world.prices,
    });
  expect(ledger.available(asset, terms) >= need).toBe(naive);
  return naive;
}

class Trade extends MarginStep {
  readonly #base: Asset;
  readonly #side: Side;
  readonly #quantity: Fixed;
  readonly #fee: 'base' | 'quote';

  constructor(base: Asset, side: Side, quantity: Fixed, fee: 'base' | 'quote') {
    super();
    this.#base = base;
    this.#side = side;
    this.#quantity = quantity;
    this.#fee = fee;
  }

  protected act(world: MarginWorld, ledger: MarginLedger): void {
    const flows = this.flows(world.priceOf(this.#base));
    const [[asset, need] = ['USDT', 0n]] = [...flows].filter(([, amount]) => amount < 0n);
    if (!isCovered(world, ledger, asset, -need)) return;

    ledger.settle(flows);
    world.naive.events.push({ kind: 'fill', flows: texts(flows) });
  }

  flows(price: Fixed): Flows {
    const isInBase = this.#side === 'buy' && this.#fee === 'base';
    const value = isInBase ? this.#quantity : multiplyFixed(price, this.#quantity);
    return flowsOfFill(
      { base: this.#base, quote: 'USDT' },
      {
        side: this.#side,
        price,
        quantity: this.#quantity,
        fee: multiplyFixed(value, parseFixed('0.001')),
        feeAsset: isInBase ? this.#base : 'USDT',
      },
    );
  }

  toString(): string {
    return `${this.#side} ${formatFixed(this.#quantity)} ${this.#base}, fee in ${this.#fee}`;
  }
}

class Place extends MarginStep {
  readonly #asset: Asset;
  readonly #amount: Fixed;

  constructor(asset: Asset, amount: Fixed) {
    super();
    this.#asset = asset;
    this.#amount = amount;
  }

  protected act(world: MarginWorld, ledger: MarginLedger): void {
    if (!isCovered(world, ledger, this.#asset, this.#amount)) return;

    ledger.hold(this.#asset, this.#amount);
    world.orders.push({ asset: this.#asset, amount: this.#amount });
    noteHold(world, world.orders.length - 1);
  }

  toString(): string {
    return `place for ${formatFixed(this.#amount)} ${this.#asset}`;
  }
}

/** Fills a part of an order, or ends it. */
class Change extends MarginStep {
  readonly #pick: number;
  readonly #thirds: bigint;

  constructor(pick: number, thirds: bigint) {
    super();
    this.#pick = pick;
    this.#thirds = thirds;
  }

  override check: Step['check'] = ({ orders }) => orders.length > 0;

  protected act(world: MarginWorld, ledger: MarginLedger): void {
    const index = this.#pick % world.orders.length;
    const order = world.orders[index];
    if (order === undefined) return;
    const filled = (order.amount * this.#thirds) / 3n;
    ledger.release(order.asset, order.amount);
    order.amount = this.#thirds === 0n ? 0n : order.amount - filled;
    noteHold(world, index, '0');
    if (filled > 0n) {
      const other = order.asset === 'USDT' ? 'BTC' : 'USDT';
      // The received amount equals the paid amount, whatever the price: the trade is at 1.
      const flows = new Map([
        [order.asset, -filled],
        [other, filled],
      ]);
      ledger.settle(flows);
      world.naive.events.push({ kind: 'fill', flows: texts(flows) });
    }
    ledger.hold(order.asset, order.amount);
    noteHold(world, index);
  }

  toString(): string {
    return `order ${String(this.#pick)}: ${String(this.#thirds)} thirds`;
  }
}

function noteHold(world: MarginWorld, order: number, amount?: string): void {
  const held = world.orders[order] ?? { asset: 'USDT', amount: 0n };
  world.naive.events.push({
    kind: 'hold',
    order,
    asset: held.asset,
    amount: amount ?? formatFixed(held.amount),
  });
}

class Move extends MarginStep {
  readonly #asset: Asset;
  readonly #price: Fixed;

  constructor(asset: Asset, price: Fixed) {
    super();
    this.#asset = asset;
    this.#price = price;
  }

  protected act(world: MarginWorld): void {
    world.prices[this.#asset] = formatFixed(this.#price);
  }

  toString(): string {
    return `${this.#asset} at ${formatFixed(this.#price)}`;
  }
}

class Hour extends MarginStep {
  protected act(world: MarginWorld, ledger: MarginLedger): void {
    ledger.chargeHour(MIDNIGHT + world.hours * HOUR_MS);
    world.hours += 1;
    world.naive.events.push({ kind: 'hour' });
  }

  toString(): string {
    return 'an hour';
  }
}

/** Assesses the margin level. Carries out a margin call, at prices that cost a part of the assets. */
class Assess extends MarginStep {
  readonly #slip: Fixed;

  constructor(slip: Fixed) {
    super();
    this.#slip = slip;
  }

  protected act(world: MarginWorld, ledger: MarginLedger): void {
    const verdict = ledger.assess(world.priceOf);
    world.naive.events.push({ kind: 'assess', prices: { ...world.prices } });
    expect(verdict.kind).toBe(world.naive.verdict());
    if (verdict.kind !== 'call') return;

    world.orders.forEach((order, index) => {
      ledger.release(order.asset, order.amount);
      order.amount = 0n;
      noteHold(world, index);
    });
    for (const asset of world.naive.assets) ledger.repayFromFree(asset);
    world.naive.events.push({ kind: 'repay' });
    for (const step of verdict.plan) {
      if (step.kind === 'repay') continue;
      const side = step.kind === 'sell' ? 'sell' : 'buy';
      const factor = side === 'sell' ? parseFixed('1') - this.#slip : parseFixed('1') + this.#slip;
      const price = multiplyFixed(world.priceOf(step.asset), factor);
      const flows = new Trade(step.asset, side, step.quantity, 'quote').flows(price);
      ledger.settleForced(flows);
      world.naive.events.push({ kind: 'forced-fill', flows: texts(flows) });
    }
    ledger.writeOff();
    world.naive.events.push({ kind: 'write-off' });
    expect(ledger.isIndebted).toBe(false);
    expect(ledger.planCall(world.priceOf)).toEqual([]);
  }

  toString(): string {
    return `assess, ${formatFixed(this.#slip)} slipped`;
  }
}

const bases = fc.constantFrom<Asset>('BTC', 'ETH');
const quantity = stepped(3, { min: 1n, max: 40_000n });

/** Steps of a margin account. */
export const MARGIN_STEPS: fc.Arbitrary<Step>[] = [
  fc
    .tuple(
      bases,
      fc.constantFrom<Side>('buy', 'sell'),
      quantity,
      fc.constantFrom<'base' | 'quote'>('base', 'quote'),
    )
    .map((parts) => new Trade(...parts)),
  fc
    .tuple(fc.constantFrom('USDT', 'BTC', 'ETH'), stepped(2, { min: 1n, max: 150_000n }))
    .map(([asset, amount]) => new Place(asset, asset === 'USDT' ? amount : amount / 100n)),
  fc.tuple(fc.nat({ max: 9 }), fc.bigInt(0n, 3n)).map((parts) => new Change(...parts)),
  fc.tuple(bases, stepped(2, { min: 100n, max: 30_000n })).map((parts) => new Move(...parts)),
  fc.constant(new Hour()),
  fc.oneof(fc.constant(0n), stepped(3, { min: 1n, max: 500n })).map((slip) => new Assess(slip)),
];
