import { Option } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import { parseEpochRange } from './epoch-range.js';
import type { ResultFlags } from './run-result.js';

/** Adds `result`: gives what a paper or live bot has done so far, in the form of a backtest's result. */
export const registerResult: RegisterCommand = (program, context) => {
  program
    .command('result')
    .description(
      "Replays a bot's journal and gives the same result as a backtest: statistics, trades, orders, fills, equity. The bot may be running; nothing is sent and its journal is only read.",
    )
    .argument('<bot>', "the bot's YAML file, its name, or its journal")
    .option('--config <file>', "the bot's YAML file, where <bot> is not it")
    .addOption(
      new Option(
        '--epoch <epochs>',
        'begin with this epoch of the journal, as 3; with two, as 1-2, end with the second',
      ).argParser(parseEpochRange),
    )
    .option('--json <file>', 'write the result to a file; with -, to stdout instead of the summary')
    .addOption(
      new Option('--curve <points>', 'equity in the result: at day ends, or at every candle')
        .choices(['daily', 'candle'])
        .default('daily'),
    )
    .option('--trades <file>', 'write the trades as a table, CSV or Arrow by the name')
    .option('--report <file>', 'write a page to look at, with why each order was made')
    .action(async (bot: string, flags: ResultFlags) => {
      const { runResult } = await import('./run-result.js');
      await runResult(bot, flags, context);
    });
};
