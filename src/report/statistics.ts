import { fixedToNumber, present, type Fixed } from '../domain/index.js';
import { dailyCurve, dailyReturns } from './daily-returns.js';
import type { DrawdownFigures } from './close-tally.js';
import { ratioOf, type Figure } from './figure.js';
import { FillValuer } from './fill-value.js';
import { returnFigures, totalReturn, type ReturnFigures } from './return-figures.js';
import { TripBook } from './round-trips.js';
import type { RunCosts, RunRecord } from './run-record.js';
import { TradeTally, type TradeFigures } from './trade-figures.js';
import { UndecidedFills } from './undecided-fills.js';

/** Every figure of a run. Ratios are float64, money is exact and in the equity currency, durations are milliseconds. */
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
}

/**
 * Computes the statistics of a run (DESIGN §9): those of {@link returnFigures}, those of {@link CloseTally}, those of
 * {@link TradeTally}, and
 *
 * - totalReturn = final equity ÷ initial equity − 1
 * - calmar = cagr ÷ maxDrawdown; null where either is missing or there was no drawdown
 * - exposure = closes with a position ÷ closes of the execution interval
 * - turnover = Σ notional of the fills ÷ mean equity over those closes
 * - undecidedShare = Σ notional of the fills inside undecided candles ÷ Σ notional of the fills; inside is after the open and before the
 *   close, whose prices are no secret
 * - fees, funding, interest: as the ledger paid them, negative when received; insurance: as the venue paid it
 *
 * A figure the sample cannot carry is null, never a guess.
 * @throws {InvariantError} `E_DAY_EQUITY`, `E_FEE_ASSET`, `E_OVERCLOSED`, `E_MISSING` when the record contradicts itself.
 */
export function computeStatistics(record: RunRecord): Statistics {
  const { run, initialEquity, finalEquity, costs } = record;
  const growth = { initialEquity, finalEquity, durationMs: run.to - run.from };
  const returns = returnFigures(dailyReturns(dailyCurve(record)), growth);
  const { trades, ...money } = followFills(record);
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

/** Σ notional of fills: of all, and of those inside undecided candles. */
interface TradedMoney {
  readonly traded: Fixed;
  readonly undecided: Fixed;
}

/** The figures of a run's trades, and Σ notional of its fills, in one pass. */
function followFills({
  run,
  instruments,
  openingHoldings,
  carries,
  fills,
  undecidedSpans,
}: RunRecord): TradedMoney & { readonly trades: TradeFigures } {
  const book = new TripBook({ time: run.from, holdings: openingHoldings, carries });
  const valuer = new FillValuer(instruments);
  const tally = new TradeTally();
  const hidden = new UndecidedFills(undecidedSpans);
  let traded = 0n;
  let undecided = 0n;
  // By index: fills are made as they are read, and an iterator would take as long as its fill.
  for (let index = 0; index < fills.length; index += 1) {
    const value = valuer.of(present(fills.at(index), 'fill'));
    const trip = book.take(value);
    if (trip !== undefined) tally.add(trip);
    traded += value.notional;
    if (hidden.has(value.fill.record)) undecided += value.notional;
  }
  return { trades: tally.figures, traded, undecided };
}

function activityFigures({ closes, heldCloses }: RunRecord, money: TradedMoney): ActivityFigures {
  if (closes.count === 0) return { exposure: null, turnover: null, undecidedShare: null };
  const meanEquity = closes.sum / closes.count;
  const traded = fixedToNumber(money.traded);
  return {
    exposure: heldCloses / closes.count,
    turnover: meanEquity > 0 ? ratioOf(traded, meanEquity) : null,
    undecidedShare: ratioOf(fixedToNumber(money.undecided), traded),
  };
}
