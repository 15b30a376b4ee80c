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
      'Counts the trials of a ledger by strategy and data, and lists them, from an index beside it.',
    )
    .argument('<ledger>', 'a ledger of trials, such as data.trials.jsonl')
    .option('--strategy <name>', 'trials of this strategy')
    .option('--data <hash>', 'trials on the data whose hash begins so')
    .option('--since <date>', 'trials that ended then or later, in UTC, such as 2026-03-01')
    .addOption(count('--list <count>', 'list so many trials, the newest first'))
    .addOption(count('--best <count>', 'list so many trials, the largest sharpe first'))
    .option('--json <file>', 'write it as JSON to a file; with -, to stdout instead of text')
    .action(async (ledger: string, flags: TrialsFlags) => {
      const { runTrials } = await import('./run-trials.js');
      await runTrials(ledger, flags, context);
    });
};
