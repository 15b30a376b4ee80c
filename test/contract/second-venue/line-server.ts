import type { Fixed } from 'evenkeel/run';
import { GRAIN, LOT } from './line-wire.js';

/** A fault that the contract of a venue must catch. */
export type Fault =
  | 'loses orders'
  | 'tells fills twice'
  | 'does not cancel'
  | 'rounds to tenths'
  | 'moves no balance'
  | 'hides fees'
  | 'locks nothing'
  | 'takes everything'
  | 'renames orders';

interface Order {
  readonly id: number;
  /** The client order id. */
  readonly tag: string;
  readonly side: 'B' | 'S';
  /** 0 for a market order. */
  readonly cents: bigint;
  readonly lots: bigint;
  readonly at: number;
  state: 'W' | 'F' | 'K';
}

/** Settings of a server. */
export interface LineMarket {
  /** @defaultValue a clock that always shows 0 */
  readonly now?: () => number;
  /** Best bid in cents at a time. The ask is a dollar higher. @defaultValue a constant */
  readonly bidAt?: (time: number) => bigint;
  readonly fault?: Fault | undefined;
}

const SPREAD = 100n;
const MINUTE = 60_000;
/** Samples of the price within a candle. */
const SAMPLES = 12;

/**
 * A venue that speaks lines of text instead of JSON, in whole cents and lots (0.00001 BTC). It knows one pair and one account, and charges a
 * thousandth of the received amount. Balances are in units of 1e-10. Each request first matches the resting orders.
 */
export class LineServer {
  readonly #orders: Order[] = [];
  readonly #deals: string[] = [];
  readonly #purse = { BTC: 10n ** 11n, USD: 10n ** 16n };
  readonly #now: () => number;
  readonly #bidAt: (time: number) => bigint;
  readonly #fault: Fault | undefined;

  constructor({ now = () => 0, bidAt = () => 6_500_000n, fault }: LineMarket = {}) {
    this.#now = now;
    this.#bidAt = bidAt;
    this.#fault = fault;
  }

