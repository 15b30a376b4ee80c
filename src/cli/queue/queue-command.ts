import type { Command } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import { addAccessOptions, type AccessFlags } from './queue-options.js';

/** Adds `queue`: shows the searches on a queue, and ends them early. */
export const registerQueue: RegisterCommand = (program, context) => {
  const queue = program
    .command('queue')
    .description('Shows the searches and workers of a queue, and ends searches early.');
  addAccessOptions(queue.command('status'))
    .summary('list searches and workers')
    .description(
      'Lists the searches of a queue in the order in which they run, with progress, remaining work, and the workers that refuse them with their reasons. Then lists the workers.',
    )
    .option(
      '--json <file>',
      'write the result as JSON to a file; with -, to stdout instead of text',
    )
    .action(async (flags: AccessFlags & { readonly json?: string }) => {
      const { showStatus } = await import('./run-queue.js');
      await showStatus(flags, context);
    });
  addEnd(
    queue.command('drain'),
    'finish the running work of a search, and start nothing new',
  ).action(async (search: string, flags: AccessFlags) => {
    const { drainSearch } = await import('./run-queue.js');
    await drainSearch(search, flags, context);
  });
  addEnd(queue.command('cancel'), 'end a search at once').action(
    async (search: string, flags: AccessFlags) => {
      const { cancelSearch } = await import('./run-queue.js');
      await cancelSearch(search, flags, context);
    },
  );
};

function addEnd(command: Command, summary: string): Command {
  return addAccessOptions(command)
    .summary(summary)
    .argument('<search>', 'name of the search, as queue status shows it')
    .description(
      `Tells workers to ${summary}. Finished combinations are in the coordinator's ledger: the same command continues from there.`,
    );
}
