import { describe, expect, it } from 'vitest';
import type { BacktestConfig } from '../../../src/assembly/index.js';
import { HOUR_MS, type Candle, type CandleColumns } from '../../../src/domain/index.js';
import {
  runAudit,
  runAuditJob,
  takeSnapshot,
  type Audit,
  type AuditJob,
  type MarketSnapshot,
} from '../../../src/research/index.js';
import { changeMarket, endOfPast } from '../../../src/research/audit/market-change.js';
import { CandleStrategy, int, type StrategyClass } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { januaryCandles } from '../../support/cli/bot-folder.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { BTC } from '../../support/replay.js';
import { oneAfterTheOther } from '../../support/research/audit-runners.js';

const CONFIG: BacktestConfig = aBacktestConfig({ instrumentId: BTC, interval: '1h' });

function takeHours(): Promise<MarketSnapshot> {
  const series = { instrumentId: BTC, interval: '1h', columns: januaryCandles() } as const;
  return takeSnapshot(CONFIG, createMemoryArchive([series]));
}

/** Audits a strategy that holds the arrays that its run replays. */
async function auditReader(readsFrom: (columns: CandleColumns) => StrategyClass): Promise<Audit> {
  const snapshot = await takeHours();
  const run = (job: AuditJob): ReturnType<typeof runAuditJob> => {
    const { series } = job.change === undefined ? snapshot : changeMarket(snapshot, job.change);
    const columns = series[0]?.columns ?? januaryCandles();
    const ground = { snapshot, strategyClass: readsFrom(columns), sourceHash: 'a'.repeat(64) };
    return runAuditJob(ground, job);
  };
  return runAudit({
    strategy: 'Reader',
    sourceHash: 'a'.repeat(64),
    config: CONFIG,
    declared: {},
    snapshot,
    parts: ['look-ahead', 'determinism'],
    seed: 1,
    instants: 4,
    jobs: 1,
    texts: [],
    said: { findings: [], notes: [] },
    startRunner: ({ jobs }) => Promise.resolve(oneAfterTheOther(run, jobs)),
  });
}

/** Long while `isUp` holds for the last closed row, otherwise flat. */
const reader = (
  { openTime, close }: CandleColumns,
  isUp: (closes: Float64Array, row: number) => boolean,
): StrategyClass =>
  class Reader extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
    override onCandle({ openTime: time }: Candle): void {
      if (isUp(close, openTime.indexOf(time))) this.enterLong({ equity: '0.5' });
      else this.exit();
    }
  };

const at = (closes: Float64Array, row: number): number =>
  closes[Math.max(0, Math.min(closes.length - 1, row))] ?? 0;

describe('an audit of look-ahead', () => {
  it.each([
    [
      'the coming candle',
      (closes: Float64Array, row: number) => at(closes, row + 1) > at(closes, row),
    ],
    [
      'a centred average',
      (closes: Float64Array, row: number) =>
        [-2, -1, 0, 1, 2].reduce((sum, by) => sum + at(closes, row + by), 0) / 5 > at(closes, row),
    ],
    [
      'the highest price of all',
      (closes: Float64Array, row: number) => at(closes, row) < 0.9 * Math.max(...closes),
    ],
  ])('detects a strategy that reads %s in a shared array', async (_name, isUp) => {
    const { lookAhead, determinism } = await auditReader((columns) => reader(columns, isUp));

    expect(determinism?.findings).toEqual([]);
    expect(lookAhead?.verdict).toBe('violated');
    expect(lookAhead?.findings[0]).toMatch(/ as it was, .* \(E_AUDIT_LOOK_AHEAD\)$/);
  });

  it('finds nothing if the same array is read only up to the closed candle', async () => {
    const { lookAhead } = await auditReader((columns) =>
      reader(columns, (closes, row) => at(closes, row) > at(closes, row - 3)),
    );

    expect(lookAhead).toMatchObject({ verdict: 'passed', instants: 4 });
    expect(lookAhead?.compared).toBeGreaterThan(100);
  });
});

describe('changeMarket', () => {
  it.each(['cut', 'noise', 'shift'] as const)('by %s keeps the closed candles', async (kind) => {
    const market = await takeHours();
    const before = market.series[0]?.columns;
    const first = before?.openTime[0] ?? 0;

    const changed = changeMarket(market, { kind, at: first + 10.5 * HOUR_MS, seed: 3 });
    const after = changed.series[0]?.columns;

    expect(endOfPast(CONFIG, market, first + 10.5 * HOUR_MS)).toBe(first + 10 * HOUR_MS);
    expect(after?.close.slice(0, 10)).toEqual(before?.close.slice(0, 10));
    const next = { cut: undefined, noise: expect.any(Number) as number, shift: before?.close[11] };
    expect(after?.close[10]).toEqual(next[kind]);
    expect(after?.close[10]).not.toBe(before?.close[10]);
    expect(endOfPast(CONFIG, market, first)).toBeUndefined();
  });
});
