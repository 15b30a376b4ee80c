import { expectedMaximum, momentsOfMaximum } from './expected-maximum.js';
import { normalCdf } from './normal.js';
import {
  probabilisticSharpe2012,
  sharpeVariance2026,
  type SharpeSample,
} from './probabilistic-sharpe.js';

/** The search whose best trial has the judged Sharpe ratio. */
interface SharpeSearch {
  /** Number of trials, raw or effective. */
  readonly trials: number;
  /** Variance of their Sharpe ratios per period; NaN if fewer than two of them have one. */
  readonly variance: number;
}

/** The Sharpe ratio per period that the best of so many trials is expected to reach by luck alone; 0 with one trial, else NaN if the variance is. */
export function luckySharpe({ trials, variance }: SharpeSearch): number {
  return trials > 1 ? Math.sqrt(variance) * expectedMaximum(trials) : 0;
}

/**
 * Deflated Sharpe ratio, edition of 2014: the probability by {@link probabilisticSharpe2012} that the true Sharpe ratio is above the value expected from luck
 * alone.
 *
 * @see Source: Bailey, López de Prado 2014, The Deflated Sharpe Ratio
 */
export function deflatedSharpe2014(sample: SharpeSample, search: SharpeSearch): number {
  return probabilisticSharpe2012(sample, luckySharpe(search));
}

/**
 * Deflated Sharpe ratio, edition of 2026. It differs from the edition of 2014 in the variance: that of an estimate whose true value is the lucky Sharpe
 * ratio, times the variance of the maximum of so many normal draws. **It gives other numbers than 2014: name the edition beside the figure.**
 *
 * @see Source: López de Prado, Lipton, Zoonekynd 2026, How to Use the Sharpe Ratio
 */
export function deflatedSharpe2026(sample: SharpeSample, search: SharpeSearch): number {
  const lucky = luckySharpe(search);
  const variance =
    momentsOfMaximum(search.trials).variance * sharpeVariance2026({ ...sample, sharpe: lucky });
  return normalCdf((sample.sharpe - lucky) / Math.sqrt(variance));
}

/**
 * Shortest backtest in years: with less, the best of so many independent trials without any edge is expected to show an annual Sharpe ratio of `target`.
 * (E[max] ÷ target)².
 *
 * @see Source: Bailey, Borwein, López de Prado, Zhu 2014, Pseudo-Mathematics and Financial Charlatanism
 */
export function minimumBacktestYears(trials: number, target: number): number {
  return (expectedMaximum(trials) / target) ** 2;
}
