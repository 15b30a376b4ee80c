import { curveReturns, type Result } from '../../report/index.js';
import {
  blockOfMarket,
  rerunHistories,
  wholeDaysOf,
  type MonteCarlo,
} from '../../research/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import type { QueuePlace } from '../queue/queue-place.js';
import { readTrialSetup } from '../sweep/prepare-trials.js';
import { startRunner } from '../sweep/with-trial-runner.js';
import type { MonteCarloFlags } from './monte-carlo-flags.js';

/** A bot, and the result of its backtest. */
export interface RunBot {
  readonly bot: LoadedBot;
  readonly result: Result;
  /** The queue whose workers run it again. @defaultValue threads of this machine */
  readonly place?: QueuePlace | undefined;
}

/** Runs a bot again on redrawn histories, in threads. @throws as `rerunHistories`, `readTrialSetup` and `redrawMarket`. */
export async function rerunCandles(
  { bot, result, place }: RunBot,
  flags: MonteCarloFlags & { readonly candles: number },
  context: CliContext,
): Promise<NonNullable<MonteCarlo['candles']>> {
  const { candles: histories, seed, ruin } = flags;
  const setup = await readTrialSetup(bot, context);
  const span = wholeDaysOf(result.run);
  const days = curveReturns(result.equityCurve);
  const own = {
    from: days[0]?.time ?? span.from,
    values: Float64Array.from(days, ({ value }) => value),
  };
  const block = flags.block ?? blockOfMarket(setup.snapshot, span);
  const queue = place && { ...place, bot };
  const { jobs } = flags;
  const runner = await startRunner({ context, setup, count: histories, jobs, queue });
  const startedAt = performance.now();
  const progress = new ProgressLine(context.stderr);
  const { signal } = context;
  const onProgress = (done: number): void => {
    progress.show(`${String(done)} of ${String(histories)} histories`);
    const leftMs = ((performance.now() - startedAt) / done) * (histories - done);
    runner.tell?.({ done, ran: done, failed: 0, total: histories }, leftMs);
  };
  try {
    const drawn = { histories, seed, block, span, ruin };
    return await rerunHistories({ runner, own, ...drawn, signal, onProgress });
  } finally {
    progress.clear();
    await runner.close();
  }
}
