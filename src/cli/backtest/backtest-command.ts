import { Option } from 'commander';
import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import { curveOption } from '../curve-option.js';
import { wholeNumber } from '../whole-number.js';
import type { BacktestFlags } from './run-backtest-command.js';

/** Adds `backtest`: replays stored candles and prints a summary. */
export const registerBacktest: RegisterCommand = (program, context) => {
  addBotOptions(program.command('backtest'))
    .description('Replays stored candles through a bot and prints a summary of the result.')
    .option('--bounds', 'run all candle paths and print the range of each headline figure')
    .addOption(
      new Option(
        '--bounds-runs <number>',
        '--bounds with at most this number of runs, from 4 (default: 4096)',
      )
        .argParser(wholeNumber(4, 999_999_999))
        .implies({ bounds: true }),
    )
    .option(
      '--journal <file>',
      'store every event and command in a new journal, for replay and why',
    )
    .option('--log', 'print the log of the strategy on stderr, with the market time')
    .option('--report <file>', 'write a report of the run as one HTML file')
    .option('--trades <file>', 'write the trades as a table, .csv or .arrow')
    .option('--benchmark <id>', 'instrument of the buy-and-hold benchmark, instead of the first')
    .addOption(curveOption())
    .option(
      '--ledger <file>',
      'add the run as a trial to this ledger (default: ARCHIVE.trials.jsonl, if a sweep has created it)',
    )
    .option('--no-ledger', 'do not add the run to a ledger of trials')
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
