import { formatFixed } from '../../domain/index.js';
import type { Flow } from '../result/result-schema.js';
import type { RunRecord } from '../run-record.js';

/** Funding and interest in the form of a result, in order of time. A backtest has no deposits or withdrawals. */
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
