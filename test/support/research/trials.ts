import type { TrialOutcome, TrialRecord } from '../../../src/research/index.js';

const sha = (digit: string): string => digit.repeat(64);

type Finished = Extract<TrialOutcome, { status: 'finished' }>;

/** A finished trial, identified by its Sharpe ratio. */
export function aFinishedTrial(sharpe: number | null, overrides: Partial<Finished> = {}): Finished {
  return {
    status: 'finished',
    from: 1_720_000_000_000,
    to: 1_730_000_000_000,
    candles: 1_000,
    equity: { initial: '10000', final: '10100.5', currency: 'USDT' },
    statistics: {
      totalReturn: 0.01005,
      cagr: 0.1,
      volatility: 0.4,
      sharpe,
      sortino: 1,
      calmar: 1,
      maxDrawdown: 0.1,
      maxDrawdownDuration: 3_600_000,
      trades: 10,
      winRate: 0.5,
      profitFactor: 1.5,
      expectancy: '10.05',
      exposure: 0.5,
      turnover: 20,
      fees: '20',
      funding: '0',
      interest: '0',
      insurance: '0',
    },
    intents: 21,
    orders: 20,
    fills: 20,
    refusals: 1,
    undecidedCandles: 3,
    accounting: { residual: '0' },
    ...overrides,
  };
}

/** A trial as a ledger keeps it. */
export function aTrialRecord(overrides: Partial<TrialRecord> = {}): TrialRecord {
  return {
    version: 1,
    id: sha('1'),
    strategy: 'Cross',
    source: sha('a'),
    ground: sha('b'),
    data: sha('c'),
    engine: '0.1.0',
    parameters: { fast: 10 },
    outcome: aFinishedTrial(0.5),
    ...overrides,
  };
}

/** Records with ids of their own. */
export function someTrialRecords(count: number): readonly TrialRecord[] {
  return Array.from({ length: count }, (_, index) =>
    aTrialRecord({
      id: String(index).padStart(64, '0'),
      parameters: { fast: index },
      outcome: aFinishedTrial(index / 7),
    }),
  );
}
