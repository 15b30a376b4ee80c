import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { wholeNumber } from '../whole-number.js';

/** Most threads: more are no faster on any machine of today. */
const MAX_JOBS = 1_024;

export const jobsOption = (): Option =>
  new Option('--jobs <number>', 'threads (default: one per core)').argParser(
    wholeNumber(1, MAX_JOBS),
  );

/** How many threads run so many tasks: as many as were asked for, or one per core, but none without a task. */
export function jobsFor(tasks: number, wanted: number | undefined): number {
  return Math.max(1, Math.min(wanted ?? availableParallelism(), tasks));
}
