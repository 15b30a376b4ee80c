import { hashInputs, type BacktestConfig, type LoadedMarket } from '../assembly/backtest/index.js';
import { present, type EpochMs } from '../domain/index.js';
import type { KnownTrials } from './ledger/known-trials.js';
import type { TrialLedger } from './ledger/trial-ledger.js';
import { LEDGER_VERSION, type TrialInputs, type TrialRecord } from './ledger/trial-record.js';
import type { Combination } from './search/search-space.js';
import { momentsOf } from './statistics/moments.js';
import type { TrialRun } from './trials/run-trial.js';
import { configOf, type TrialSpan } from './trials/trial-job.js';
import { TrialCrash, type TrialRunner } from './trials/trial-runner.js';
import type { TrialOutcome } from './trials/trial-schema.js';

/** The combinations of a sweep, with their common inputs. */
export interface SweepPlan {
  readonly config: BacktestConfig;
  /** The part of the prepared range that `config` names. @defaultValue the whole range */
  readonly span?: TrialSpan | undefined;
  readonly inputs: TrialInputs;
  readonly combinations: readonly Combination[];
  /** Per combination the `run.id` of its backtest: a hash of all inputs. */
  readonly ids: readonly string[];
}

/** Inputs that determine the ids of combinations, apart from their parameters. */
export interface SweepGround extends Pick<SweepPlan, 'config' | 'span' | 'inputs'> {
  /** The `run.id` of a combination's backtest. */
  readonly idOf: (combination: Combination) => string;
}

/** Hashes the common inputs of the combinations of a sweep. */
export function groundSweep({
  config,
  market,
  span,
  strategy,
  sourceHash,
  engine,
}: {
  readonly config: BacktestConfig;
  readonly market: LoadedMarket;
  readonly span?: TrialSpan | undefined;
  readonly strategy: string;
  readonly sourceHash: string;
  readonly engine: string;
}): SweepGround {
  const data = { series: market.series, terms: market.terms.hash };
  const bare = { ...config, strategy: { ...config.strategy, parameters: {} } };
  const hashes = hashInputs(bare, data, sourceHash);
  return {
    config,
    span,
    inputs: { strategy, source: sourceHash, ground: hashes.config, data: hashes.data, engine },
    idOf: ({ parameters }) => hashInputs(configOf(config, parameters), data, sourceHash).run,
  };
}

/** Computes the id of every combination from its inputs, before any is run. */
export function planSweep(
  combinations: readonly Combination[],
  { config, span, inputs, idOf }: SweepGround,
): SweepPlan {
  return { config, span, inputs, combinations, ids: combinations.map(idOf) };
}

/** The record of a trial of a plan for the ledger, without its daily returns. `at`: when it ended; UTC milliseconds. */
export function recordOf(
  { config, inputs, combinations, ids }: SweepPlan,
  index: number,
  { run, at }: { readonly run: TrialRun; readonly at: EpochMs },
): TrialRecord {
  const { outcome, returns } = run;
  const searched = present(combinations[index], 'combination').parameters;
  const parameters = { ...config.strategy.parameters, ...searched };
  const id = present(ids[index], 'id');
  const record = { version: LEDGER_VERSION, id, ...inputs, parameters, outcome, at } as const;
  const moments = returns && momentsOf(returns.values);
  return moments === undefined ? record : { ...record, moments };
}

export interface SweepProgress {
  /** Combinations with an outcome, including those known before. */
  readonly done: number;
  /** Number of these that this sweep ran itself. */
  readonly ran: number;
  readonly failed: number;
  readonly total: number;
}

export interface CombinationsOptions {
  readonly plan: SweepPlan;
  readonly runner: TrialRunner;
  /** Keeps the outcomes. */
  readonly ledger: Pick<TrialLedger, 'append' | 'flush'>;
  readonly known: Pick<KnownTrials, 'get'>;
  /** Returns the current time; UTC milliseconds. Each trial records when it ended. */
  readonly now: () => EpochMs;
  /** Whether to keep the daily returns of a trial. @defaultValue all are */
  readonly keepsReturns?: ((id: string, outcome: TrialOutcome) => boolean) | undefined;
  /** Stops the sweep: it then rejects with the signal's reason, and the ledger has all trials that ended. */
  readonly signal?: AbortSignal | undefined;
  /** Called for every combination with an outcome: at once for those known before, then as the others end. */
  readonly onOutcome?: ((combination: Combination, outcome: TrialOutcome) => void) | undefined;
  /** Called before the first and after every combination. */
  readonly onProgress?: ((progress: SweepProgress) => void) | undefined;
}

/**
 * While more combinations per job than this are left, the runner holds twice as many as it runs, so that no job waits for the next. Afterwards it holds only
 * as many as it runs, so that no combination waits behind one job while another job is free.
 */
const LAST_PER_JOB = 2;

