import type { BacktestConfig } from '../../assembly/backtest/index.js';
import type { EpochMs } from '../../domain/index.js';
import type { Combination } from '../search/search-space.js';

/** A part of a range. */
export interface TrialSpan {
  readonly from: EpochMs;
  /** Exclusive. */
  readonly to: EpochMs;
}

/** Another history of the same days: whole UTC days of the range, drawn in blocks with replacement. */
export interface Redraw extends TrialSpan {
  readonly seed: number;
  /** Days of a block. */
  readonly block: number;
}

/** Job for a thread: one combination on the whole prepared range, on a part of it, or on another history of it. */
export interface TrialJob {
  readonly parameters: Combination['parameters'];
  /** @defaultValue the whole range */
  readonly span?: TrialSpan | undefined;
  /** @defaultValue the actual history */
  readonly redraw?: Redraw | undefined;
}

/** The configuration of one combination: the common one changed as by `--set strategy.parameters.NAME=VALUE`. */
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

/** The configuration of a part of the range: changed as by `--from` and `--to`. Its warm-up comes from before the part. */
export function configWithin(config: BacktestConfig, { from, to }: TrialSpan): BacktestConfig {
  return { ...config, simulation: { ...config.simulation, from, to } };
}
