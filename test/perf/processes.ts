/** Cases that run whole processes: their time from start to exit, and their peak memory. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { milliseconds, type Case } from './measure.js';

/** The command line, as a user starts it. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const SAYS_PEAK = new URL('../../.ci/say-peak.mjs', import.meta.url).href;

/** A process of Node. Its output is discarded. */
interface NamedProcess {
  readonly name: string;
  readonly args: readonly string[];
  readonly reference?: string;
}

/** Seconds from the start of a process to its exit. */
export function durationOf({ name, args, reference }: NamedProcess): Case {
  return {
    name,
    unit: 's',
    better: 'less',
    reference,
    run: async () =>
      (await milliseconds(() => {
        runProcess(name, args);
      })) / 1_000,
  };
}

/** Peak resident memory of a process. ", peak" is added to the name of the case and of its reference. */
export function peakOf({ name, args, reference }: NamedProcess): Case {
  return {
    name: `${name}, peak`,
    unit: 'MiB',
    better: 'less',
    reference: reference === undefined ? undefined : `${reference}, peak`,
    run: () => peakMiB(name, args),
  };
}

function peakMiB(name: string, args: readonly string[]): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-peak-'));
  const file = path.join(folder, 'peak');
  try {
    runProcess(name, ['--import', SAYS_PEAK, ...args], { EVENKEEL_PEAK: file });
    return Number(readFileSync(file, 'utf8')) / 1_024;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runProcess(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment },
  });
  if (status !== 0) throw new Error(`${name} ended with ${String(status)}: ${stderr}`);
}
