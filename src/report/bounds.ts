import { formatFixed, InvariantError, parseFixed } from '../domain/index.js';
import type { Figure } from './figure.js';
import type { HeadlineFigures, Result } from './result-schema.js';

type Bounds = Result['bounds'];
type RangeEnd = 'low' | 'high';

/**
 * Combines runs of the same inputs on different candle paths into the range of each headline figure (DESIGN R16). A figure that one of
 * them cannot carry has no range: null. Candles and money count as undecided as in the run that has most of them.
 *
 * @throws {InvariantError} `E_BOUNDS` without results.
 */
export function combineBounds(results: readonly Result[]): Bounds {
  if (results.length === 0) throw new InvariantError('E_BOUNDS', 'expected at least one result');
  const undecidedCandles = Math.max(...results.map(({ bounds }) => bounds.undecidedCandles));
  return {
    low: headlineAt('low', results),
    high: headlineAt('high', results),
    undecidedCandles,
    undecidedMoney: formatFixed(
      extreme(
        'high',
        results.map(({ bounds }) => parseFixed(bounds.undecidedMoney)),
      ),
    ),
    undecidedShare: largestShare(results.map(({ bounds }) => bounds.undecidedShare)),
    exact: undecidedCandles === 0,
  };
}

/** The result with the range over several paths; its own figures stay. */
export function withBounds(result: Result, bounds: Bounds): Result {
  return { ...result, bounds };
}

function headlineAt(end: RangeEnd, results: readonly Result[]): HeadlineFigures {
  const figure = (read: (statistics: Result['statistics']) => Figure): Figure => {
    const values = results.map(({ statistics }) => read(statistics));
    return values.every((value) => value !== null) ? extreme(end, values) : null;
  };
  const equities = results.map(({ equity }) => parseFixed(equity.final));
  return {
    finalEquity: formatFixed(extreme(end, equities)),
    totalReturn: figure(({ totalReturn }) => totalReturn),
    cagr: figure(({ cagr }) => cagr),
    sharpe: figure(({ sharpe }) => sharpe),
    maxDrawdown: figure(({ maxDrawdown }) => maxDrawdown),
    trades: extreme(
      end,
      results.map(({ statistics }) => statistics.trades),
    ),
    winRate: figure(({ winRate }) => winRate),
    profitFactor: figure(({ profitFactor }) => profitFactor),
  };
}

function largestShare(shares: readonly Figure[]): Figure {
  const known = shares.filter((share) => share !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function extreme<T extends number | bigint>(end: RangeEnd, values: readonly T[]): T {
  return values.reduce((best, value) =>
    (end === 'low' ? value < best : value > best) ? value : best,
  );
}
