import { describeError } from '../../../src/cli/describe-error.js';

/** What a user would read of what is thrown; none when nothing is. */
export function failureLines(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error: unknown) {
    return describeError(error).lines;
  }
}
