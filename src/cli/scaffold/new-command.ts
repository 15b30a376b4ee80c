import type { RegisterCommand } from '../cli-context.js';
import type { NewStrategyFlags } from './create-strategy.js';

/** Adds `new strategy`: writes a strategy, its test and notes, and a bot that runs at once. */
export const registerNew: RegisterCommand = (program, context) => {
  program
    .command('new')
    .description('Creates a strategy.')
    .helpCommand(false)
    .command('strategy')
    .argument('<name>', 'name in lower case with hyphens, such as my-idea')
    .summary('create a strategy')
    .description(
      'Writes a strategy, its test and notes, and the file of a bot that is ready to backtest. Makes sample candles if there is no archive.',
    )
    .option(
      '--archive <dir>',
      'folder of stored candles (default: data or backtest/data, else sample-data)',
    )
    .action(async (name: string, flags: NewStrategyFlags) => {
      const { createStrategy } = await import('./create-strategy.js');
      await createStrategy(name, flags, context);
    });
};
