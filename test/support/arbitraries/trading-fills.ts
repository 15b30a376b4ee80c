import fc from 'fast-check';

import { formatFixed, parseFixed } from '../../../src/domain/index.js';
import type { RunFill } from '../../../src/report/index.js';
import { aRunFill, BTC_SPOT, ETH_SPOT } from '../run-records.js';

const STEP = parseFixed('0.001');
const TICK = parseFixed('0.01');
const FEE_RATE = 1_000n;
const INSTRUMENTS = [BTC_SPOT, ETH_SPOT] as const;

const move = fc.record({
  instrument: fc.constantFrom(...INSTRUMENTS),
  isEntry: fc.boolean(),
  /** In steps of 0.001. */
  steps: fc.bigInt(2n, 5_000n),
  /** In ticks of 0.01. */
  ticks: fc.bigInt(1n, 10_000_000n),
});

/**
 * Spot fills of two instruments that a venue could have made: prices on the tick, quantities on the step, no exit above the held quantity, a
 * fee of 0.1 %, which buys pay in base if `paidIn` is `received`.
 */
export function tradingFills(paidIn: 'received' | 'quote'): fc.Arbitrary<readonly RunFill[]> {
  return fc.array(move, { maxLength: 40 }).map((moves) => {
    const held = new Map<string, bigint>();
    const fills: RunFill[] = [];
    for (const { instrument, isEntry, steps, ticks } of moves) {
      const before = held.get(instrument.id) ?? 0n;
      const sellable = before / STEP;
      const count = isEntry || steps < sellable ? steps : sellable;
      // Skips an exit of a single step: to split an exit, a test needs two.
      if (count < 2n) continue;
      const isInBase = isEntry && paidIn === 'received';
      const quantity = count * STEP;
      const price = ticks * TICK;
      const fee = (isInBase ? quantity : (quantity * price) / 10n ** 18n) / FEE_RATE;
      held.set(instrument.id, before + (isEntry ? quantity - (isInBase ? fee : 0n) : -quantity));
      fills.push(
        aRunFill({
          instrument,
          time: fills.length + 1,
          side: isEntry ? 'buy' : 'sell',
          price: formatFixed(price),
          quantity: formatFixed(quantity),
          fee: formatFixed(fee),
          feeAsset: isInBase ? instrument.base : 'USDT',
          step: formatFixed(STEP),
        }),
      );
    }
    return fills;
  });
}

/** Splits a fill into two parts of at least one step each, and its fee exactly in proportion. */
export function splitFill(fill: RunFill, share: number): readonly RunFill[] {
  const { record } = fill;
  const steps = record.quantity / STEP;
  const first = 1n + (BigInt(Math.floor(share * 1_000)) * (steps - 2n)) / 1_000n;
  return [first, steps - first].map((part) => ({
    ...fill,
    record: { ...record, quantity: part * STEP, fee: (record.fee * part) / steps },
  }));
}
