import type { RegisterCommand } from '../cli-context.js';
import type { RunsFlags } from './run-runs.js';

/** Adds `runs`: lists the results of a folder, or the runs of a ledger. */
export const registerRuns: RegisterCommand = (program, context) => {
  program
    .command('runs')
    .description(
      'Lists the results in a folder, or the newest runs of a ledger of trials, with strategy, parameters, range and figures. --find searches by hash.',
    )
    .argument('[place]', 'folder of results, or a ledger such as data.trials.jsonl', 'results')
    .option('--find <hash>', 'first digits of the hash of a run, its orders, fills or data')
    .option('--json <file>', 'write the list as JSON to a file; with -, to stdout instead of text')
    .action(async (place: string, flags: RunsFlags) => {
      const { runRuns } = await import('./run-runs.js');
      await runRuns(place, flags, context);
    });
};
