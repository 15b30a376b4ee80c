import { createHash } from 'node:crypto';

import type { Result, ResultFill, ResultOrder } from './result-schema.js';

/** The fields of an order or a fill that are hashed. */
export type HashedFields = Pick<
  ResultOrder | ResultFill,
  'time' | 'instrument' | 'action' | 'side' | 'price' | 'quantity'
>;

/** Lines that are hashed at once. */
const PIECE_LINES = 1_024;

/**
 * Hashes the orders and the fills. Equal hashes mean the same orders, whatever their ids.
 *
 * SHA-256, in lower-case hexadecimal, over one line `time,instrument,action,side,price,quantity` per entry in the order of the list, in UTF-8, each ended by
 * a line feed. Time is in UTC milliseconds; price and quantity are plain decimals as in the result file; the price of a market order is empty; an empty list
 * is the empty text.
 * @example `jq -r '.orders[]|[.time,.instrument,.action,.side,.price,.quantity]|join(",")' result.json | sha256sum`
 */
export function hashLists({ orders, fills }: Pick<Result, 'orders' | 'fills'>): Result['hash'] {
  return { orders: hashLines(orders), fills: hashLines(fills) };
}

function hashLines(entries: readonly HashedFields[]): string {
  const hash = new ListHash();
  for (const entry of entries) hash.add(entry);
  return hash.digest();
}

/** Hash of one list, built entry by entry. */
export class ListHash {
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];

  add({ time, instrument, action, side, price, quantity }: HashedFields): void {
    const line = `${String(time)},${instrument},${action},${side},${price ?? ''},${quantity}\n`;
    if (this.#lines.push(line) === PIECE_LINES) this.#take();
  }

  #take(): void {
    this.#hash.update(this.#lines.join(''));
    this.#lines.length = 0;
  }

  /** To be called once, at the end. */
  digest(): string {
    this.#take();
    return this.#hash.digest('hex');
  }
}
