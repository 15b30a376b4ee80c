import { collect } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import type { BundleFlags } from './create-bundle.js';

/** Adds `bundle` and `verify`: packs a run in one file, and proves that it gives the same result on another machine. */
export const registerBundle: RegisterCommand = (program, context) => {
  program
    .command('bundle')
    .argument('<run>', 'result of a backtest, as --json wrote it, or journal of a bot')
    .description(
      'Packs a result, or a journal, with its config, plugin, stored candles and terms in one file, which verify runs again elsewhere.',
    )
    .requiredOption('--config <file>', 'YAML file of the bot that was run')
    .requiredOption('--out <file>', 'file to write')
    .option('--from <time>', 'as the run had it')
    .option('--to <time>', 'as the run had it')
    .option('--set <path=value>', 'as the run had it; repeatable', collect)
    .action(async (run: string, flags: BundleFlags) => {
      const { createBundle } = await import('./create-bundle.js');
      await createBundle(run, flags, context);
    });
  program
    .command('verify')
    .argument('<bundle>', 'file that bundle wrote')
    .description(
      'Runs the strategy of a bundle on the candles of the bundle, and compares: a result byte by byte, a journal command by command. A strategy is code: verify what you would run.',
    )
    .action(async (file: string) => {
      const { verifyBundle } = await import('./verify-bundle.js');
      await verifyBundle(file, context);
    });
};