/**
 * Runs the combinations that the ledger does not know, and adds them to the ledger. Returns one outcome per combination, in order, for any number of jobs. A
 * combination that fails is an outcome. One that crashes its thread is an outcome too, but is not kept: it may run the next time.
 *
 * @throws {DataError} when the ledger cannot be written, or the plugin is another than at the start; the signal's reason.
 */
export async function runCombinations(
  options: CombinationsOptions,
): Promise<readonly TrialOutcome[]> {
  const run = new SweepRun(options);
  return run.play();
}

class SweepRun {
  readonly #options: CombinationsOptions;
  readonly #outcomes: (TrialOutcome | undefined)[];
  readonly #missing: readonly number[];
  #next = 0;
  #underWay = 0;
  #done: () => void = () => undefined;
  #ran = 0;
  #failed: number;
  /** The error that ended the sweep. */
  #failure: { readonly error: unknown } | undefined;

  constructor(options: CombinationsOptions) {
    const { plan, known } = options;
    this.#options = options;
    this.#outcomes = plan.ids.map((id) => known.get(id)?.outcome);
    this.#missing = this.#outcomes.flatMap((outcome, index) =>
      outcome === undefined ? [index] : [],
    );
    this.#failed = this.#outcomes.filter((outcome) => outcome?.status === 'failed').length;
  }

  async play(): Promise<readonly TrialOutcome[]> {
    const { runner, ledger, signal } = this.#options;
    const interrupt = (): void => {
      this.#end(signal?.reason);
      void runner.close();
    };
    signal?.throwIfAborted();
    signal?.addEventListener('abort', interrupt);
    for (const [index, outcome] of this.#outcomes.entries())
      if (outcome !== undefined) this.#tell(index, outcome);
    this.#report();
    try {
      await new Promise<void>((resolve) => {
        this.#done = resolve;
        this.#begin();
      });
    } finally {
      signal?.removeEventListener('abort', interrupt);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    await ledger.flush();
    return this.#outcomes.map((outcome) => present(outcome, 'outcome of a combination'));
  }

  #begin(): void {
    const { jobs } = this.#options.runner;
    for (let route = 0; route < 2 * jobs; route += 1)
      this.#takeNext(route < jobs ? 0 : LAST_PER_JOB * jobs);
    if (this.#underWay === 0) this.#done();
  }

  /** Starts the next combination, unless at most `least` are left or the sweep has ended. When it ends, the next one starts by the same rule. */
  #takeNext(least: number): void {
    if (this.#failure !== undefined || this.#missing.length - this.#next <= least) return;
    const index = present(this.#missing[this.#next], 'combination');
    this.#next += 1;
    this.#underWay += 1;
    // Callbacks instead of one async function per combination: a hundred thousand may be under way.
    this.#run(index).then(
      (run) => {
        this.#finish(least, () => {
          this.#keep(index, run);
          this.#settle(index, run.outcome);
        });
      },
      (error: unknown) => {
        this.#finish(least, () => {
          this.#crash(index, error);
        });
      },
    );
  }

  #run(index: number): Promise<TrialRun> {
    const { runner, plan } = this.#options;
    const { parameters } = present(plan.combinations[index], 'combination');
    return runner.run({ parameters, span: plan.span });
  }

  #finish(least: number, take: () => void): void {
    try {
      take();
    } catch (error: unknown) {
      this.#end(error);
    }
    this.#underWay -= 1;
    this.#takeNext(least);
    if (this.#underWay === 0) this.#done();
  }

  #end(error: unknown): void {
    this.#failure ??= { error };
  }

  /** A crash of the runner by one combination is an outcome. Any other error ends the sweep. */
  #crash(index: number, error: unknown): void {
    if (!(error instanceof TrialCrash) || this.#failure !== undefined) throw error;
    this.#settle(index, { status: 'failed', code: 'E_TRIAL_CRASHED', message: error.message });
  }

  #keep(index: number, run: TrialRun): void {
    const { plan, ledger, now, keepsReturns } = this.#options;
    const record = recordOf(plan, index, { run, at: now() });
    const isKept = keepsReturns?.(record.id, run.outcome) !== false;
    ledger.append(record, isKept ? run.returns : undefined);
  }

  #settle(index: number, outcome: TrialOutcome): void {
    this.#outcomes[index] = outcome;
    this.#tell(index, outcome);
    this.#ran += 1;
    if (outcome.status === 'failed') this.#failed += 1;
    this.#report();
  }

  #tell(index: number, outcome: TrialOutcome): void {
    const { plan, onOutcome } = this.#options;
    onOutcome?.(present(plan.combinations[index], 'combination'), outcome);
  }

  #report(): void {
    const total = this.#outcomes.length;
    const done = total - this.#missing.length + this.#ran;
    this.#options.onProgress?.({ done, ran: this.#ran, failed: this.#failed, total });
  }
}
