import { InvalidArgumentError, Option } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import { jobsOption } from '../threads/jobs.js';
import { addAccessOptions, secretOption } from './queue-options.js';
import type { WorkerFlags } from './run-worker.js';

/** Adds `worker`: runs combinations of searches that other machines put on a queue. */
export const registerWorker: RegisterCommand = (program, context) => {
  addAccessOptions(program.command('worker'))
    .description(
      'Runs combinations of searches that other machines put on a queue, until Ctrl-C: the first lets what is in hand end, the second does not. Who writes to a queue decides what its workers run: plugins run only where the search is signed with the shared secret, or where --allow names their hash; with both, where both hold.',
    )
    .requiredOption(
      '--archive <folder>',
      'folder of stored candles, the same as the coordinator has',
    )
    .option(
      '--plugins <folder>',
      'where plugins are put that come with a search (default: ARCHIVE.plugins)',
    )
    .addOption(secretOption())
    .option('--allow <file>', 'file of hashes of plugins that may run, one a line')
    .addOption(jobsOption())
    .addOption(
      new Option(
        '--lock <seconds>',
        'after how long without a sign of life another worker runs a chunk',
      )
        .argParser(seconds)
        .default(30),
    )
    .option('--name <name>', 'name of this worker (default: HOST-PROCESS)')
    .action(async (flags: WorkerFlags) => {
      const { runWorker } = await import('./run-worker.js');
      await runWorker(flags, context);
    });
};

function seconds(text: string): number {
  const value = /^\d{1,4}(?:\.\d)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= 3_600) return value;
  throw new InvalidArgumentError('expected seconds from 1 to 3600');
}