  /** Takes one line and returns the lines of the answer. */
  ask(line: string): readonly string[] {
    const [verb, ...words] = line.split(' ');
    this.#match();
    switch (verb) {
      case 'NOW':
        return [String(this.#now())];
      case 'BARS':
        return this.#bars(Number(words[0]));
      case 'BEST':
        return [`${String(this.#bid)} ${String(this.#ask)}`];
      case 'PLACE':
        return [this.#place(words)];
      case 'KILL':
        return [this.#kill(Number(words[0]))];
      case 'WORKING':
        return this.#orders.filter(({ state }) => state === 'W').map(lineOf);
      case 'SHOW':
        return this.#orders.filter(({ id }) => String(id) === words[0]).map(lineOf);
      case 'DEALS':
        return this.#dealsFrom(Number(words[0] ?? 0));
      case 'PURSE':
        return this.#balances();
      default:
        return ['NO 1 unknown verb'];
    }
  }

  /** The number of orders of a side that it has accepted. */
  placed(side: 'B' | 'S'): number {
    return this.#orders.filter((order) => order.side === side).length;
  }

  /** The number of resting orders. */
  get working(): number {
    return this.ask('WORKING').length;
  }

  /** Its books, for comparisons: each order with its client order id and filled amount, and the bitcoin of the account, as amounts. */
  books(): {
    readonly orders: readonly {
      readonly id: string;
      readonly tag: string;
      readonly filled: Fixed;
    }[];
    readonly bitcoin: Fixed;
  } {
    const orders = this.#orders.map(({ id, tag, lots, state }) => {
      return { id: String(id), tag, filled: state === 'F' ? lots * LOT : 0n };
    });
    return { orders, bitcoin: this.#purse.BTC * GRAIN };
  }

  get #bid(): bigint {
    return this.#bidAt(this.#now());
  }

  get #ask(): bigint {
    return this.#bid + SPREAD;
  }

  /** The last minutes, the open one last: its open time, its prices in cents, and its lots. */
  #bars(count: number): readonly string[] {
    const last = Math.floor(this.#now() / MINUTE) * MINUTE;
    return Array.from({ length: count }, (_, index) => {
      const opened = last - (count - 1 - index) * MINUTE;
      const until = Math.min(this.#now(), opened + MINUTE);
      const prices = Array.from({ length: SAMPLES + 1 }, (_sample, part) =>
        this.#bidAt(opened + ((until - opened) * part) / SAMPLES),
      );
      const sorted = prices.toSorted((a, b) => Number(a - b));
      return [opened, prices[0], sorted.at(-1), sorted[0], prices.at(-1), 100_000].join(' ');
    });
  }

  #dealsFrom(first: number): readonly string[] {
    const deals = this.#deals.filter((deal) => Number(deal.split(' ')[0]) >= first);
    return this.#fault === 'tells fills twice' ? [...deals, ...deals] : deals;
  }

  #place([side, cents = '', lots = '', tag = '-']: readonly string[]): string {
    const isTaken = this.#fault === 'takes everything';
    if (!/^[1-9]\d*$/.test(lots) && !isTaken) return 'NO 2 not in lots';
    const order: Order = {
      id: this.#orders.length + 1,
      tag: this.#fault === 'renames orders' ? `x-${tag}` : tag,
      side: side === 'S' ? 'S' : 'B',
      cents: BigInt(cents),
      lots: BigInt(Math.floor(Number(lots))),
      at: this.#now(),
      state: 'W',
    };
    if (order.cents * order.lots * 1_000n > this.#purse.USD && !isTaken) return 'NO 3 too dear';
    if (this.#fault === 'loses orders') return `OK ${String(order.id)}`;
    this.#orders.push(order);
    if (order.cents === 0n || this.#reaches(order, order.side === 'B' ? this.#ask : this.#bid))
      this.#fill(order, order.side === 'B' ? this.#ask : this.#bid, 'T');
    return `OK ${String(order.id)}`;
  }

  #reaches({ side, cents }: Order, price: bigint): boolean {
    return side === 'B' ? cents >= price : cents <= price;
  }

  /** Fills resting orders at their own price. */
  #match(): void {
    for (const order of this.#orders)
      if (order.state === 'W' && this.#reaches(order, order.side === 'B' ? this.#ask : this.#bid))
        this.#fill(order, order.cents, 'M');
  }

  #fill(order: Order, price: bigint, liquidity: 'M' | 'T'): void {
    order.state = 'F';
    const { side, id } = order;
    const lots = this.#fault === 'rounds to tenths' ? (order.lots / 10_000n) * 10_000n : order.lots;
    const base = lots * 100_000n;
    const quote = price * lots * 1_000n;
    const fee = (side === 'B' ? base : quote) / 1_000n;
    const told = this.#fault === 'hides fees' ? 0n : fee;
    const deal = [this.#deals.length + 1, id, side, price, lots, told, liquidity, this.#now()];
    this.#deals.push(deal.map(String).join(' '));
    if (this.#fault === 'moves no balance') return;
    this.#purse.BTC += side === 'B' ? base - fee : -base;
    this.#purse.USD += side === 'B' ? -quote : quote - fee;
  }

  #kill(id: number): string {
    const order = this.#orders.find((one) => one.id === id && one.state === 'W');
    if (order === undefined) return 'NO 4 no such order';
    if (this.#fault !== 'does not cancel') order.state = 'K';
    return 'OK';
  }

  /** Asset, its total, and the locked part. */
  #balances(): readonly string[] {
    const locked = { BTC: 0n, USD: 0n };
    for (const { side, cents, lots, state } of this.#orders) {
      if (state !== 'W' || this.#fault === 'locks nothing') continue;
      if (side === 'B') locked.USD += cents * lots * 1_000n;
      else locked.BTC += lots * 100_000n;
    }
    return (['BTC', 'USD'] as const).map(
      (asset) => `${asset} ${String(this.#purse[asset])} ${String(locked[asset])}`,
    );
  }
}

function lineOf({ id, tag, side, cents, lots, state, at }: Order): string {
  return [id, tag, side, cents, lots, state, at].map(String).join(' ');
}
