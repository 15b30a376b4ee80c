import { InvalidArgumentError, Option } from 'commander';
import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import { addQueueOptions } from '../queue/queue-options.js';
import { jobsOption } from '../threads/jobs.js';
import { seedOption } from '../seed-option.js';
import { wholeNumber } from '../whole-number.js';
import type { MonteCarloFlags } from './monte-carlo-flags.js';

const MAX_PATHS = 100_000;
const MAX_BLOCK = 10_000;

/** Adds `monte-carlo`: estimates the possible range of a run's results. */
export const registerMonteCarlo: RegisterCommand = (program, context) => {
  const command = program.command('monte-carlo');
  addQueueOptions(addBotOptions(command, '<config>', 'YAML file of the bot, or a result'))
    .description(
      'Shuffles the trades of a run, resamples its days in blocks, and gives bounds of equity, drawdown and ruin. Backtests a bot first. With --candles it also backtests the bot on histories made of its own candles.',
    )
    .addOption(
      new Option('--paths <number>', 'number of paths of trades, and of days')
        .argParser(wholeNumber(1, MAX_PATHS))
        .default(1_000),
    )
    .addOption(seedOption())
    .addOption(
      new Option('--block <days>', 'mean length of a block of days (default: estimated)').argParser(
        wholeNumber(1, MAX_BLOCK),
      ),
    )
    .addOption(
      new Option(
        '--candles <number>',
        'number of histories to backtest the bot on, made of whole days of its candles',
      ).argParser(wholeNumber(1, MAX_PATHS)),
    )
    .addOption(jobsOption())
    .addOption(
      new Option('--ruin <share>', 'loss that counts as ruin, as a share of the initial equity')
        .argParser(share)
        .default(0.5),
    )
    .action(async (file: string, flags: MonteCarloFlags) => {
      const { runMonteCarloCommand } = await import('./run-monte-carlo-command.js');
      await runMonteCarloCommand(file, flags, context);
    });
};

function share(text: string): number {
  const value = /^(?:0?\.\d{1,9}|1)$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 1) return value;
  throw new InvalidArgumentError('expected a share above 0 and at most 1, such as 0.5');
}
