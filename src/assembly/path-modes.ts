import { nearestOrder, type PathCandle, type ExtremeOrder } from '../simulator/index.js';
import type { SimulationConfig } from '../config/index.js';

/** Returns a function that says which extreme a candle visits first (DESIGN R3). */
export function createPathChooser(
  mode: SimulationConfig['path'],
): (shape: PathCandle) => ExtremeOrder {
  if (mode === 'high-first' || mode === 'low-first') return () => mode;
  return nearestOrder;
}
