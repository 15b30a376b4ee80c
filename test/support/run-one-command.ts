import { Command, CommanderError } from 'commander';

import type { CliContext, ExitCode, RegisterCommand } from '../../src/cli/cli-context.js';
import { aCliContext } from './cli/cli-context.js';

/** Results of a run of a command. */
export interface OneCommandRun {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code that the command set, 0 if it set none; has no meaning with an error. */
  readonly exitCode: ExitCode;
  /** The error that the command threw. */
  readonly error: unknown;
}

/** Runs a command line on a program with one command, with all parts of the process replaced. */
export async function runOneCommand(
  register: RegisterCommand,
  args: readonly string[],
  overrides: Partial<CliContext> = {},
): Promise<OneCommandRun> {
  const { context, written, exitCode } = aCliContext(overrides);
  let error: unknown;
  const program = new Command('evenkeel').exitOverride().configureOutput({
    writeOut: (text) => {
      context.stdout.write(text);
    },
    writeErr: (text) => {
      context.stderr.write(text);
    },
  });
  register(program, context);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError && thrown.exitCode === 0)) error = thrown;
  }
  return { ...written, exitCode: exitCode(), error };
}
