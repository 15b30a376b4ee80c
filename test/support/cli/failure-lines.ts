import { describeError } from '../../../src/cli/describe-error.js';

/** The lines that a user reads for an error that `run` throws; empty if it throws nothing. */
export function failureLines(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error: unknown) {
    return describeError(error).lines;
  }
}
