import { replayBranch } from '../../../src/assembly/run-backtest.js';
import type { RunOptions } from '../../../src/assembly/run-options.js';
import type { LoadedMarket } from '../../../src/assembly/market/prepare-market.js';
import { BranchRun } from '../../../src/assembly/bounds/branch-run.js';
import { present } from '../../../src/domain/index.js';
import { headlineOf, type KnownFigures } from '../../../src/report/index.js';
import type { ExtremeOrder } from '../../../src/simulator/index.js';

/** Takes the given orders of extremes, candle by candle as the run asks; after them the orders of the configured path. */
class ForcedRun extends BranchRun {
  readonly #orders: readonly ExtremeOrder[];
  readonly taken: ExtremeOrder[] = [];

  constructor(currency: string, orders: readonly ExtremeOrder[]) {
    super({ flips: [], junctions: undefined, currency, reserve: 0n });
    this.#orders = orders;
  }

  override choose(_tape: unknown, own: ExtremeOrder): ExtremeOrder {
    const order = this.#orders[this.taken.length] ?? own;
    this.taken.push(order);
    return order;
  }
}

export interface PathEnd extends KnownFigures {
  readonly undecidedCandles: number;
}

/**
 * Ends of the runs over every combination of orders of extremes, one run from the start for each. The combinations cover the candles in which
 * the run asks for the order. Undefined if a run has more than `most` such candles, or if the market has no candles.
 */
export async function runEveryPath(
  market: LoadedMarket,
  options: Omit<RunOptions, 'branch'>,
  most: number,
): Promise<readonly PathEnd[] | undefined> {
  const ends: PathEnd[] = [];
  const waiting: (readonly ExtremeOrder[])[] = [[]];
  for (let orders = waiting.pop(); orders !== undefined; orders = waiting.pop()) {
    const branch = new ForcedRun(options.config.equityCurrency, orders);
    const record = present(await replayBranch(market, { ...options, branch }), 'a whole run');
    if (branch.taken.length > most || !Number.isFinite(record.run.to)) return undefined;
    ends.push({ ...headlineOf(record), undecidedCandles: record.undecidedCandles });
    // Reverses each order that was not given, once. The orders before it stay as taken.
    for (let index = orders.length; index < branch.taken.length; index += 1) {
      const taken = present(branch.taken[index], 'an order');
      const other = taken === 'high-first' ? 'low-first' : 'high-first';
      waiting.push([...branch.taken.slice(0, index), other]);
    }
  }
  return ends;
}
