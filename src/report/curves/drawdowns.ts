import { fixedToNumber, parseFixed, type EpochMs } from '../../domain/index.js';
import type { CurvePoint } from './curve-returns.js';

/** A fall of the curve below its highest point before. */
export interface Drawdown {
  /** Of the peak. */
  readonly from: EpochMs;
  /** Of the lowest point. */
  readonly low: EpochMs;
  /** Of the first point at the peak again; null where it was not regained. */
  readonly to: EpochMs | null;
  /** (Peak − lowest) ÷ peak. */
  readonly depth: number;
}

/** The falls of a curve, the deepest first, at the points that it has. A curve that begins without money has none. */
export function listDrawdowns(curve: readonly CurvePoint[], most: number): readonly Drawdown[] {
  const falls: Drawdown[] = [];
  let peak = { time: 0, equity: Number.NEGATIVE_INFINITY };
  let fall: { from: EpochMs; low: EpochMs; depth: number } | undefined;
  for (const [time, text] of curve) {
    const equity = fixedToNumber(parseFixed(text));
    if (equity >= peak.equity) {
      if (fall !== undefined) falls.push({ ...fall, to: time });
      fall = undefined;
      peak = { time, equity };
    } else if (peak.equity > 0) {
      const depth = (peak.equity - equity) / peak.equity;
      if (fall === undefined) fall = { from: peak.time, low: time, depth };
      else if (depth > fall.depth) fall = { ...fall, low: time, depth };
    }
  }
  if (fall !== undefined) falls.push({ ...fall, to: null });
  return falls.sort((a, b) => b.depth - a.depth || a.from - b.from).slice(0, most);
}
