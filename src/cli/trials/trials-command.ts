import { Option } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import { wholeNumber } from '../whole-number.js';
import type { TrialsFlags } from './trials-flags.js';

const MAX_LISTED = 100_000;

/** Adds `trials`: counts and lists the trials of a ledger. */
export const registerTrials: RegisterCommand = (program, context) => {
  const count = (flags: string, what: string): Option =>
    new Option(flags, what).argParser(wholeNumber(1, MAX_LISTED));
  program
    .command('trials')
    .description(
      'Counts the trials of a ledger by strategy and data, and lists them. Uses an index beside the ledger.',
    )
    .argument('<ledger>', 'a ledger of trials, such as data.trials.jsonl')
    .option('--strategy <name>', 'only trials of this strategy')
    .option('--data <hash>', 'only trials on data whose hash starts with this')
    .option(
      '--since <date>',
      'only trials that ended at this time or later, UTC, such as 2026-03-01',
    )
    .addOption(count('--list <count>', 'list this number of trials, newest first'))
    .addOption(count('--best <count>', 'list this number of trials, largest sharpe first'))
    .option(
      '--json <file>',
      'write the result as JSON to a file; with -, to stdout instead of text',
    )
    .action(async (ledger: string, flags: TrialsFlags) => {
      const { runTrials } = await import('./run-trials.js');
      await runTrials(ledger, flags, context);
    });
};
