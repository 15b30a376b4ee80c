import type { InstrumentId, ProductKind } from '../../domain/index.js';
import { planStops, type StopPlan } from '../../venue/index.js';
import type { BacktestConfig } from '../../config/index.js';

type SampledConfig = Pick<BacktestConfig, 'instruments' | 'simulation'>;

/**
 * Grid on which stops sample last, in ms, by product: the value of the file, or the value that the venue's limits allow. `plan`: shares the limits with other
 * bots on the key.
 */
export function stopGridsOf(
  { instruments, simulation }: SampledConfig,
  plan?: Pick<StopPlan, 'gridMs'>,
): Readonly<Record<ProductKind, number>> {
  const { stopPollMs } = simulation;
  if (stopPollMs === 'auto') return (plan ?? planStops(instruments)).gridMs;
  return { spot: stopPollMs, margin: stopPollMs, futures: stopPollMs };
}

/** The same grids by instrument. */
export function listStopGrids(
  config: SampledConfig,
  plan?: Pick<StopPlan, 'gridMs'>,
): ReadonlyMap<InstrumentId, number> {
  const grids = stopGridsOf(config, plan);
  return new Map(config.instruments.map(({ instrumentId, kind }) => [instrumentId, grids[kind]]));
}

/** Shortest time between two live samples of one stop, in ms, by the file; 0 for `auto`. */
export function leastSampleMs({ simulation }: Pick<SampledConfig, 'simulation'>): number {
  return simulation.stopPollMs === 'auto' ? 0 : simulation.stopPollMs;
}
