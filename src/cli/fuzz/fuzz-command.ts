import { Option } from 'commander';
import { collect } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import { seedOption } from '../seed-option.js';
import { wholeNumber } from '../whole-number.js';
import type { FuzzFlags } from './fuzz-flags.js';

const MAX_RUNS = 1_000_000;
const MAX_CANDLES = 10_000;

/** Adds `fuzz`: searches for a market in which a strategy breaks a law. */
export const registerFuzz: RegisterCommand = (program, context) => {
  program
    .command('fuzz')
    .argument('<config>', 'YAML file of the bot')
    .description(
      'Backtests a bot on random market histories with gaps, spikes, halts, flat stretches, thin volumes, other rules and late candles. Reduces a history in which the bot fails or breaks a law, and keeps it as files for `backtest`. Exits with 3 if it finds one.',
    )
    .option(
      '--law <law>',
      "law that must hold, such as 'drawdown < 0.2' or 'orders per day < 50'; repeatable",
      collect,
    )
    .addOption(
      new Option('--runs <number>', 'number of histories to draw')
        .argParser(wholeNumber(1, MAX_RUNS))
        .default(1_000),
    )
    .addOption(seedOption())
    .addOption(
      new Option('--candles <number>', 'maximum number of candles of a history')
        .argParser(wholeNumber(1, MAX_CANDLES))
        .default(200),
    )
    .option('--out <folder>', 'folder for the histories', 'fuzz')
    .option(
      '--json <file>',
      'write the result as JSON to a file; with -, to stdout instead of text',
    )
    .option('--set <path=value>', 'replace the value of a key, in YAML; repeatable', collect)
    .action(async (file: string, flags: FuzzFlags) => {
      const { runFuzzCommand } = await import('./run-fuzz-command.js');
      await runFuzzCommand(file, flags, context);
    });
};
