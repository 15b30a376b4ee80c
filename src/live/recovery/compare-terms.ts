import {
  compareIds,
  type Fixed,
  type InstrumentId,
  type MarginMode,
  type PositionMode,
} from '../../domain/index.js';
import type { FuturesAccountSnapshot, VenueOrder, VenuePosition } from '../../venue/index.js';
import type { AssertedTerm, Disagreement, TermsEvidence } from './disagreements.js';

/** Terms of a contract that a config asserts, because the interface cannot set them (DESIGN §7). */
export interface AssertedTerms {
  readonly instrumentId: InstrumentId;
  readonly leverage: Fixed;
  readonly marginMode: MarginMode;
  readonly positionMode: PositionMode;
}

/** Data of the venue that shows a contract's terms. */
interface TermsView {
  readonly account: FuturesAccountSnapshot;
  /** Rows of the contract's order history, in any order; the newest that shows a term counts. */
  readonly history: readonly VenueOrder[];
}

/** Terms seen in one position or order; undefined if it does not show a term. */
interface Shown {
  readonly leverage: Fixed | undefined;
  readonly marginMode: MarginMode | undefined;
}

/**
 * Compares the terms that a config asserts with the venue: with open positions, or if there are none with the newest order of the history.
 *
 * `oneWay` needs no proof unless both sides are held: a bot that keeps to one side at a time does the same in both modes. Only two sides held at once
 * prove `hedge`.
 */
export function compareTerms(
  asserted: AssertedTerms,
  { account, history }: TermsView,
): readonly Disagreement[] {
  const { instrumentId, leverage, marginMode, positionMode } = asserted;
  const positions = heldPositions(account, instrumentId);
  const shown = positions.length > 0 ? positions.map(shownBy) : [newestTerms(history, asserted)];
  const isHedged = new Set(positions.map(({ direction }) => direction)).size > 1;
  const seenIn: TermsEvidence = positions.length > 0 ? 'open position' : 'newest order';
  const found: Disagreement[] = [];
  // Both sides usually show the same, which is one difference.
  for (const actual of new Set(shown.map((one) => one.leverage))) {
    if (actual === undefined || actual === leverage) continue;
    found.push({ kind: 'leverage-differs', instrumentId, configured: leverage, actual, seenIn });
  }
  for (const actual of new Set(shown.map((one) => one.marginMode))) {
    if (actual === undefined || actual === marginMode) continue;
    const configured = marginMode;
    found.push({ kind: 'margin-mode-differs', instrumentId, configured, actual, seenIn });
  }
  if (isHedged && positionMode === 'oneWay') {
    const sides = { configured: positionMode, actual: 'hedge', seenIn: 'open position' } as const;
    found.push({ kind: 'position-mode-differs', instrumentId, ...sides });
  }
  const terms: AssertedTerm[] = [];
  if (shown.every((one) => one.leverage === undefined)) terms.push('leverage');
  if (shown.every((one) => one.marginMode === undefined)) terms.push('marginMode');
  if (!isHedged && positionMode === 'hedge') terms.push('positionMode');
  if (terms.length > 0) found.push({ kind: 'terms-unverified', instrumentId, terms });
  return found;
}

function heldPositions(
  { accounts }: FuturesAccountSnapshot,
  instrumentId: InstrumentId,
): readonly VenuePosition[] {
  return accounts
    .flatMap(({ positions }) => positions)
    .filter((position) => position.instrumentId === instrumentId)
    .filter(({ isValid, quantity }) => isValid && quantity > 0n);
}

function shownBy({ leverage, marginMode }: VenuePosition): Shown {
  return { leverage, marginMode };
}

/** Each term from the newest row that shows it. */
function newestTerms(history: readonly VenueOrder[], { instrumentId }: AssertedTerms): Shown {
  const rows = history.filter((order) => order.instrumentId === instrumentId);
  const isDated = rows.every(({ createdTime }) => createdTime !== undefined);
  // By id if times are missing or equal.
  rows.sort(
    (a, b) =>
      (isDated ? (b.createdTime ?? 0) - (a.createdTime ?? 0) : 0) ||
      compareIds(b.venueOrderId, a.venueOrderId),
  );
  return {
    leverage: rows.find((row) => row.leverage !== undefined)?.leverage,
    marginMode: rows.find((row) => row.marginMode !== undefined)?.marginMode,
  };
}
