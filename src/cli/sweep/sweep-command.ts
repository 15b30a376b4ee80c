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
    'Backtests many combinations of parameters on all cores and ranks them: a whole grid, random draws, or a search. Keeps every combination in a ledger beside the archive. After an interruption, the same command continues from there.',
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
      'parameters to search, such as fast=5:50:5,slow=60:240:20,mode=calm|bold; a name alone means its declared range (default: all parameters)',
    )
    .option('--fix <names>', 'parameters not to search, such as mode,trailing')
    .addOption(countOption('--random', 'draw this number of combinations instead of all'))
    .addOption(countOption('--sobol', 'spread this number of combinations evenly instead of all'))
    .addOption(
      new Option('--seed <number>', 'seed of the random draws (default: 1)').argParser(
        wholeNumber(0, 999_999_999),
      ),
    )
    .addOption(jobsOption())
    .addOption(
      new Option('--objective <figure>', 'figure that ranks the combinations')
        .choices([...OBJECTIVE_NAMES])
        .default('sharpe'),
    )
    .option(
      '--constraint <comparison>',
      "condition that must hold, such as 'fast < slow' or 'maxDrawdown < 0.2'; repeatable",
      collect,
    )
    .option('--ledger <file>', 'ledger of trials instead of ARCHIVE.trials.jsonl');
}

/** Adds the searches that learn from their trials, and the options that limit and end a search. */
function addLearningOptions(command: Command): Command {
  return command
    .addOption(
      countOption('--tpe', 'search with this number of trials near the best tenth so far (TPE)'),
    )
    .addOption(
      countOption('--cma-es', 'search numeric parameters with this number of trials (CMA-ES)'),
    )
    .addOption(
      countOption(
        '--nsga-ii',
        'search for a Pareto front with this number of trials, with --against (NSGA-II)',
      ),
    )
    .addOption(
      new Option('--against <figure>', 'second figure, for a Pareto front of both').choices([
        ...OBJECTIVE_NAMES,
      ]),
    )
    .addOption(countOption('--min-trades', 'do not rank combinations with fewer trades'))
    .addOption(
      countOption('--stop-after', 'end after this number of trials in a row without improvement'),
    )
    .option(
      '--write <config>',
      'write the best parameters into this bot file; shows a diff and asks first',
    )
    .option('-y, --yes', 'write without asking');
}

function countOption(name: string, what: string): Option {
  return new Option(`${name} <count>`, what).argParser(wholeNumber(1, MAX_DRAWS));
}
