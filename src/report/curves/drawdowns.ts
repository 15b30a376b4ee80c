import { fixedToNumber, parseFixed, type EpochMs } from '../../domain/index.js';
import type { CurvePoint } from './curve-returns.js';

/** A fall of the curve below its highest point before. */
interface Drawdown {
  /** Time of the peak. */
  readonly from: EpochMs;
  /** Time of the lowest point. */
  readonly low: EpochMs;
  /** Time of the first point that is back at the peak; null if the curve did not regain it. */
  readonly to: EpochMs | null;
  /** (Peak − lowest) ÷ peak. */
  readonly depth: number;
}

/** Lists at most `most` falls of a curve, the deepest first. Times are points of the curve. A curve that begins without money has no falls. */
export function listDrawdowns(curve: readonly CurvePoint[], most: number): readonly Drawdown[] {
  const [first] = curve;
  if (first === undefined || parseFixed(first[1]) <= 0n) return [];
  const falls: Drawdown[] = [];
  let peak = { time: 0, equity: Number.NEGATIVE_INFINITY };
  let fall: { from: EpochMs; low: EpochMs; depth: number } | undefined;
  for (const [time, text] of curve) {
    const equity = fixedToNumber(parseFixed(text));
    if (equity >= peak.equity) {
      if (fall !== undefined) falls.push({ ...fall, to: time });
      fall = undefined;
      peak = { time, equity };
    } else {
      const depth = (peak.equity - equity) / peak.equity;
      if (fall === undefined) fall = { from: peak.time, low: time, depth };
      else if (depth > fall.depth) fall = { ...fall, low: time, depth };
    }
  }
  if (fall !== undefined) falls.push({ ...fall, to: null });
  return falls.sort((a, b) => b.depth - a.depth || a.from - b.from).slice(0, most);
}
