import type { BacktestConfig } from '../../assembly/backtest/index.js';
import { DataError, type EpochMs } from '../../domain/index.js';
import type { FinishedTrial } from '../trials/trial-schema.js';
import type { MarketSnapshot } from '../trials/market-snapshot.js';
import type { AuditJob, AuditRun } from './audit-job.js';
import type { Proof } from './audit-schema.js';

/** What the parts of an audit look at: the bot, its market, and the run that others are compared with. */
export interface AuditSubject {
  readonly config: BacktestConfig;
  readonly snapshot: MarketSnapshot;
  readonly base: AuditRun;
  /** What the base came to. */
  readonly finished: FinishedTrial;
  /** Of all that is drawn. */
  readonly seed: number;
}

/** Runs one job, as soon as there is room for it. */
export type RunJob = (job: AuditJob) => Promise<AuditRun>;

/** A part of an audit before its first run. */
export interface PlannedPart<Section> {
  /** Backtests that it will run, at most. */
  readonly runs: number;
  judge(run: RunJob): Promise<Section>;
}

/** @throws {DataError} with the code of the failure, because nothing can be compared with what does not run. */
export function requireFinished({ outcome }: AuditRun): FinishedTrial {
  if (outcome.status === 'finished') return outcome;
  throw new DataError(outcome.code as DataError['code'], outcome.message);
}

/** A proof from what it found: only the first findings are told. */
export function proofOf(findings: readonly string[], reason: string | null = null): Proof {
  return {
    verdict: findings.length > 0 ? 'violated' : 'passed',
    reason,
    findings: findings.slice(0, MOST_FINDINGS),
  };
}

/** A proof that there is nothing to be had from. */
export function notDone(reason: string): Proof {
  return { verdict: 'not done', reason, findings: [] };
}

const MOST_FINDINGS = 5;

/** The configuration that ends earlier, but no later than it did. */
export function endingBy(config: BacktestConfig, to: EpochMs): BacktestConfig {
  const { simulation } = config;
  return {
    ...config,
    simulation: { ...simulation, to: Math.min(to, simulation.to ?? Number.POSITIVE_INFINITY) },
  };
}
