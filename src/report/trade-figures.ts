import { divideFixed, divideHalfEven, fixedToNumber, type Fixed } from '../domain/index.js';
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
 * Figures of trades after costs:
 *
 * - winRate = trades with a profit above 0 ÷ trades
 * - profitFactor = Σ profits ÷ Σ losses; null without a losing trade
 * - expectancy = Σ profit and loss ÷ trades, rounded half to even to 18 decimals
 *
 * Null without trades. Sums are exact.
 */
export function tradeFigures(trips: readonly Pick<RoundTrip, 'pnl'>[]): TradeFigures {
  const trades = trips.length;
  if (trades === 0) return { trades, winRate: null, profitFactor: null, expectancy: null };
  let wins = 0;
  let gained = 0n;
  let lost = 0n;
  for (const { pnl } of trips) {
    if (pnl > 0n) {
      wins += 1;
      gained += pnl;
    } else {
      lost -= pnl;
    }
  }
  return {
    trades,
    winRate: wins / trades,
    profitFactor: lost === 0n ? null : fixedToNumber(divideFixed(gained, lost)),
    expectancy: divideHalfEven(gained - lost, BigInt(trades)),
  };
}
