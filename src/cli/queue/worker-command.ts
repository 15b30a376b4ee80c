import { InvalidArgumentError, Option } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import { jobsOption } from '../threads/jobs.js';
import { addAccessOptions, secretOption } from './queue-options.js';
import type { WorkerFlags } from './run-worker.js';

/** Adds `worker`: runs combinations of searches that other machines put on a queue. */
export const registerWorker: RegisterCommand = (program, context) => {
  addAccessOptions(program.command('worker'))
    .description(
      'Runs combinations of searches that other machines put on a queue. Ctrl-C finishes the current work and ends the worker, a second Ctrl-C ends it at once. A search brings its plugin, which is code: a worker runs it only if the search is signed with the shared secret, or if --allow lists its hash. With both options, both must hold.',
    )
    .requiredOption(
      '--archive <folder>',
      'folder of stored candles, the same as the coordinator has',
    )
    .option('--plugins <folder>', 'folder for plugins of searches (default: ARCHIVE.plugins)')
    .addOption(secretOption())
    .option('--allow <file>', 'file with the hashes of plugins that may run, one per line')
    .addOption(jobsOption())
    .addOption(
      new Option(
        '--lock <seconds>',
        'time without a sign of life after which another worker runs the chunk',
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
