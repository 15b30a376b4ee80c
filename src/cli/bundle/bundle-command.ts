import { collect } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import type { BundleFlags } from './create-bundle.js';

/** Adds `bundle` and `verify`: packs a run in one file, and proves that it gives the same result on another machine. */
export const registerBundle: RegisterCommand = (program, context) => {
  program
    .command('bundle')
    .argument('<run>', 'result of backtest --json, or journal of a bot')
    .description(
      'Packs a result or a journal with its config, plugin, stored candles and terms into one file. Run it again on another machine with verify.',
    )
    .requiredOption('--config <file>', 'YAML file of the bot of the run')
    .requiredOption('--out <file>', 'file to write')
    .option('--from <time>', 'start of the run, as in the run')
    .option('--to <time>', 'end of the run, as in the run')
    .option('--set <path=value>', 'replace the value of a key, as in the run; repeatable', collect)
    .action(async (run: string, flags: BundleFlags) => {
      const { createBundle } = await import('./create-bundle.js');
      await createBundle(run, flags, context);
    });
  program
    .command('verify')
    .argument('<bundle>', 'file written by bundle')
    .description(
      'Runs a bundle again and compares: a result byte by byte, a journal command by command. A strategy is code: verify only bundles whose code you would run.',
    )
    .action(async (file: string) => {
      const { verifyBundle } = await import('./verify-bundle.js');
      await verifyBundle(file, context);
    });
};
