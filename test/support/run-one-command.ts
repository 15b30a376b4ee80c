import { Command, CommanderError } from 'commander';

import type { CliContext, ExitCode, RegisterCommand } from '../../src/cli/cli-context.js';
import { aCliContext } from './cli/cli-context.js';

/** What a run of a command left behind. */
export interface OneCommandRun {
  readonly stdout: string;
  readonly stderr: string;
  /** What the command set, 0 when it set nothing; meaningless with an error. */
  readonly exitCode: ExitCode;
  /** What it threw. */
  readonly error: unknown;
}

/** Runs a command line on a program that has one command, with everything of the process replaced. */
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
