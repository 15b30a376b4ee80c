import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { DAY_MS, DataError } from '../../domain/index.js';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import type { TrialRun } from '../trials/run-trial.js';
import type { Redraw, TrialSpan } from '../trials/trial-job.js';
import { TrialCrash, type TrialRunner } from '../trials/trial-runner.js';
import { bandsOf, withBands, markedSteps } from './bands.js';
import type { MonteCarlo } from './monte-carlo-schema.js';
import { PathTally, walkPath } from './walk-paths.js';

interface RerunOptions {
  /** Runs the bot on redrawn histories. */
  readonly runner: TrialRunner;
  /** Daily returns of the bot on the actual history. */
  readonly own: DailyReturns;
  /** Number of histories. */
  readonly histories: number;
  readonly seed: number;
  /** Days of a block. */
  readonly block: number;
  /** Whole days of the run, to draw from. */
  readonly span: TrialSpan;
  /** Share of the initial equity whose loss is ruin. */
  readonly ruin: number;
  /** Stops the work: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of histories that have ended. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Fewest days for another history. */
const LEAST_DAYS = 30;
const MOST_SEED = 2 ** 31 - 1;
/** Path of a run whose equity was not above 0: everything is lost. */
const LOST = Float64Array.of(-1);

/**
 * Runs a bot on redrawn histories of its candles. Each history has its own seed, so that the number of jobs changes nothing.
 *
 * @throws {DataError} `E_SAMPLE` with fewer than 30 days, and when the bot fails in all of them; errors of the runner other than the crash of one history.
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
      `expected a redrawn history that the bot finishes, received none of ${String(histories)}`,
    );
  const many = tally.paths;
  const figures = walkPath(own.values, whole);
  return {
    count: days,
    block,
    histories: tally.count,
    failed,
    totalReturn: withBands('totalReturn', figures, many),
    maxDrawdown: withBands('maxDrawdown', figures, many),
    longestFall: withBands('longestFall', figures, many),
    loss: many.losing / tally.count,
    ruin: many.ruined / tally.count,
    bands: bandsOf(
      marked.map((step) => own.from + (step - 1) * DAY_MS),
      many,
    ),
  };
}

/** Keeps enough runs under way for all jobs to be busy. Outcomes are taken as they end, and their order does not matter. */
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
