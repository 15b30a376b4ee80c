import type { InstrumentId, ProductKind } from '../../domain/index.js';
import { planStops } from '../../venue/index.js';
import type { BacktestConfig } from '../../config/index.js';

type SampledConfig = Pick<BacktestConfig, 'instruments' | 'simulation'>;

/** Grid on which stops sample last, in ms, by product: the value of the file, or the value that the venue's limits allow. */
export function stopGridsOf({
  instruments,
  simulation,
}: SampledConfig): Readonly<Record<ProductKind, number>> {
  const { stopPollMs } = simulation;
  if (stopPollMs === 'auto') return planStops(instruments).gridMs;
  return { spot: stopPollMs, margin: stopPollMs, futures: stopPollMs };
}

/** The same grids by instrument. */
export function listStopGrids(config: SampledConfig): ReadonlyMap<InstrumentId, number> {
  const grids = stopGridsOf(config);
  return new Map(config.instruments.map(({ instrumentId, kind }) => [instrumentId, grids[kind]]));
}
