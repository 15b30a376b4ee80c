import type { InstrumentId } from '../../domain/index.js';
import type { SessionConfig } from '../../config/index.js';
import type { StopPlan } from '../../venue/index.js';

/** Shortest time between two samples of one stop, in ms, by the file; 0 for `auto`. */
export function leastSampleMs({ simulation }: Pick<SessionConfig, 'simulation'>): number {
  return simulation.stopPollMs === 'auto' ? 0 : simulation.stopPollMs;
}

/**
 * Grid on which the stops of each instrument are sampled live, in ms: the value of the file; for `auto`, as often as the limits allow for all bots on the
 * key.
 */
export function listLiveGrids(
  config: Pick<SessionConfig, 'instruments' | 'simulation'>,
  { gridMs }: Pick<StopPlan, 'gridMs'>,
): ReadonlyMap<InstrumentId, number> {
  const { stopPollMs } = config.simulation;
  return new Map(
    config.instruments.map(({ instrumentId, kind }) => [
      instrumentId,
      stopPollMs === 'auto' ? gridMs[kind] : stopPollMs,
    ]),
  );
}
