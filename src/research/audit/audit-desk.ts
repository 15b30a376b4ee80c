import type { BacktestConfig } from '../../assembly/backtest/index.js';
import { DataError, type EpochMs } from '../../domain/index.js';
import type { FinishedTrial } from '../trials/trial-schema.js';
import type { MarketSnapshot } from '../trials/market-snapshot.js';
import type { AuditJob, AuditRun } from './audit-job.js';
import type { Proof } from './audit-schema.js';

/** Input of all parts of an audit: the bot, its market, and the base run for comparisons. */
export interface AuditSubject {
  readonly config: BacktestConfig;
  readonly snapshot: MarketSnapshot;
  readonly base: AuditRun;
  /** Outcome of the base run. */
  readonly finished: FinishedTrial;
  /** Seed of everything that is drawn. */
  readonly seed: number;
}

/** Runs one job as soon as a worker is free. */
export type RunJob = (job: AuditJob) => Promise<AuditRun>;

/** A part of an audit, planned before its first run. */
export interface PlannedPart<Section> {
  /** Most backtests that it will run. */
  readonly runs: number;
  judge(run: RunJob): Promise<Section>;
}

/** @throws {DataError} with the code of the failure: without a finished run there is nothing to compare with. */
export function requireFinished({ outcome }: AuditRun): FinishedTrial {
  if (outcome.status === 'finished') return outcome;
  throw new DataError(outcome.code as DataError['code'], outcome.message);
}

/** Makes a proof from its findings. Only the first few are kept. */
export function proofOf(findings: readonly string[], reason: string | null = null): Proof {
  return {
    verdict: findings.length > 0 ? 'violated' : 'passed',
    reason,
    findings: findings.slice(0, MOST_FINDINGS),
  };
}

/** A proof that could not be done. */
export function notDone(reason: string): Proof {
  return { verdict: 'not done', reason, findings: [] };
}

const MOST_FINDINGS = 5;

/** The configuration with an earlier end. A later `to` changes nothing. */
export function endingBy(config: BacktestConfig, to: EpochMs): BacktestConfig {
  const { simulation } = config;
  return {
    ...config,
    simulation: { ...simulation, to: Math.min(to, simulation.to ?? Number.POSITIVE_INFINITY) },
  };
}
