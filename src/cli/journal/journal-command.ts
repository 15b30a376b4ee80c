import type { RegisterCommand } from '../cli-context.js';

/** Adds `journal` with its command, which works on the file of a bot's journal. */
export const registerJournal: RegisterCommand = (program, context) => {
  program
    .command('journal')
    .description('Checks the journal of a bot.')
    .command('verify')
    .summary('compare a whole journal with its checksums')
    .description(
      'Reads every page of a journal and compares every event with its checksum. The bot may be running. Exits with 3 if the journal is damaged.',
    )
    .argument('<journal>', 'file of the journal')
    .action(async (file: string) => {
      const { runVerify } = await import('./run-verify.js');
      await runVerify(file, context);
    });
};
