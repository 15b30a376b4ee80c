import type { RegisterCommand } from '../cli-context.js';

/** Adds `journal` with its command, which works on the file of a bot's journal. */
export const registerJournal: RegisterCommand = (program, context) => {
  program
    .command('journal')
    .description('What a bot has recorded, as a file.')
    .command('verify')
    .summary('compare all of a journal with its checksums')
    .description(
      'Reads every page of a journal, and compares every event with the checksum that was written with it; also while the bot runs. Exits with 3 where something is damaged.',
    )
    .argument('<journal>', 'file of the journal')
    .action(async (file: string) => {
      const { runVerify } = await import('./run-verify.js');
      await runVerify(file, context);
    });
};
