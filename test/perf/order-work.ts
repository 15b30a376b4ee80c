/** Work that costs mostly orders and intents, as strategies and by hand: resting take-profits, refusals, and orders that are moved. */
import type { Candle, CandleColumns, Fill, Size } from '../../src/domain/index.js';
import { CandleStrategy, type EntryTerms } from '../../src/strategy/index.js';
import type { HandResult } from './reference-by-hand.js';

const ONE_COIN: Size = { quantity: '1' };
/** Candles between two checks of the position. */
const EVERY = 100;
/** Smallest value of an order, in quote. */
export const SMALLEST_ORDER = 10;
const TOO_LITTLE: Size = { quantity: '0.0001' };
const QUOTED: EntryTerms = { label: 'quote', add: true };

/** Buys a coin now and then when flat, and sells it by a LIMIT order 0.2 % above the price paid. */
export class RestingTakeProfits extends CandleStrategy({}) {
  #candles = 0;

  override onCandle(): void {
    this.#candles += 1;
    if (this.#candles % EVERY === 0) this.enterLong(ONE_COIN);
  }

  override onFill({ side, price }: Fill): void {
    if (side === 'buy') this.exit({ limitPrice: price.times('1.002') });
  }
}

/** {@link RestingTakeProfits} by hand: the order sells once the path is a tick beyond its limit, which is known at the candle's close. */
export function takeProfitsByHand({ open, high, close }: CandleColumns): HandResult {
  let [cash, equity, highest, fills] = [10_000_000, 10_000_000, 0, 0];
  let [held, wanted] = [false, false];
  let limit = 0;
  let reached = 0;
  for (let row = 0; row < close.length; row += 1) {
    if (wanted) {
      const paid = open[row] as number;
      cash -= paid * 1.001;
      fills += 1;
      [held, wanted] = [true, false];
      limit = Math.ceil((Math.round(paid * 100) * 1_002) / 1_000) / 100;
      reached = limit + 0.005;
    }
    if (held && (high[row] as number) > reached) {
      cash += limit * 0.999;
      fills += 1;
      held = false;
    }
    equity = held ? cash + (close[row] as number) : cash;
    if (equity > highest) highest = equity;
    if ((row + 1) % EVERY === 0 && !held) wanted = true;
  }
  return { cash: highest, equity, fills };
}

/** With each candle asks for an entry below the smallest order value. */
export class AlwaysRefused extends CandleStrategy({}) {
  override onCandle(): void {
    this.enterLong(TOO_LITTLE);
  }
}

interface HandRefusal {
  readonly time: number;
  readonly check: string;
  readonly limit: number;
  readonly actual: number;
}

/** {@link AlwaysRefused} by hand: each refusal is kept, with its figures. */
export function refuseByHand({ openTime, close }: CandleColumns): HandResult {
  const refusals: HandRefusal[] = [];
  let [cash, highest] = [10_000_000, 0];
  for (let row = 0; row < close.length; row += 1) {
    const last = close[row] as number;
    const time = (openTime[row] as number) + 60_000;
    const actual = last * 0.0001;
    if (actual < SMALLEST_ORDER)
      refusals.push({ time, check: 'min-order-money', limit: SMALLEST_ORDER, actual });
    if (cash > highest) highest = cash;
  }
  cash = highest;
  return { cash, equity: cash, fills: 0, refusals: refusals.length };
}

/** Cancels its order with each candle and places a new one 10 % below the close. */
export class AlwaysQuoting extends CandleStrategy({}) {
  override onCandle({ close }: Candle): void {
    this.cancel({ label: 'quote' });
    this.enterLong(ONE_COIN, { ...QUOTED, limitPrice: (close * 0.9).toFixed(2) });
  }
}

interface HandOrder {
  readonly placedAt: number;
  readonly limit: number;
  state: 'working' | 'canceled' | 'filled';
  endedAt: number;
}

/** {@link AlwaysQuoting} by hand: each order is kept, its money is set aside while it works, and each candle may fill it. */
export function quoteByHand({ openTime, low, close }: CandleColumns): HandResult {
  const orders: HandOrder[] = [];
  let working: HandOrder | undefined;
  let [cash, free, held, equity, highest, fills] = [10_000_000, 10_000_000, 0, 0, 0, 0];
  for (let row = 0; row < close.length; row += 1) {
    const last = close[row] as number;
    const time = (openTime[row] as number) + 60_000;
    if (working !== undefined && (low[row] as number) < working.limit - 0.005) {
      [working.state, working.endedAt] = ['filled', time];
      cash -= working.limit * 1.001;
      held += 1;
      fills += 1;
      working = undefined;
    }
    equity = cash + held * last;
    if (equity > highest) highest = equity;
    if (working !== undefined) {
      [working.state, working.endedAt] = ['canceled', time];
      free += working.limit * 1.001;
    }
    const limit = Math.round(last * 90) / 100;
    if (limit * 1.001 > free) continue;
    free -= limit * 1.001;
    working = { placedAt: time, limit, state: 'working', endedAt: 0 };
    orders.push(working);
  }
  return { cash: highest, equity, fills, orders: orders.length };
}
