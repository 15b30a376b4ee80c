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

/** Whether two runs of a bot are the same. */
export interface DeterminismCheck {
  /** The comparison of the two runs, or why there was none. */
  readonly twice: TwiceRun | { readonly skipped: string };
  /** One line per finding. */
  readonly findings: readonly string[];
  /** Risks from the packages that the plugin imports, one line each. They are not findings. */
  readonly notes: readonly string[];
}

/** Reports the findings in the text of a plugin, and runs its first candles twice if a backtest would begin. */
export async function checkDeterminism(
  bot: LoadedBot,
  { wouldBegin, context }: { readonly wouldBegin: boolean; readonly context: CliContext },
): Promise<DeterminismCheck> {
  const { twice, found } = wouldBegin
    ? await tryTwice(bot, context)
    : { twice: { skipped: 'a backtest cannot start' }, found: [] };
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
    // An error that ends the run is a finding, too.
    if (!(error instanceof TradingError) || error instanceof InvariantError) throw error;
    const { lines } = describeError(locateRunError(error, bot));
    return { twice: { skipped: 'the run failed' }, found: lines };
  }
}
