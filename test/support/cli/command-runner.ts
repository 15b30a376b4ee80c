import { checkPluginTypes } from '../../../src/cli/check/check-types.js';
import { runCli, type CliIo } from '../../../src/cli/run-cli.js';

/** The result of a command line. */
export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, with buffers for its output and a folder to work in. */
export async function runCommand(
  cwd: string,
  argv: readonly string[],
  io: Partial<CliIo> = {},
): Promise<CommandRun> {
  const written = { stdout: '', stderr: '' };
  const output = (stream: 'stdout' | 'stderr'): CliIo['stdout'] => ({
    write: (text) => {
      written[stream] += text;
    },
    isTerminal: false,
    columns: undefined,
  });
  const exitCode = await runCli(argv, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: {},
    cwd,
    signal: new AbortController().signal,
    checkTypes: (plugin) => Promise.resolve(checkPluginTypes(plugin)),
    ...io,
  });
  return { exitCode, ...written };
}
