import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { wholeNumber } from '../whole-number.js';

/** Most threads. More are not faster on any present machine. */
const MAX_JOBS = 1_024;

export const jobsOption = (): Option =>
  new Option('--jobs <number>', 'threads (default: one per core)').argParser(
    wholeNumber(1, MAX_JOBS),
  );

/** Number of threads for so many tasks: the wanted number, or one per core; never more than tasks, and at least 1. */
export function jobsFor(tasks: number, wanted: number | undefined): number {
  return Math.max(1, Math.min(wanted ?? availableParallelism(), tasks));
}
