export { buildSweep, rankTrials } from './document/build-sweep.js';
export { sweepSchema, type Sweep, type SweepTrial } from './document/sweep-schema.js';
export { describeLuck } from './document/describe-luck.js';
export { figureText, parametersText } from './document/figure-text.js';
export { luckOfSearch, type SearchLuck } from './document/luck-of-search.js';
export { readSweep } from './document/read-sweep.js';
export { writeDocument } from './document/write-document.js';
export { KeptReturns, MOST_KEPT } from './ledger/kept-returns.js';
export { KnownTrials } from './ledger/known-trials.js';
export { returnsFileOf, ReturnsReader } from './ledger/returns-file.js';
export { ledgerOf } from './ledger/ledger-of.js';
export { TrialLedger } from './ledger/trial-ledger.js';
export { trialRecordSchema, type TrialRecord } from './ledger/trial-record.js';
export { chooseSearch, type Search, type SearchRequest } from './search/choose-search.js';
export { constraintLines, hasFigureConstraint } from './search/constraint.js';
export { figureOf, type Goal } from './search/goal.js';
export type { ListRequest } from './search/list-combinations.js';
export { describeSearch } from './search/search-names.js';
export { drawCombinations, listGrid } from './search/combinations.js';
export { OBJECTIVES, objectiveOf, type ObjectiveName } from './search/objective.js';
export { declaredSpace, parseGrid, requireListed } from './search/parse-grid.js';
export {
  MAX_COMBINATIONS,
  type Axis,
  type Combination,
  type SearchSpace,
} from './search/search-space.js';
export { repeatTrials, type TrialDifference } from './repeat-trials.js';
export { judgeSearch } from './significance/judge-search.js';
export { bestOf, judgeAlone, type RankedTrial } from './significance/judge-trial.js';
export { readReturnsTable } from './significance/read-returns-table.js';
export { readSearch, type LedgerSearch } from './significance/read-search.js';
export { trialOfReturns, type SearchedTrial } from './significance/searched-trial.js';
export { describeSignificance, numberOfTrials } from './significance/describe-significance.js';
export { readSignificance } from './significance/read-significance.js';
export {
  SIGNIFICANCE_VERSION,
  significanceSchema,
  type LuckOf,
  type SearchJudgment,
  type Significance,
} from './significance/significance-schema.js';
export { writeSignificance } from './significance/write-significance.js';
export { runSearch, type BestTrial, type SearchProgress, type SearchRun } from './run-search.js';
export {
  groundSweep,
  planSweep,
  recordOf,
  runCombinations,
  type SweepGround,
  type SweepPlan,
  type SweepProgress,
} from './sweep.js';
export { openSnapshot, takeSnapshot, type MarketSnapshot } from './trials/market-snapshot.js';
export type { DailyReturns } from './trials/daily-returns-of.js';
export {
  replayTrial,
  runTrial,
  trialOf,
  type TrialGround,
  type TrialRun,
} from './trials/run-trial.js';
export { configWithin, type Redraw, type TrialJob, type TrialSpan } from './trials/trial-job.js';
export { TrialCrash, type TrialRunner } from './trials/trial-runner.js';
export { parametersSchema, trialOutcomeSchema, type TrialOutcome } from './trials/trial-schema.js';
export { layOutCpcv, type Cpcv } from './statistics/cpcv.js';
export {
  deflatedSharpe2014,
  deflatedSharpe2026,
  luckySharpe,
} from './statistics/deflated-sharpe.js';
export { effectiveTrials } from './statistics/effective-trials.js';
export { luckOfBest } from './statistics/expected-maximum.js';
export { momentsOf, sharpeOf, type ReturnMoments } from './statistics/moments.js';
export type { MostBlocks } from './statistics/overfitting.js';
export { buildCrossValidation } from './cross-validation/build-cross-validation.js';
export {
  crossValidationSchema,
  type CrossValidation,
} from './cross-validation/cross-validation-schema.js';
export { dayChoiceOf, type DayChoice } from './cross-validation/day-figures.js';
export { runWholeTrials, type WholeTrials } from './cross-validation/run-whole-trials.js';
export { purgeOf, type Purge } from './cross-validation/purge.js';
export { tableOfTrials, type TrialTable } from './cross-validation/table-of-trials.js';
export { validateSplits, type Validation } from './cross-validation/validate-splits.js';
export { buildWalkForward } from './walk-forward/build-walk-forward.js';
export {
  foldLengthsOf,
  layOutFolds,
  wholeDaysOf,
  type Fold,
  type FoldLengths,
} from './walk-forward/lay-out-folds.js';
export { describeLuckOfWalk } from './walk-forward/describe-luck-of-walk.js';
export { readWalkForward } from './walk-forward/read-walk-forward.js';
export { requireCandles } from './walk-forward/require-candles.js';
export { runWalkForward, type FoldRun, type PlannedFold } from './walk-forward/run-walk-forward.js';
export {
  walkForwardSchema,
  type WalkForward,
  type WalkForwardFold,
} from './walk-forward/walk-forward-schema.js';
export { monteCarloSchema, type MonteCarlo } from './monte-carlo/monte-carlo-schema.js';
export { runMonteCarlo, type MonteCarloOptions } from './monte-carlo/run-monte-carlo.js';
export { blockOfMarket, redrawMarket } from './monte-carlo/redraw-market.js';
export { rerunHistories } from './monte-carlo/rerun-histories.js';
export { AUDIT_PARTS, auditSchema, type Audit, type AuditPart } from './audit/audit-schema.js';
export type { AuditJob, AuditRun, AuditRunner } from './audit/audit-job.js';
export { findLookAhead } from './audit/find-look-ahead.js';
export { changeMarket } from './audit/market-change.js';
export { runAuditJob, type AuditGround } from './audit/run-audit-job.js';
export { runAudit } from './audit/run-audit.js';
export { describeAudit, type AuditWords } from './audit/describe-audit.js';
export { readAudit } from './audit/read-audit.js';
export { parseLaw, type RunLaw } from './fuzz/law.js';
export { drawHistory } from './fuzz/draw-history.js';
export { describeStretches, type History } from './fuzz/history.js';
export { layOut, type LaidOut, type LaidOutMarket } from './fuzz/lay-out.js';
export type { FuzzGround } from './fuzz/fuzz-ground.js';
export { prepareGround } from './fuzz/prepare-ground.js';
export { configOfHistory } from './fuzz/run-history.js';
export { runFuzz, type FoundHistory, type FuzzProgress } from './fuzz/run-fuzz.js';
export { fuzzSchema, type Fuzz, type FuzzViolation } from './fuzz/fuzz-schema.js';
