import { createHash } from 'node:crypto';

import type { Result, ResultFill, ResultOrder } from './result-schema.js';

type HashedFields = Pick<
  ResultOrder | ResultFill,
  'time' | 'instrument' | 'action' | 'side' | 'price' | 'quantity'
>;

/** Lines that are hashed at once. */
const PIECE_LINES = 1_024;

/**
 * Hashes what was ordered and what was filled: equal hashes mean the same orders, whatever their ids.
 *
 * SHA-256, in lower-case hexadecimal, over one line `time,instrument,action,side,price,quantity` per entry in the order of the list, in
 * UTF-8, each ended by a line feed. Time is in UTC milliseconds; price and quantity are plain decimals as in the result file; the price of
 * a market order is empty; an empty list is the empty text.
 * @example `jq -r '.orders[]|[.time,.instrument,.action,.side,.price,.quantity]|join(",")' result.json | sha256sum`
 */
export function hashLists({ orders, fills }: Pick<Result, 'orders' | 'fills'>): Result['hash'] {
  return { orders: hashLines(orders), fills: hashLines(fills) };
}

function hashLines(entries: readonly HashedFields[]): string {
  const hash = createHash('sha256');
  for (let start = 0; start < entries.length; start += PIECE_LINES) {
    const lines = entries
      .slice(start, start + PIECE_LINES)
      .map(
        ({ time, instrument, action, side, price, quantity }) =>
          `${String(time)},${instrument},${action},${side},${price ?? ''},${quantity}\n`,
      );
    hash.update(lines.join(''));
  }
  return hash.digest('hex');
}
