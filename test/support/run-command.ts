import { Command, CommanderError } from 'commander';

import type { CliContext, ExitCode, RegisterCommand } from '../../src/cli/cli-context.js';

/** What a run of a command left behind. */
export interface CommandRun {
  readonly stdout: string;
  readonly stderr: string;
  /** What the command set, 0 when it set nothing; meaningless with an error. */
  readonly exitCode: ExitCode;
  /** What it threw. */
  readonly error: unknown;
}

/** Runs a command line on a program that has one command, with everything of the process replaced. */
export async function runCommand(
  register: RegisterCommand,
  args: readonly string[],
  overrides: Partial<CliContext> = {},
): Promise<CommandRun> {
  const written = { stdout: '', stderr: '' };
  let exitCode: ExitCode = 0;
  let error: unknown;
  const output = (name: 'stdout' | 'stderr'): CliContext['stdout'] => ({
    write: (text) => {
      written[name] += text;
    },
    isTerminal: false,
    columns: undefined,
  });
  const context: CliContext = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
    setExitCode: (code) => {
      exitCode = code;
    },
    ...overrides,
  };
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
  return { ...written, exitCode, error };
}
