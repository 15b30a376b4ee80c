import { formatUtc } from '../../domain/index.js';
import { instantText, moneyText, percentText, ratioText, shortHash } from '../../report/index.js';
import { formatTable } from '../data/text-table.js';
import type { PastRun } from './past-run.js';

/** Lists runs for reading, one line each. */
export function renderRuns(runs: readonly PastRun[]): string {
  const left = ['File', 'Written (UTC)', 'Run', 'Strategy', 'Parameters', 'Range'];
  const right = ['Final equity', 'Return', 'Sharpe', 'Drawdown', 'Trades'];
  const rows = runs.map((run) => [
    run.file,
    run.written === null
      ? 'n/a'
      : formatUtc(Math.floor(run.written / 1_000) * 1_000)
          .slice(0, 16)
          .replace('T', ' '),
    shortHash(run.id),
    run.instruments.length === 0
      ? run.strategy
      : `${run.strategy} on ${run.instruments.join(', ')}`,
    Object.entries(run.parameters)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', '),
    `${instantText(run.from)} to ${instantText(run.to)}`,
    moneyText(run.finalEquity, run.currency),
    percentText(run.totalReturn),
    ratioText(run.sharpe),
    percentText(run.maxDrawdown),
    String(run.trades),
  ]);
  return formatTable(
    [
      ...left.map((head) => ({ head, align: 'left' as const })),
      ...right.map((head) => ({ head, align: 'right' as const })),
    ],
    rows,
  );
}
