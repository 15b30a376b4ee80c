import type { StopWatch } from '../runtime/index.js';
import { nearestOrder, type SimulatedVenueOptions } from '../simulator/index.js';
import type { PathMode } from './bot-config.js';

/** How the venue chooses which extreme a candle visits first (DESIGN R3, R16). `stopWatches` are the engine's. */
export function createPathChooser(
  mode: PathMode,
  stopWatches: () => readonly StopWatch[],
): SimulatedVenueOptions['chooseOrder'] {
  switch (mode) {
    case 'nearest':
    case 'finer':
      return (shape) => nearestOrder(shape);
    case 'high-first':
    case 'low-first':
      return () => mode;
    case 'greedy-low':
    case 'greedy-high':
      return (shape, venue, tape) =>
        venue.greedyOrder(shape, tape, {
          preference: mode === 'greedy-low' ? 'less' : 'more',
          stops: stopWatches().filter(
            ({ instrumentId }) => instrumentId === tape.source.instrument.id,
          ),
        });
  }
}
