import type { CandleLookup } from './candle-lookup.js';
import {
  nearestOrder,
  segmentsByThirds,
  type PathCandle,
  type PathSegment,
} from './candle-path.js';

/** The stored finer candles of one coarse candle, and the path through all of them. */
export interface FinerWalk {
  readonly shapes: readonly PathCandle[];
  readonly segments: readonly PathSegment[];
}

/**
 * Joins the paths of the finer candles of one coarse candle, nearest extreme first in each. Undefined if they leave a gap or contradict the coarse
 * candle: callers then use its own path (DESIGN R3, `finer`).
 */
export function walkFiner(candle: PathCandle, finer: CandleLookup): FinerWalk | undefined {
  const shapes: PathCandle[] = [];
  let row = finer.rowAt(candle.openTime);
  if (row < 0) return undefined;
  for (let time = candle.openTime; time < candle.closeTime; row += 1) {
    if (row >= finer.rows.length || finer.openTime(row) !== time) return undefined;
    const shape = finer.shape(row);
    if (shape.high > candle.high || shape.low < candle.low) return undefined;
    shapes.push(shape);
    time = shape.closeTime;
  }
  const [first, last] = [shapes[0], shapes.at(-1)];
  const agrees =
    first?.open === candle.open &&
    last?.close === candle.close &&
    last.closeTime === candle.closeTime;
  if (!agrees) return undefined;
  return {
    shapes,
    segments: shapes.flatMap((shape) => segmentsByThirds(shape, nearestOrder(shape))),
  };
}
