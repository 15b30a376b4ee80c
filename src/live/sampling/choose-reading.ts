import { multiplyFixed, type EpochMs, type Fixed, type InstrumentId } from '../../domain/index.js';
import type { StopWatch } from '../../engine/index.js';

/** A contract with stops, and what is known of its price. */
export interface GuardedContract {
  readonly instrumentId: InstrumentId;
  readonly isNear: boolean;
  /** Whether its last price may be read again. */
  readonly isDue: boolean;
  /** When last was read; undefined: never. */
  readonly sampledAt: EpochMs | undefined;
  /** Whether anything is known of its price. */
  readonly isKnown: boolean;
}

/** One call for stops of contracts. */
export type NextReading =
  { readonly kind: 'marks' } | { readonly kind: 'last'; readonly instrumentId: InstrumentId };

/**
 * What is to be read next: what has not been read for longest, of the last prices of contracts that are near a level and, where others are not near
 * or several are not known at all, of the account that has the marks of all.
 */
export function chooseReading(
  contracts: readonly GuardedContract[],
  marks: { readonly at: EpochMs | undefined; readonly areMissing: boolean },
): NextReading | undefined {
  const unknown = contracts.filter(({ isKnown }) => !isKnown);
  const needsMarks =
    contracts.length > 1 &&
    (contracts.some(({ isNear }) => !isNear) || unknown.length > 1 || marks.areMissing);
  let oldest = needsMarks ? (marks.at ?? Number.NEGATIVE_INFINITY) : Number.POSITIVE_INFINITY;
  let next: NextReading | undefined = needsMarks ? { kind: 'marks' } : undefined;
  for (const { instrumentId, isNear, isDue, sampledAt } of contracts) {
    const at = sampledAt ?? Number.NEGATIVE_INFINITY;
    if (!isNear || !isDue || (next !== undefined && at >= oldest)) continue;
    oldest = at;
    next = { kind: 'last', instrumentId };
  }
  return next;
}

/**
 * Whether a price is so near a stop's level, or beyond it, that last has to be looked at; and where it trails, so near the best price that last may
 * move it. `band` is a share of the level.
 */
export function isNearStop(
  { direction, level, trail, best }: Pick<StopWatch, 'direction' | 'level' | 'trail' | 'best'>,
  price: Fixed,
  band: Fixed,
): boolean {
  const width = multiplyFixed(level, band);
  const [reaches, improves] =
    direction === 'long'
      ? [price <= level + width, price >= best - width]
      : [price >= level - width, price <= best + width];
  return reaches || (trail !== undefined && improves);
}
