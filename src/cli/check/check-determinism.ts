import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openRunArchive } from '../../archive/index.js';
import { describeFinding } from '../../determinism/index.js';
import { locateRunError, runTwice, type TwiceRun } from '../../assembly/backtest/index.js';
import { InvariantError, TradingError } from '../../domain/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import { describeTextFindings } from './describe-findings.js';

/** Whether a bot does the same each time. */
export interface DeterminismCheck {
  /** Why nothing was run, or what came of it. */
  readonly twice: TwiceRun | { readonly skipped: string };
  /** One line each. */
  readonly findings: readonly string[];
  /** What packages could do, one line each: no findings. */
  readonly notes: readonly string[];
}

/** Says what was found in the text of a plugin, and runs a short stretch twice, where a backtest would begin. */
export async function checkDeterminism(
  bot: LoadedBot,
  { wouldBegin, context }: { readonly wouldBegin: boolean; readonly context: CliContext },
): Promise<DeterminismCheck> {
  const { twice, found } = wouldBegin
    ? await tryTwice(bot, context)
    : { twice: { skipped: 'a backtest would not begin' }, found: [] };
  return {
    twice,
    findings: [...describeTextFindings(bot, context), ...found],
    notes: bot.scan.notes.map(describeFinding),
  };
}

interface Tried {
  readonly twice: DeterminismCheck['twice'];
  readonly found: readonly string[];
}

async function tryTwice(bot: LoadedBot, context: CliContext): Promise<Tried> {
  const { config, plugin } = bot;
  try {
    const twice = await runTwice({
      config,
      archive: openRunArchive(config.simulation.archive),
      strategyClass: plugin.strategyClass,
      sourceHash: plugin.sourceHash,
      signal: context.signal,
      breathe: () => nextTurn(),
    });
    const { difference, noticed } = twice;
    const shown = path.relative(context.cwd, config.strategy.path);
    const differs =
      difference === undefined
        ? []
        : [`${shown}: two runs on the same candles differ ${difference} (E_PLUGIN_DIFFERS)`];
    return { twice, found: [...noticed, ...differs] };
  } catch (error: unknown) {
    // What ends a run is found by running it.
    if (!(error instanceof TradingError) || error instanceof InvariantError) throw error;
    const { lines } = describeError(locateRunError(error, bot));
    return { twice: { skipped: 'the run failed' }, found: lines };
  }
}
