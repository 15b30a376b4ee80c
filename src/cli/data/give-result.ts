import type { CliContext } from '../cli-context.js';
import { writeOutput } from '../write-output.js';

/** A result for people and for programs. */
export interface CommandResult {
  readonly text: string;
  readonly json: unknown;
}

/**
 * Writes a command's result. `--json -` writes JSON to stdout instead of the text; `--json FILE` writes JSON to a file in addition to the text.
 *
 * @throws {DataError} `E_DATA_WRITE` when the file cannot be written.
 */
export async function giveResult(
  context: CliContext,
  { text, json }: CommandResult,
  target: string | undefined,
): Promise<void> {
  if (target !== undefined) {
    await writeOutput(target, `${JSON.stringify(json, undefined, 2)}\n`, context);
  }
  if (target !== '-') context.stdout.write(text);
}
