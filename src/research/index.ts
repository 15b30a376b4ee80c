export { buildSweep, figureOf, rankTrials } from './document/build-sweep.js';
export {
  SWEEP_VERSION,
  sweepJsonSchema,
  sweepSchema,
  type Sweep,
  type SweepTrial,
} from './document/sweep-schema.js';
export { readSweep } from './document/read-sweep.js';
export { writeSweep } from './document/write-sweep.js';
export { KnownTrials, type OtherTrials } from './ledger/known-trials.js';
export { ledgerOf, TrialLedger } from './ledger/trial-ledger.js';
export { trialRecordSchema, type TrialRecord } from './ledger/trial-record.js';
export { drawCombinations, listGrid } from './search/combinations.js';
export { OBJECTIVES, objectiveOf, type Objective, type ObjectiveName } from './search/objective.js';
export { declaredSpace, parseGrid, requireListed } from './search/parse-grid.js';
export {
  MAX_COMBINATIONS,
  type Axis,
  type Combination,
  type SearchSpace,
} from './search/search-space.js';
export { repeatTrials, type TrialDifference } from './repeat-trials.js';
export { planSweep, runSweep, type SweepPlan, type SweepProgress } from './sweep.js';
export { openSnapshot, takeSnapshot, type MarketSnapshot } from './trials/market-snapshot.js';
export { replayTrial, runTrial, type TrialGround } from './trials/run-trial.js';
export { TrialCrash, type TrialRunner } from './trials/trial-runner.js';
export type { TrialOutcome } from './trials/trial-schema.js';
