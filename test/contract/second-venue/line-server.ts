/** A fault that the contract of a venue must catch. */
export type Fault =
  | 'loses orders'
  | 'tells fills twice'
  | 'does not cancel'
  | 'rounds to tenths'
  | 'moves no balance'
  | 'hides fees'
  | 'locks nothing'
  | 'takes everything';

interface Order {
  readonly id: number;
  readonly side: 'B' | 'S';
  readonly cents: bigint;
  readonly lots: bigint;
  state: 'W' | 'F' | 'K';
}

/** Cents of the best prices. */
const [BID, ASK] = [6_500_000n, 6_500_100n];

/**
 * A venue that speaks lines of text instead of JSON, in whole cents and lots (0.00001 BTC). It knows one pair and one account, and charges a
 * thousandth of what is received. Balances are in units of 1e-10.
 */
export class LineServer {
  readonly #orders: Order[] = [];
  readonly #deals: string[] = [];
  readonly #purse = { BTC: 10n ** 11n, USD: 10n ** 16n };
  readonly #fault: Fault | undefined;

  constructor(fault?: Fault) {
    this.#fault = fault;
  }

  /** One line in, as many out as the answer has. */
  ask(line: string): readonly string[] {
    const [verb, ...words] = line.split(' ');
    switch (verb) {
      case 'PLACE':
        return [this.#place(words)];
      case 'KILL':
        return [this.#kill(Number(words[0]))];
      case 'WORKING':
        return this.#orders.filter(({ state }) => state === 'W').map(lineOf);
      case 'SHOW':
        return this.#orders.filter(({ id }) => String(id) === words[0]).map(lineOf);
      case 'DEALS':
        return this.#fault === 'tells fills twice' ? [...this.#deals, ...this.#deals] : this.#deals;
      case 'PURSE':
        return this.#balances();
      default:
        return ['NO 1 unknown verb'];
    }
  }

  #place([side, cents = '', lots = '']: readonly string[]): string {
    const isTaken = this.#fault === 'takes everything';
    if (!/^[1-9]\d*$/.test(lots) && !isTaken) return 'NO 2 not in lots';
    const order: Order = {
      id: this.#orders.length + 1,
      side: side === 'S' ? 'S' : 'B',
      cents: BigInt(cents),
      lots: BigInt(Math.floor(Number(lots))),
      state: 'W',
    };
    if (order.cents * order.lots * 1_000n > this.#purse.USD && !isTaken) return 'NO 3 too dear';
    if (this.#fault === 'loses orders') return `OK ${String(order.id)}`;
    this.#orders.push(order);
    if (order.side === 'B' ? order.cents >= ASK : order.cents <= BID) this.#fill(order);
    return `OK ${String(order.id)}`;
  }

  #fill(order: Order): void {
    order.state = 'F';
    const { side, id } = order;
    const price = side === 'B' ? ASK : BID;
    const lots = this.#fault === 'rounds to tenths' ? (order.lots / 10_000n) * 10_000n : order.lots;
    const base = lots * 100_000n;
    const quote = price * lots * 1_000n;
    const fee = (side === 'B' ? base : quote) / 1_000n;
    const told = this.#fault === 'hides fees' ? 0n : fee;
    const deal = [this.#deals.length + 1, id, side, price, lots, told];
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

  /** Asset, all of it, and what of it is locked. */
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

function lineOf({ id, side, cents, lots, state }: Order): string {
  return [id, side, cents, lots, state].map(String).join(' ');
}
