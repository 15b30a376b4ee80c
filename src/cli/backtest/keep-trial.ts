import { existsSync } from 'node:fs';
import path from 'node:path';
import { ENGINE_VERSION, type LoadedMarket } from '../../assembly/backtest/index.js';
import { nounOf, TradingError } from '../../domain/index.js';
import { countText, type RunRecord } from '../../report/index.js';
import { ledgerOf } from '../../research/ledger/index.js';
import type { TrialRun } from '../../research/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { relativeTo } from '../relative-to.js';
import { checkOutput } from '../write-output.js';
import { systemTime } from '../../engine/index.js';

/** Adds one run to the ledger as a trial. */
export interface TrialKeeper {
  /** Takes the parts of the run that the ledger keeps. */
  readonly take: (record: RunRecord) => void;
  /** Adds the run to the ledger. Returns a line for the user: the ledger, and its number of trials of the strategy on these data. */
  readonly keep: (market: LoadedMarket) => Promise<string | undefined>;
}

interface KeepTrialOptions {
  readonly bot: LoadedBot;
  /** The file that the user named; false for no ledger. @defaultValue the ledger beside the archive, if a sweep has started one */
  readonly ledger: string | false | undefined;
  readonly context: CliContext;
}

/**
 * Finds the ledger for a single run; undefined for none. If a ledger that the user did not name cannot take the run, a line on stderr says why, and no error is
 * thrown: the user asked for the run.
 */
export async function createTrialKeeper({
  bot,
  ledger,
  context,
}: KeepTrialOptions): Promise<TrialKeeper | undefined> {
  if (ledger === false) return undefined;
  if (ledger !== undefined) await checkOutput(ledger, context);
  const beside = ledgerOf(bot.config.simulation.archive);
  if (ledger === undefined && !existsSync(beside)) return undefined;
  // Without a ledger a run loads no part of research.
  const { addTrial } = await import('../../research/ledger/index.js');
  const { groundSweep, planSweep, recordOf, trialOf } = await import('../../research/index.js');
  const file = path.resolve(context.cwd, ledger ?? beside);
  const shown = relativeTo(context, file);
  let run: TrialRun | undefined;
  return {
    take: (record) => {
      run = trialOf(record);
    },
    keep: async (market) => {
      if (run === undefined) return undefined;
      const { config, plugin } = bot;
      const { strategyClass, sourceHash } = plugin;
      const ground = groundSweep({
        ...{ config, market, sourceHash, engine: ENGINE_VERSION },
        strategy: strategyClass.name,
      });
      const plan = planSweep([{ parameters: config.strategy.parameters, places: [] }], ground);
      const record = recordOf(plan, 0, { run, at: systemTime.now() });
      try {
        const count = await addTrial({ file, shown }, record, run.returns);
        return `${shown}: ${countText(count)} ${nounOf(count, 'trial')} of ${record.strategy} on these data, with this one`;
      } catch (error: unknown) {
        if (ledger !== undefined || !(error instanceof TradingError)) throw error;
        context.stderr.write(`this run was not added to the ledger of trials: ${error.message}\n`);
        return undefined;
      }
    },
  };
}
