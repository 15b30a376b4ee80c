import { Option } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import { curveOption } from '../curve-option.js';
import { parseEpochRange } from './epoch-range.js';
import type { ResultFlags } from './run-result.js';

/** Adds `result`: gives what a paper or live bot has done so far, in the form of a backtest's result. */
export const registerResult: RegisterCommand = (program, context) => {
  program
    .command('result')
    .description(
      'Shows the result of a paper or live bot from its journal, in the form of a backtest: statistics, trades, orders, fills, equity. The bot may be running. Only reads the journal and sends nothing.',
    )
    .argument('<bot>', "the bot's YAML file, its name, or its journal")
    .option('--config <file>', "the bot's YAML file, if <bot> is not that file")
    .addOption(
      new Option(
        '--epoch <epochs>',
        'first epoch of the journal, such as 3, or first and last, such as 1-2',
      ).argParser(parseEpochRange),
    )
    .option('--json <file>', 'write the result to a file; with -, to stdout instead of the summary')
    .addOption(curveOption())
    .option('--trades <file>', 'write the trades as a table, .csv or .arrow')
    .option('--report <file>', 'write a report as one HTML file, with the reason of each order')
    .action(async (bot: string, flags: ResultFlags) => {
      const { runResult } = await import('./run-result.js');
      await runResult(bot, flags, context);
    });
};
