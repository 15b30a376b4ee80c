import { spawnSync } from 'node:child_process';

/** How a process has ended, and what it wrote. */
export interface ProgramRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A sweep of sixteen combinations over the bot of `botFolder`. */
export const SWEEP_GRID = ['sweep', 'bot.yaml', '--grid', 'fast=5:20:5,slow=30:60:10'];

/** Runs a program of Node and waits for its end. `argv`: the program's file and its arguments. */
export function runProgram(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): ProgramRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
