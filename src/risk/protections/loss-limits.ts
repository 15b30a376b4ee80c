import {
  DAY_MS,
  type EpochMs,
  formatFixed,
  type Halt,
  multiplyFixed,
  nounOf,
} from '../../domain/index.js';
import type { ProtectionConfig } from './protection-config.js';
import type { ProtectionState } from './protection-state.js';

/** Halts when the loss of the day reaches its limit, in money or as a share of the equity at the start of the day. */
export function dailyLossHalt(
  { dayEquity, equity, dayStart }: ProtectionState,
  since: EpochMs,
  config: ProtectionConfig,
): Halt | undefined {
  if (dayEquity === undefined || equity === undefined) return undefined;
  const loss = dayEquity - equity;
  const limit = tighterLimit(dayEquity, config.maxDailyLoss, config.maxDailyLossRatio);
  if (limit === undefined || loss <= 0n || loss < limit) return undefined;
  return {
    reason: 'daily-loss',
    since,
    until: dayStart + DAY_MS,
    action: config.onHalt ?? 'block',
    text: `lost ${formatFixed(loss)} since the day began with ${formatFixed(dayEquity)}, allowed are ${formatFixed(limit)}`,
  };
}

/** Halts when the number of losing trades in a row reaches its limit. */
export function lossesHalt(
  { consecutiveLosses }: ProtectionState,
  since: EpochMs,
  config: ProtectionConfig,
): Halt | undefined {
  const limit = config.maxConsecutiveLosses;
  if (limit === undefined || consecutiveLosses < limit) return undefined;
  return {
    reason: 'consecutive-losses',
    since,
    until: haltEnd(since, config),
    action: config.onHalt ?? 'block',
    text: `${String(consecutiveLosses)} ${nounOf(consecutiveLosses, 'trade')} in a row lost, allowed are fewer than ${String(limit)}`,
  };
}

export function haltEnd(since: EpochMs, { haltMs }: ProtectionConfig): EpochMs | undefined {
  return haltMs === undefined ? undefined : since + haltMs;
}

/** The smaller of a limit in money and a limit as a share of `base`; undefined without both. */
export function tighterLimit(
  base: bigint,
  money: bigint | undefined,
  ratio: bigint | undefined,
): bigint | undefined {
  const share = ratio === undefined ? undefined : multiplyFixed(base, ratio);
  if (money === undefined || share === undefined) return money ?? share;
  return money < share ? money : share;
}
