import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { DAY_MS, DataError } from '../../domain/index.js';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import type { TrialRun } from '../trials/run-trial.js';
import type { Redraw, TrialSpan } from '../trials/trial-job.js';
import { TrialCrash, type TrialRunner } from '../trials/trial-runner.js';
import { bandsOf, figureOf, markedSteps } from './bands.js';
import type { MonteCarlo } from './monte-carlo-schema.js';
import { PathTally, walkPath } from './walk-paths.js';

export interface RerunOptions {
  /** Runs the bot on redrawn histories. */
  readonly runner: TrialRunner;
  /** Of the bot on what did happen. */
  readonly own: DailyReturns;
  /** Histories. */
  readonly histories: number;
  readonly seed: number;
  /** Days of a block. */
  readonly block: number;
  /** Whole days of the run, which are drawn from. */
  readonly span: TrialSpan;
  /** Share of the beginning whose loss is ruin. */
  readonly ruin: number;
  /** Stops: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the histories that have ended. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Fewer days make no other history. */
const LEAST_DAYS = 30;
const MOST_SEED = 2 ** 31 - 1;
/** Whose equity was not above 0: everything is lost. */
const LOST = Float64Array.of(-1);

/**
 * Runs a bot on redrawn histories of its candles. Each has a seed that follows from its place, so that the number of jobs changes nothing.
 *
 * @throws {DataError} `E_SAMPLE` with fewer than 30 days, and when the bot fails in all of them; whatever the runner throws that is no crash over one of them.
 */
export async function rerunHistories(
  options: RerunOptions,
): Promise<NonNullable<MonteCarlo['candles']>> {
  const { own, histories, block, ruin } = options;
  const days = own.values.length;
  if (days < LEAST_DAYS)
    throw new DataError(
      'E_SAMPLE',
      `--candles draws whole days: expected a run of at least ${String(LEAST_DAYS)}, received ${String(days)}`,
    );
  const marked = markedSteps(days);
  const tally = new PathTally({ paths: histories, ruin, marked });
  const whole = [...own.values.keys()];
  let failed = 0;
  await playAll(options, ({ outcome, returns }) => {
    if (outcome.status === 'failed') failed += 1;
    else if (returns === undefined) tally.add(LOST, new Int32Array(days));
    else tally.add(returns.values, whole);
  });
  if (tally.count === 0)
    throw new DataError(
      'E_SAMPLE',
      `expected a redrawn history in which the bot runs to its end, received none of ${String(histories)}`,
    );
  const many = tally.paths;
  const figures = walkPath(own.values, whole);
  return {
    count: days,
    block,
    histories: tally.count,
    failed,
    totalReturn: figureOf('totalReturn', figures, many),
    maxDrawdown: figureOf('maxDrawdown', figures, many),
    longestFall: figureOf('longestFall', figures, many),
    loss: many.losing / tally.count,
    ruin: many.ruined / tally.count,
    bands: bandsOf(
      marked.map((step) => own.from + (step - 1) * DAY_MS),
      many,
    ),
  };
}

/** As many at once as keep every job busy; what comes of them is taken as they end, and does not depend on the order. */
async function playAll(options: RerunOptions, take: (run: TrialRun) => void): Promise<void> {
  const { runner, histories, seed, block, span, signal, onProgress } = options;
  const draws = xoroshiro128plus(seed);
  const seeds = Array.from({ length: histories }, () => uniformInt(draws, 0, MOST_SEED));
  const interrupt = (): void => void runner.close();
  signal?.throwIfAborted();
  signal?.addEventListener('abort', interrupt);
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = seeds.pop(); next !== undefined; next = seeds.pop()) {
      take(await play(options, { ...span, block, seed: next }));
      done += 1;
      onProgress?.(done);
    }
  };
  try {
    await Promise.all(Array.from({ length: 2 * runner.jobs }, work));
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

async function play({ runner, signal }: RerunOptions, redraw: Redraw): Promise<TrialRun> {
  try {
    return await runner.run({ parameters: {}, redraw });
  } catch (error: unknown) {
    signal?.throwIfAborted();
    if (!(error instanceof TrialCrash)) throw error;
    return { outcome: { status: 'failed', code: 'E_TRIAL_CRASHED', message: error.message } };
  }
}
