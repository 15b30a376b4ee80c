import type { BacktestConfig } from '../../assembly/backtest/index.js';
import type { EpochMs } from '../../domain/index.js';
import type { Combination } from '../search/search-space.js';

/** A part of a range. */
export interface TrialSpan {
  readonly from: EpochMs;
  /** Exclusive. */
  readonly to: EpochMs;
}

/** Another history of the same days: whole UTC days of the range, in blocks that are drawn with replacement. */
export interface Redraw extends TrialSpan {
  readonly seed: number;
  /** Days of a block. */
  readonly block: number;
}

/** What a thread is handed: one combination, on the whole range that was prepared, on a part of it, or on another history of it. */
export interface TrialJob {
  readonly parameters: Combination['parameters'];
  /** @defaultValue the whole range */
  readonly span?: TrialSpan | undefined;
  /** @defaultValue what did happen */
  readonly redraw?: Redraw | undefined;
}

/** The configuration of one combination: what `--set strategy.parameters.NAME=VALUE` makes of the one that all have. */
export function configOf(
  config: BacktestConfig,
  parameters: Combination['parameters'],
): BacktestConfig {
  const { strategy } = config;
  return {
    ...config,
    strategy: { ...strategy, parameters: { ...strategy.parameters, ...parameters } },
  };
}

/** The configuration of a part of the range: what `--from` and `--to` make of it. Its warm-up comes from before it. */
export function configWithin(config: BacktestConfig, { from, to }: TrialSpan): BacktestConfig {
  return { ...config, simulation: { ...config.simulation, from, to } };
}
