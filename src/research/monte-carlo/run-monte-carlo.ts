import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { DataError, nounOf, present } from '../../domain/index.js';
import { curveReturns, type Result } from '../../report/index.js';
import { drawStationaryPath, estimateBlockLengths } from '../statistics/stationary-bootstrap.js';
import { bandsOf, withBands, markedSteps } from './bands.js';
import { MONTE_CARLO_VERSION, type MonteCarlo } from './monte-carlo-schema.js';
import { tradeChanges } from './trade-changes.js';
import { walkPath, walkPaths } from './walk-paths.js';

export interface MonteCarloOptions {
  /** Result of a backtest, with its trades. */
  readonly result: Result;
  /** Number of paths of trades, and of paths of days. */
  readonly paths: number;
  readonly seed: number;
  /** Share of the initial equity whose loss is ruin, above 0 and at most 1. */
  readonly ruin: number;
  /** Mean days of a block, at least 1. @defaultValue estimated from the days, in tenths */
  readonly block?: number | undefined;
  /** Outcome of redrawn histories of the candles. @defaultValue none were run */
  readonly candles?: MonteCarlo['candles'] | undefined;
  /** Called between some hundred paths. It may throw, which ends the run. @defaultValue nothing */
  readonly breathe?: (() => Promise<void>) | undefined;
}

/** Fewest days for figures, as in the statistics of a result. */
const LEAST_DAYS = 30;

/**
 * Recombines the past of a run: its trades in other orders, and its days in blocks that are drawn with replacement (stationary bootstrap). The same result,
 * options and seed give the same document.
 *
 * @throws {DataError} `E_SAMPLE` when the result has neither a trade nor 30 daily returns.
 */
export async function runMonteCarlo(options: MonteCarloOptions): Promise<MonteCarlo> {
  const { result, paths, seed, ruin, candles = null } = options;
  const { run } = result;
  const trades = await resampleTrades(options);
  const days = await resampleDays(options);
  if (trades === null && days === null && candles === null) throw tooLittle(result);
  return {
    version: MONTE_CARLO_VERSION,
    monteCarlo: {
      strategy: run.strategy,
      parameters: run.parameters,
      run: run.id,
      from: run.from,
      to: run.to,
      seed,
      paths,
      ruin,
    },
    trades,
    days,
    candles,
  };
}

/** Every order of the trades ends at the same equity, so only the way there is judged. */
async function resampleTrades(options: MonteCarloOptions): Promise<MonteCarlo['trades']> {
  const { result, paths, seed } = options;
  const changes = tradeChanges(result);
  if (changes === undefined) return null;
  const random = xoroshiro128plus(seed);
  const order = Int32Array.from(changes.keys());
  const draw = (): Int32Array => {
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = uniformInt(random, 0, last);
      const moved = order[other] ?? 0;
      order[other] = order[last] ?? 0;
      order[last] = moved;
    }
    return order;
  };
  const own = walkPath(changes, [...changes.keys()]);
  const many = await walkPaths({ ...options, changes, draw });
  return {
    count: changes.length,
    maxDrawdown: withBands('maxDrawdown', own, many),
    longestFall: withBands('longestFall', own, many),
    ruin: many.ruined / paths,
  };
}

async function resampleDays(options: MonteCarloOptions): Promise<MonteCarlo['days']> {
  const { result, paths, seed } = options;
  const returns = curveReturns(result.equityCurve);
  if (returns.length < LEAST_DAYS) return null;
  const changes = Float64Array.from(returns, ({ value }) => value);
  const { length } = changes;
  const block = options.block ?? Math.round(10 * estimateBlockLengths(changes).stationary) / 10;
  const random = xoroshiro128plus(seed);
  const draw = (): Int32Array => drawStationaryPath(length, block, () => uniformFloat64(random));
  const marked = markedSteps(length);
  const own = walkPath(changes, [...changes.keys()]);
  const many = await walkPaths({ ...options, changes, draw, marked });
  return {
    count: length,
    block,
    totalReturn: withBands('totalReturn', own, many),
    maxDrawdown: withBands('maxDrawdown', own, many),
    longestFall: withBands('longestFall', own, many),
    loss: many.losing / paths,
    ruin: many.ruined / paths,
    bands: bandsOf(
      marked.map((step) => present(returns[step - 1], 'day').time),
      many,
    ),
  };
}

function tooLittle({ trades, equityCurve }: Result): DataError {
  const [count, returns] = [trades?.length ?? 0, curveReturns(equityCurve).length];
  return new DataError(
    'E_SAMPLE',
    `expected a result with a trade or at least ${String(LEAST_DAYS)} daily returns above ruin, received ${String(count)} ${nounOf(count, 'trade')} and ${String(returns)} daily ${nounOf(returns, 'return')}`,
  );
}
