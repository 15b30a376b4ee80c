import { fixedToNumber, type Fixed, type RunCosts } from '../../domain/index.js';
import { dailyEquity, type DailyEquity } from './daily-returns.js';
import type { DrawdownFigures } from './close-tally.js';
import { ratioOf, type Figure } from './figure.js';
import {
  followFills,
  type FollowedFills,
  type OtherFee,
  type TradedMoney,
} from './follow-fills.js';
import { returnFigures, totalReturn, type ReturnFigures } from './return-figures.js';
import type { RunRecord } from '../run-record.js';
import type { TradeFigures } from './trade-figures.js';

/** All figures of a run. Ratios are float64, money is exact and in the equity currency, durations are milliseconds. */
export interface Statistics
  extends ReturnFigures, DrawdownFigures, TradeFigures, RunCosts, ActivityFigures {
  readonly totalReturn: Figure;
  readonly calmar: Figure;
}

interface ActivityFigures {
  readonly exposure: Figure;
  readonly turnover: Figure;
  /** Share of the traded money that was traded inside undecided candles. */
  readonly undecidedShare: Figure;
  /** Σ over the gaps of the worth held when the gap began, at the last close before it. */
  readonly moneyHeldInGaps: Fixed;
  /** Fees in assets that are neither base nor quote; those with a value are in `fees`, too. */
  readonly otherFees: readonly OtherFee[];
}

/**
 * Computes the statistics of a run (DESIGN §9): those of {@link returnFigures}, those of {@link CloseTally}, those of {@link TradeTally}, and
 *
 * - totalReturn = final equity ÷ initial equity − 1
 * - calmar = cagr ÷ maxDrawdown; null if either is missing or there was no drawdown
 * - exposure = closes with a position ÷ closes of the execution interval
 * - turnover = Σ notional of the fills ÷ mean equity over those closes
 * - undecidedShare = Σ notional of the fills inside undecided candles ÷ Σ notional of the fills; inside means after the open and before the close, because
 *   these two prices are known
 * - moneyHeldInGaps = Σ over the gaps of |quantity| × last close before, of an instrument that was held when its candles broke off
 * - fees, funding, interest: as the ledger paid them, negative when received; insurance: as the venue paid it
 *
 * A figure that the sample cannot support is null, never a guess. `followed`, `daily`: totals of the fills and the daily equity, if the caller has them already.
 * @throws {InvariantError} `E_DAY_EQUITY`, `E_OVERCLOSED`, `E_MISSING` when the record contradicts itself.
 */
export function computeStatistics(
  record: RunRecord,
  followed: FollowedFills = followFills(record),
  daily: DailyEquity = dailyEquity(record),
): Statistics {
  const { trades, ...money } = followed;
  const { run, initialEquity, finalEquity, costs } = record;
  const growth = { initialEquity, finalEquity, durationMs: run.to - run.from };
  const returns = returnFigures(daily.returns, growth);
  const { cagr } = returns;
  const { maxDrawdown, maxDrawdownDuration } = record.closes;
  return {
    totalReturn: totalReturn(growth),
    ...returns,
    calmar: cagr === null || maxDrawdown === null ? null : ratioOf(cagr, maxDrawdown),
    maxDrawdown,
    maxDrawdownDuration,
    ...trades,
    ...activityFigures(record, money),
    fees: costs.fees,
    funding: costs.funding,
    interest: costs.interest,
    insurance: costs.insurance,
  };
}

function activityFigures({ closes, heldCloses }: RunRecord, money: TradedMoney): ActivityFigures {
  const { heldInGaps: moneyHeldInGaps, otherFees } = money;
  if (closes.count === 0)
    return { exposure: null, turnover: null, undecidedShare: null, moneyHeldInGaps, otherFees };
  const meanEquity = closes.sum / closes.count;
  const traded = fixedToNumber(money.traded);
  return {
    exposure: heldCloses / closes.count,
    turnover: meanEquity > 0 ? ratioOf(traded, meanEquity) : null,
    undecidedShare: ratioOf(fixedToNumber(money.undecided), traded),
    moneyHeldInGaps,
    otherFees,
  };
}
