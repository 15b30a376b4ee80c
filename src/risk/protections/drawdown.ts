import { formatFixed, type EpochMs, type Halt } from '../../domain/index.js';
import { haltEnd, tighterLimit } from './loss-limits.js';
import type { ProtectionConfig } from './protection-config.js';
import type { EquityPeak, ProtectionState } from './protection-state.js';

/** Highs closer together than this share of the window count as one. This bounds the number of highs that are kept. */
const WINDOW_STEPS = 256;

/**
 * Keeps the highs that can still become the maximum of the window: each is lower than the one before it. A high leaves the window at most 1/256 of it
 * early.
 */
export function keepPeaks(
  peaks: readonly EquityPeak[],
  sample: EquityPeak,
  windowMs: number | undefined,
): readonly EquityPeak[] {
  const [top] = peaks;
  if (top === undefined || sample.equity >= top.equity) return [sample];
  if (windowMs === undefined) return peaks;
  const kept = peaks.filter(
    ({ time, equity }) => equity > sample.equity && time > sample.time - windowMs,
  );
  const last = kept[kept.length - 1];
  const isNear = last !== undefined && sample.time - last.time < windowMs / WINDOW_STEPS;
  return isNear ? kept : [...kept, sample];
}

/** Halts when equity is as far below its highest in the window as the limit allows. */
export function drawdownHalt(
  { peaks, equity }: ProtectionState,
  since: EpochMs,
  config: ProtectionConfig,
): Halt | undefined {
  const [top] = peaks;
  if (top === undefined || equity === undefined) return undefined;
  const drawdown = top.equity - equity;
  const limit = tighterLimit(top.equity, config.maxDrawdown, config.maxDrawdownRatio);
  if (limit === undefined || drawdown <= 0n || drawdown < limit) return undefined;
  return {
    reason: 'drawdown',
    since,
    until: haltEnd(since, config),
    action: config.onHalt ?? 'block',
    text: `equity is ${formatFixed(drawdown)} below its high of ${formatFixed(top.equity)}, allowed are ${formatFixed(limit)}`,
  };
}
