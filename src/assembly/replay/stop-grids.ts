import type { InstrumentId } from '../../domain/index.js';
import type { BacktestConfig } from '../../config/index.js';

/** Grid on which the stops of each instrument sample last, in ms: that of its product. */
export function listStopGrids({
  instruments,
  simulation,
}: Pick<BacktestConfig, 'instruments' | 'simulation'>): ReadonlyMap<InstrumentId, number> {
  return new Map(
    instruments.map(({ instrumentId, kind }) => [instrumentId, simulation.stopPollMs[kind]]),
  );
}
