import { divideFixed, divideHalfEven, fixedToNumber, type Fixed } from '../../domain/index.js';
import type { Figure } from './figure.js';
import type { RoundTrip } from './round-trips.js';

/** Figures of the finished trades. */
export interface TradeFigures {
  readonly trades: number;
  readonly winRate: Figure;
  readonly profitFactor: Figure;
  /** In the equity currency. */
  readonly expectancy: Fixed | null;
}

/**
 * Figures of trades after costs, added one by one:
 *
 * - winRate = trades with a profit above 0 ÷ trades
 * - profitFactor = Σ profits ÷ Σ losses; null without a losing trade
 * - expectancy = Σ profit and loss ÷ trades, rounded half to even to 18 decimals
 *
 * Null without trades. Sums are exact.
 */
export class TradeTally {
  #trades = 0;
  #wins = 0;
  #gained: Fixed = 0n;
  #lost: Fixed = 0n;

  add({ pnl }: Pick<RoundTrip, 'pnl'>): void {
    this.#trades += 1;
    if (pnl > 0n) {
      this.#wins += 1;
      this.#gained += pnl;
    } else {
      this.#lost -= pnl;
    }
  }

  get figures(): TradeFigures {
    const trades = this.#trades;
    if (trades === 0) return { trades, winRate: null, profitFactor: null, expectancy: null };
    const [gained, lost] = [this.#gained, this.#lost];
    return {
      trades,
      winRate: this.#wins / trades,
      profitFactor: lost === 0n ? null : fixedToNumber(divideFixed(gained, lost)),
      expectancy: divideHalfEven(gained - lost, BigInt(trades)),
    };
  }
}
