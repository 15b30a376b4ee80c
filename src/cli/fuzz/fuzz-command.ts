import { Option } from 'commander';
import { collect } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
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
      'Draws market histories with gaps, spikes, halts, flat stretches, thin volumes, other rules and late candles, and backtests the bot in each. A history in which it fails, or breaks a law, is made as small as it can be and kept as files that `backtest` replays. Exits with 3 where there is one.',
    )
    .option(
      '--law <law>',
      "what must hold, such as 'drawdown < 0.2' or 'orders per day < 50'; repeatable",
      collect,
    )
    .addOption(
      new Option('--runs <number>', 'histories to draw')
        .argParser(wholeNumber(1, MAX_RUNS))
        .default(1_000),
    )
    .addOption(
      new Option('--seed <number>', 'start of the draws')
        .argParser(wholeNumber(0, 999_999_999))
        .default(1),
    )
    .addOption(
      new Option('--candles <number>', 'most candles of a history')
        .argParser(wholeNumber(1, MAX_CANDLES))
        .default(200),
    )
    .option('--out <folder>', 'where histories are kept', 'fuzz')
    .option(
      '--json <file>',
      'write the result as JSON to a file; with -, to stdout instead of text',
    )
    .option('--set <path=value>', 'another value for a key, in YAML; repeatable', collect)
    .action(async (file: string, flags: FuzzFlags) => {
      const { runFuzzCommand } = await import('./run-fuzz-command.js');
      await runFuzzCommand(file, flags, context);
    });
};
