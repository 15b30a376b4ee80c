import { multiplyFixed, type EpochMs, type Fixed, type InstrumentId } from '../../domain/index.js';
import type { StopWatch } from '../../engine/index.js';

/** A contract with stops, and the state of its price readings. */
export interface GuardedContract {
  readonly instrumentId: InstrumentId;
  readonly isNear: boolean;
  /** Whether its last price may be read again. */
  readonly isDue: boolean;
  /** When last was read; undefined: never. */
  readonly sampledAt: EpochMs | undefined;
  /** Whether any price is known. */
  readonly isKnown: boolean;
}

/** One call that samples stops of contracts. */
export type NextReading =
  { readonly kind: 'marks' } | { readonly kind: 'last'; readonly instrumentId: InstrumentId };

/**
 * Chooses the next reading: the one that is oldest. Candidates are the last price of each contract that is near a level, and the account with the
 * marks of all contracts. The account is a candidate if a contract is not near a level, several prices are unknown, or its latest reading failed.
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
 * Whether a price is so near a stop's level, or beyond it, that last must be read; for a trailing stop also whether it is so near the best price that
 * last may move the stop. `band` is a share of the level.
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
