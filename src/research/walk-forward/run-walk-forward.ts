import { DataError, formatUtc, present, type EpochMs } from '../../domain/index.js';
import type { KnownTrials } from '../ledger/known-trials.js';
import type { TrialLedger } from '../ledger/trial-ledger.js';
import type { Choice } from '../search/goal.js';
import { recordOf, runCombinations, type SweepPlan, type SweepProgress } from '../sweep.js';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import type { TrialRun } from '../trials/run-trial.js';
import { TrialCrash, type TrialRunner } from '../trials/trial-runner.js';
import type { FinishedTrial, TrialOutcome } from '../trials/trial-schema.js';
import { chooseBest } from './choose-best.js';
import type { Fold } from './lay-out-folds.js';

/** A fold with the plans for its two parts: the same combinations in both. */
export interface PlannedFold extends Fold {
  readonly inside: SweepPlan;
  readonly outside: SweepPlan;
}

/** Outcome of a fold. */
export interface FoldRun {
  /** Outcomes of the training part, one per combination. */
  readonly outcomes: readonly TrialOutcome[];
  /** Index of the chosen combination. */
  readonly chosen: number;
  readonly inside: FinishedTrial;
  readonly outside: FinishedTrial;
  /** Daily returns of the test part. Undefined without a whole day, or if an equity is not above 0. */
  readonly returns: DailyReturns | undefined;
}

interface RunWalkForwardOptions {
  readonly folds: readonly PlannedFold[];
  readonly objective: Choice;
  readonly runner: TrialRunner;
  readonly ledger: TrialLedger;
  readonly known: Pick<KnownTrials, 'get'>;
  /** Returns the current time; UTC milliseconds. */
  readonly now: () => EpochMs;
  /** Whether to keep the daily returns of a trial. @defaultValue all are */
  readonly keepsReturns?: ((id: string, outcome: TrialOutcome) => boolean) | undefined;
  /** Stops the walk-forward: it then rejects with the signal's reason, and the ledger has all runs that ended. */
  readonly signal?: AbortSignal | undefined;
  /** Called as combinations of training parts end. */
  readonly onProgress?: ((progress: SweepProgress) => void) | undefined;
}

/**
 * Runs a walk-forward. For each fold it runs all combinations on the training part, and the best of them on the test part. While a test runs, the next fold
 * trains. Returns the folds in order, the same for any number of jobs. Tests always run. Training runs only if the ledger does not know it.
 *
 * @throws {DataError} `E_FOLD_EMPTY` when no combination of a fold can be chosen, `E_FOLD_FAILED` when the one that was chosen fails in its test; the errors
 * of {@link runCombinations}.
 */
export async function runWalkForward(options: RunWalkForwardOptions): Promise<readonly FoldRun[]> {
  const { folds, runner, signal } = options;
  const interrupt = (): void => void runner.close();
  signal?.addEventListener('abort', interrupt);
  const tests: Promise<FoldRun>[] = [];
  const progress = new Progress(options);
  try {
    for (const [index, fold] of folds.entries()) {
      const outcomes = await train(options, fold, progress.ofFold(index));
      const chosen = chooseBest(outcomes, options.objective, describeFold(index, 'train', fold));
      const test = runTest(options, index, chosen);
      const run = test.then((tested) => ({
        outcomes,
        chosen,
        inside: requireFinished(outcomes[chosen], describeFold(index, 'train', fold)),
        ...tested,
      }));
      // The rejection is handled below, after all tests have ended.
      run.catch(() => undefined);
      tests.push(run);
    }
    return await Promise.all(tests);
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await Promise.allSettled(tests);
  }
}

function train(
  { runner, ledger, known, now, keepsReturns, signal }: RunWalkForwardOptions,
  { inside: plan }: PlannedFold,
  onProgress: (progress: SweepProgress) => void,
): Promise<readonly TrialOutcome[]> {
  return runCombinations({ plan, runner, ledger, known, now, keepsReturns, signal, onProgress });
}

/** Runs the chosen combination on the test part. Adds it to the ledger unless the ledger knows it. */
async function runTest(
  { folds, runner, ledger, known, now, signal }: RunWalkForwardOptions,
  index: number,
  chosen: number,
): Promise<Pick<FoldRun, 'outside' | 'returns'>> {
  const fold = present(folds[index], 'fold');
  const { outside: plan } = fold;
  const { parameters } = present(plan.combinations[chosen], 'combination');
  const where = `${describeFold(index, 'test', fold)}, ${JSON.stringify(parameters)}`;
  const run = await runner
    .run({ parameters, span: plan.span })
    .catch((error: unknown): TrialRun => {
      signal?.throwIfAborted();
      if (!(error instanceof TrialCrash)) throw error;
      return { outcome: { status: 'failed', code: 'E_TRIAL_CRASHED', message: error.message } };
    });
  const outside = requireFinished(run.outcome, where);
  const record = recordOf(plan, chosen, { run, at: now() });
  if (known.get(record.id) === undefined) ledger.append(record, run.returns);
  return { outside, returns: run.returns };
}

function requireFinished(outcome: TrialOutcome | undefined, where: string): FinishedTrial {
  const known = present(outcome, 'outcome of a combination');
  if (known.status === 'finished') return known;
  throw new DataError('E_FOLD_FAILED', `${where}: ${known.message} (${known.code})`);
}

/** Names a part of a fold for messages. */
function describeFold(index: number, part: 'train' | 'test', fold: Fold): string {
  const { from, to } = fold[part];
  return `fold ${String(index + 1)}, ${part} part from ${formatUtc(from)} to ${formatUtc(to)}`;
}

/** Adds up the progress of the folds. */
class Progress {
  readonly #parts: SweepProgress[];
  readonly #report: RunWalkForwardOptions['onProgress'];

  constructor({ folds, onProgress }: RunWalkForwardOptions) {
    this.#report = onProgress;
    this.#parts = folds.map(({ inside }) => ({
      done: 0,
      ran: 0,
      failed: 0,
      total: inside.ids.length,
    }));
  }

  ofFold(index: number): (progress: SweepProgress) => void {
    return (progress) => {
      this.#parts[index] = progress;
      const sum = (key: keyof SweepProgress): number =>
        this.#parts.reduce((total, part) => total + part[key], 0);
      this.#report?.({
        done: sum('done'),
        ran: sum('ran'),
        failed: sum('failed'),
        total: sum('total'),
      });
    };
  }
}
