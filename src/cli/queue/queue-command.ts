import type { Command } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import { addAccessOptions, type AccessFlags } from './queue-options.js';

/** Adds `queue`: shows the searches on a queue, and ends them early. */
export const registerQueue: RegisterCommand = (program, context) => {
  const queue = program
    .command('queue')
    .description('Shows which searches and workers a queue has, and ends searches early.');
  addAccessOptions(queue.command('status'))
    .summary('list searches and workers')
    .description(
      'Lists the searches of a queue, those that go first first, with how far they are, what is left, and which workers refuse them and why; then its workers.',
    )
    .option('--json <file>', 'write it as JSON to a file; with -, to stdout instead of text')
    .action(async (flags: AccessFlags & { readonly json?: string }) => {
      const { showStatus } = await import('./run-queue.js');
      await showStatus(flags, context);
    });
  addEnd(queue.command('drain'), 'let what runs end, and nothing else begin').action(
    async (search: string, flags: AccessFlags) => {
      const { drainSearch } = await import('./run-queue.js');
      await drainSearch(search, flags, context);
    },
  );
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
      `Has workers ${summary}. What has come back is in the coordinator's ledger: the same command goes on from there.`,
    );
}
