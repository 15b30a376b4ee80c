import { Command } from 'commander';
import { readBinaryFile } from '../../src/archive/index.js';
import type { CliContext, ExitCode } from '../../src/cli/cli-context.js';
import { describeError } from '../../src/cli/describe-error.js';
import { registerData } from '../../src/cli/data/register-data.js';

/** What a run of a command left behind. */
export interface CommandRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: ExitCode;
}

/** Runs `evenkeel data …` in a folder, with everything of the process replaced. Errors end as they do on the command line. */
export async function runDataCommand(
  cwd: string,
  args: readonly string[],
  overrides: Partial<CliContext> = {},
): Promise<CommandRun> {
  const written = { stdout: '', stderr: '' };
  let exitCode: ExitCode = 0;
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
    cwd,
    signal: new AbortController().signal,
    readBinaryFile,
    setExitCode: (code) => {
      exitCode = code;
    },
    ...overrides,
  };
  const program = new Command('evenkeel').exitOverride().configureOutput({
    writeOut: (text) => context.stdout.write(text),
    writeErr: (text) => context.stderr.write(text),
  });
  registerData(program, context);
  try {
    await program.parseAsync(['data', ...args], { from: 'user' });
  } catch (error) {
    const report = describeError(error);
    written.stderr += report.lines.map((line) => `${line}\n`).join('');
    exitCode = report.exitCode;
  }
  return { ...written, exitCode };
}
