import type { Result } from '../../report/index.js';
import type { TrialRecord } from '../../research/ledger/index.js';

/** One past run in a list, from a result's file or from a line of a ledger. */
export interface PastRun {
  /** The result's file, or the ledger. */
  readonly file: string;
  /** Time of writing, UTC milliseconds; null if a line of a ledger has none. */
  readonly written: number | null;
  readonly id: string;
  readonly strategy: string;
  readonly parameters: Result['run']['parameters'];
  /** Empty for a run of a ledger, which does not store them. */
  readonly instruments: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly finalEquity: string;
  readonly currency: string;
  readonly totalReturn: number | null;
  readonly sharpe: number | null;
  readonly maxDrawdown: number | null;
  readonly trades: number;
  /** Hashes that `--find` searches. */
  readonly hashes: readonly string[];
}

export function pastRunOfResult(
  { run, equity, statistics, hash }: Result,
  place: Pick<PastRun, 'file' | 'written'>,
): PastRun {
  const { id, strategy, parameters, instruments, from, to, dataHash, configHash } = run;
  const hashes = [id, hash.orders, hash.fills, dataHash, configHash];
  const named = { ...place, id, strategy, parameters, instruments, from, to };
  return { ...named, ...figuresOf({ equity, statistics }), hashes };
}

/** Undefined for a trial that failed. */
export function pastRunOfTrial(
  { id, strategy, parameters, outcome, at, data, source, ground }: TrialRecord,
  file: string,
): PastRun | undefined {
  if (outcome.status === 'failed') return undefined;
  const { from, to } = outcome;
  const named = { file, written: at ?? null, id, strategy, parameters, instruments: [], from, to };
  return { ...named, ...figuresOf(outcome), hashes: [id, data, source, ground] };
}

type Figures = 'finalEquity' | 'currency' | 'totalReturn' | 'sharpe' | 'maxDrawdown' | 'trades';

function figuresOf({
  equity,
  statistics,
}: Pick<Result, 'equity' | 'statistics'>): Pick<PastRun, Figures> {
  const { totalReturn, sharpe, maxDrawdown, trades } = statistics;
  const { final: finalEquity, currency } = equity;
  return { finalEquity, currency, totalReturn, sharpe, maxDrawdown, trades };
}
