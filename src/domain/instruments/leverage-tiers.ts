import { FIXED_ONE, formatFixed, type Fixed } from '../amounts/fixed.js';
import { DomainError } from '../errors.js';
import type { EpochMs } from '../time.js';
import type { InstrumentId } from './instrument.js';

/** What the venue demands of positions up to a size. Source: exchange facts, contract facts (`keepRate`, `maxFeeRate`, the ladder). */
export interface LeverageTier {
  /** Largest position value at mark, in the margin asset, inclusive; undefined for the last tier. */
  readonly maxValue: Fixed | undefined;
  readonly maxLeverage: Fixed;
  /** Maintenance margin as a ratio of the position's value at mark: 0.005 is 0.5 %. */
  readonly keepRate: Fixed;
}

/** Tiers in force from `from` on, until the next entry; smallest first. */
export interface DatedTiers {
  readonly from: EpochMs;
  readonly tiers: readonly LeverageTier[];
}

/**
 * The tiers of many contracts over time. A contract without tiers has one that allows any size and leverage, with a maintenance margin of 0.
 */
export class TierBook {
  readonly #entries = new Map<InstrumentId, readonly DatedTiers[]>();
  /** The last look-up. */
  #latestId: InstrumentId | undefined;
  #latest: readonly DatedTiers[] | undefined;

  /**
   * @throws {DomainError} `E_TIERS` when there is no entry or no tier, two entries start at the same time, maximum values do not rise, a tier
   * other than the last has no maximum value, a leverage is below 1, or a rate is not within [0, 1).
   */
  set(instrumentId: InstrumentId, entries: readonly DatedTiers[]): void {
    const sorted = [...entries].sort((a, b) => a.from - b.from);
    if (sorted.length === 0)
      throw tierError(instrumentId, 'at least one record of tiers, received none');
    for (const [index, { from, tiers }] of sorted.entries()) {
      if (index > 0 && from === sorted[index - 1]?.from)
        throw tierError(instrumentId, 'one record of tiers per time, received two');
      checkTiers(instrumentId, tiers);
    }
    this.#latestId = undefined;
    this.#entries.set(instrumentId, sorted);
  }

  /** Tiers in force at `time`, smallest first; the earliest record also holds for earlier times. */
  at(instrumentId: InstrumentId, time: EpochMs): readonly LeverageTier[] {
    const entries = this.#entriesOf(instrumentId);
    if (entries === undefined) return UNLIMITED;
    let found = entries[0];
    for (const entry of entries) {
      if (entry.from > time) break;
      found = entry;
    }
    return found?.tiers ?? UNLIMITED;
  }

  /** Remembers the last look-up, because one order reads the tiers of its contract several times. */
  #entriesOf(instrumentId: InstrumentId): readonly DatedTiers[] | undefined {
    if (instrumentId !== this.#latestId) {
      this.#latestId = instrumentId;
      this.#latest = this.#entries.get(instrumentId);
    }
    return this.#latest;
  }
}

const UNLIMITED: readonly LeverageTier[] = [
  { maxValue: undefined, maxLeverage: 1_000_000n * FIXED_ONE, keepRate: 0n },
];

/** Returns the tier of a position's value, and its index. A value above the last maximum belongs to the last tier. */
export function tierOf(
  tiers: readonly LeverageTier[],
  value: Fixed,
): { readonly index: number; readonly tier: LeverageTier } {
  let index = 0;
  for (; index < tiers.length - 1; index += 1) {
    const maxValue = tiers[index]?.maxValue;
    if (maxValue === undefined || value <= maxValue) break;
  }
  const tier = tiers[index];
  if (tier === undefined) throw new DomainError('E_TIERS', 'expected at least one tier');
  return { index, tier };
}

function checkTiers(instrumentId: InstrumentId, tiers: readonly LeverageTier[]): void {
  if (tiers.length === 0) throw tierError(instrumentId, 'at least one tier, received none');
  let before = 0n;
  for (const [index, { maxValue, maxLeverage, keepRate }] of tiers.entries()) {
    const isLast = index === tiers.length - 1;
    if (maxValue === undefined ? !isLast : maxValue <= before)
      throw tierError(
        instrumentId,
        `tiers with rising maxValue, and only the last without one, received ${maxValue === undefined ? 'none' : formatFixed(maxValue)} in tier ${String(index + 1)}`,
      );
    before = maxValue ?? before;
    if (maxLeverage < FIXED_ONE)
      throw tierError(instrumentId, `maxLeverage >= 1, received ${formatFixed(maxLeverage)}`);
    if (keepRate < 0n || keepRate >= FIXED_ONE)
      throw tierError(instrumentId, `keepRate within [0, 1), received ${formatFixed(keepRate)}`);
  }
}

function tierError(instrumentId: InstrumentId, text: string): DomainError {
  return new DomainError('E_TIERS', `${instrumentId}: expected ${text}`);
}
