import { Command } from 'commander';
import { readBinaryFile } from '../../src/archive/index.js';
import type { CliContext, ExitCode } from '../../src/cli/cli-context.js';
import { describeError } from '../../src/cli/describe-error.js';
import { registerData } from '../../src/cli/data/register-data.js';
import { aCliContext } from './cli/cli-context.js';

/** Results of a run of a command. */
export interface DataCommandRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: ExitCode;
}

/** Runs `evenkeel data …` in a folder, with all parts of the process replaced. Errors end as on the command line. */
export async function runDataCommand(
  cwd: string,
  args: readonly string[],
  overrides: Partial<CliContext> = {},
): Promise<DataCommandRun> {
  const { context, written, exitCode } = aCliContext({ cwd, readBinaryFile, ...overrides });
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
    return { ...written, exitCode: report.exitCode };
  }
  return { ...written, exitCode: exitCode() };
}
