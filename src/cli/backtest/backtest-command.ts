import { Option } from 'commander';
import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import type { BacktestFlags } from './run-backtest-command.js';

/** Adds `backtest`: replays stored candles and prints a summary. */
export const registerBacktest: RegisterCommand = (program, context) => {
  addBotOptions(program.command('backtest'))
    .description('Replays stored candles through a bot and prints what would have happened.')
    .option('--bounds', 'run all candle paths and print the range of each headline figure')
    .option('--journal <file>', 'keep every event and command in a new journal; see replay and why')
    .option('--log', 'print what the strategy logs on stderr, with the time of the market')
    .option('--report <file>', 'write a page to look at the run, one HTML file')
    .option('--trades <file>', 'write the trades as a table, by its end as .csv or .arrow')
    .option(
      '--benchmark <id>',
      'instrument of the run that holding is compared with, instead of the first',
    )
    .addOption(
      new Option('--curve <points>', 'equity curve in the result: one point a day, or one a candle')
        .choices(['daily', 'candle'])
        .default('daily'),
    )
    .option(
      '--ledger <file>',
      'keep the run as a trial in this ledger (default: ARCHIVE.trials.jsonl, where a sweep has started one)',
    )
    .option('--no-ledger', 'keep the run in no ledger of trials')
    .option('--watch', 'run again when the config or the plugin is saved, until Ctrl-C')
    .action(async (file: string, flags: BacktestFlags) => {
      if (flags.watch === true) {
        const { watchBacktest } = await import('./watch-backtest.js');
        await watchBacktest(file, flags, context);
        return;
      }
      const { runBacktestCommand } = await import('./run-backtest-command.js');
      await runBacktestCommand(file, flags, context);
    });
};
