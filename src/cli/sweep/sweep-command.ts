import { Option, type Command } from 'commander';
import type { ObjectiveName } from '../../research/index.js';
import { addBotOptions, collect } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import { addQueueOptions } from '../queue/queue-options.js';
import { jobsOption } from '../threads/jobs.js';
import { wholeNumber } from '../whole-number.js';
import type { SweepFlags } from './sweep-flags.js';

/** The figures of research's own list. Only the command that runs loads research itself. */
export const OBJECTIVE_NAMES = [
  'sharpe',
  'sortino',
  'calmar',
  'totalReturn',
  'cagr',
  'profitFactor',
  'winRate',
  'maxDrawdown',
  'volatility',
] as const satisfies readonly ObjectiveName[];

const MAX_DRAWS = 100_000;

/** Adds `sweep`: backtests many combinations of parameters. */
export const registerSweep: RegisterCommand = (program, context) => {
  const command = addBotOptions(program.command('sweep')).description(
    'Backtests many combinations of parameters on all cores and ranks them: all of a grid, or some that are drawn or searched for. Every combination is kept in a ledger beside the archive: the same command goes on where it was interrupted.',
  );
  addLearningOptions(addSearchOptions(command)).action(async (file: string, flags: SweepFlags) => {
    const { runSweepCommand } = await import('./run-sweep-command.js');
    await runSweepCommand(file, flags, context);
  });
};

/** Adds the options for the combinations, their ranking, their ledger and the number of threads. */
export function addSearchOptions(command: Command): Command {
  return addQueueOptions(command)
    .option(
      '--grid <space>',
      'what to search, such as fast=5:50:5,slow=60:240:20,mode=calm|bold; a name alone: its declared range; absent: all parameters',
    )
    .option('--fix <names>', 'parameters that are not searched, such as mode,trailing')
    .addOption(countOption('--random', 'draw so many combinations instead of all'))
    .addOption(countOption('--sobol', 'spread so many combinations evenly instead of all'))
    .addOption(
      new Option('--seed <number>', 'start of what is drawn (default: 1)').argParser(
        wholeNumber(0, 999_999_999),
      ),
    )
    .addOption(jobsOption())
    .addOption(
      new Option('--objective <figure>', 'what the combinations are ranked by')
        .choices([...OBJECTIVE_NAMES])
        .default('sharpe'),
    )
    .option('--ledger <file>', 'ledger of trials instead of ARCHIVE.trials.jsonl');
}

/** Adds the searches that learn from their trials, and the options that limit and end a search. */
function addLearningOptions(command: Command): Command {
  return command
    .addOption(countOption('--tpe', 'search with so many trials near the best tenth so far (TPE)'))
    .addOption(countOption('--cma-es', 'search numbers with so many trials in steps that adapt'))
    .addOption(countOption('--nsga-ii', 'search with so many trials for a front, with --against'))
    .addOption(
      new Option(
        '--against <figure>',
        'a second figure: what is best in both makes a front',
      ).choices([...OBJECTIVE_NAMES]),
    )
    .option(
      '--constraint <comparison>',
      "what must hold, such as 'fast < slow' or 'maxDrawdown < 0.2'; repeatable",
      collect,
    )
    .addOption(countOption('--min-trades', 'do not rank what has fewer trades'))
    .addOption(countOption('--stop-after', 'end when so many trials in a row were no better'))
    .option('--write <config>', 'put the best parameters into this bot file, shown as a diff first')
    .option('-y, --yes', 'write without asking');
}

function countOption(name: string, what: string): Option {
  return new Option(`${name} <count>`, what).argParser(wholeNumber(1, MAX_DRAWS));
}
