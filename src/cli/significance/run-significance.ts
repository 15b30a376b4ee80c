import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRandom } from '../../engine/index.js';
import {
  judgeAlone,
  judgeSearch,
  readReturnsTable,
  SIGNIFICANCE_VERSION,
  writeSignificance,
  type SearchJudgment,
  type Significance,
} from '../../research/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { DEFAULT_SEED } from '../seed-option.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { readJudged, type Judged } from './read-judged.js';
import { renderSignificance } from './render-significance.js';
import { DEFAULT_DRAWS, type SignificanceFlags } from './significance-flags.js';

/** Runs `significance`. It writes nothing until the whole judgment is made. */
export async function runSignificance(
  file: string,
  flags: SignificanceFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  context.watchInterrupts?.();
  const judged = await readJudged(file, flags, context);
  const significance: Significance = {
    version: SIGNIFICANCE_VERSION,
    strategy: judged.strategy,
    data: judged.data,
    trial: judgeAlone(judged.trial),
    search: await judge(judged, flags, context),
  };
  if (flags.json !== undefined)
    await writeOutput(flags.json, writeSignificance(significance), context);
  if (flags.json !== '-')
    context.stdout.write(renderSignificance(significance, judged.search?.others));
}

async function judge(
  { trial, search }: Judged,
  { draws = DEFAULT_DRAWS, seed = DEFAULT_SEED, blocks }: SignificanceFlags,
  { stderr, signal }: CliContext,
): Promise<SearchJudgment | null> {
  if (search === undefined) return null;
  const progress = new ProgressLine(stderr);
  const say = (doing: string, done: number): void => {
    signal.throwIfAborted();
    progress.show(`${doing} ${String(Math.floor(100 * done))} %`);
  };
  const { ledger, shown, known } = search;
  try {
    const table = await readReturnsTable(known, {
      ledger,
      shown,
      onProgress: (done) => {
        say('daily returns', done);
      },
    });
    const random = createRandom(seed);
    const steps = judgeSearch({ judged: trial, search, table, random, draws, blocks });
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      say(step.value.doing, step.value.done);
      // Gives an interrupt the chance to arrive.
      await nextTurn();
    }
  } finally {
    progress.clear();
  }
}
