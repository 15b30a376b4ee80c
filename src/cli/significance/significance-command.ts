import { Option } from 'commander';
import type { MostBlocks } from '../../research/index.js';
import type { RegisterCommand } from '../cli-context.js';
import { DEFAULT_SEED, seedNumber } from '../seed-option.js';
import { wholeNumber } from '../whole-number.js';
import { DEFAULT_DRAWS, type SignificanceFlags } from './significance-flags.js';

const MAX_DRAWS = 100_000;
/** Research's own bound. Only the command that runs loads research itself. */
const MAX_BLOCKS = 20 satisfies MostBlocks;

/** Adds `significance`: judges whether the best trial of a search is luck. */
export const registerSignificance: RegisterCommand = (program, context) => {
  program
    .command('significance')
    .description(
      'Judges whether the best trial of a ledger is luck, by all trials of its strategy on the same data. Also judges a single result. Prints words, then figures.',
    )
    .argument('<file>', 'a ledger of trials, such as data.trials.jsonl, or a result')
    .option('--ledger <file>', 'ledger with the other trials, if <file> is a result')
    .option('--strategy <name>', 'only trials of this strategy, if the ledger has several')
    .option(
      '--data <hash>',
      'only trials on data whose hash starts with this, if the ledger has several',
    )
    .addOption(
      new Option(
        '--blocks <number>',
        'number of blocks of days for PBO, even (default: 16)',
      ).argParser(wholeNumber(2, MAX_BLOCKS)),
    )
    .addOption(
      new Option(
        '--draws <number>',
        `number of draws of the reality check (default: ${String(DEFAULT_DRAWS)})`,
      ).argParser(wholeNumber(1, MAX_DRAWS)),
    )
    .addOption(
      new Option(
        '--seed <number>',
        `seed of the random draws (default: ${String(DEFAULT_SEED)})`,
      ).argParser(seedNumber),
    )
    .option(
      '--json <file>',
      'write the judgment as JSON to a file; with -, to stdout instead of text',
    )
    .action(async (file: string, flags: SignificanceFlags) => {
      const { runSignificance } = await import('./run-significance.js');
      await runSignificance(file, flags, context);
    });
};
