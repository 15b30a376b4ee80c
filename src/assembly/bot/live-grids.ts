import type { InstrumentId } from '../../domain/index.js';
import type { SessionConfig } from '../../config/index.js';
import type { StopPlan } from '../../venue/index.js';

/** Least between two samples of one stop, in ms: what the file says. */
export function leastSampleMs({ simulation }: Pick<SessionConfig, 'simulation'>): number {
  return simulation.stopPollMs === 'auto' ? 0 : simulation.stopPollMs;
}

/** Grid on which the stops of each instrument are sampled live, in ms: what the file says, and not more often than all bots on the key can. */
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
