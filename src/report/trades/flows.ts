import { formatFixed } from '../../domain/index.js';
import type { Flow } from '../result-schema.js';
import type { RunRecord } from '../run-record.js';

/** Funding and interest as a result has them, in order of time. A backtest knows no payments in or out. */
export function flowEntries({ financings, instruments }: RunRecord): readonly Flow[] {
  const margins = new Set(instruments.filter(({ kind }) => kind === 'margin').map(({ id }) => id));
  return financings.map(({ time, instrumentId, direction, cost }) => ({
    time,
    kind: margins.has(instrumentId) ? 'interest' : 'funding',
    instrument: instrumentId,
    side: direction,
    amount: formatFixed(-cost),
  }));
}
