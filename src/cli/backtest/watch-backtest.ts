import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../config/index.js';
import { readPluginSources } from '../../determinism/index.js';
import { UsageError } from '../../domain/index.js';
import { changedFigures } from '../../report/index.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import {
  playBacktest,
  sayResult,
  type BacktestFlags,
  type PlayedBacktest,
} from './run-backtest-command.js';

/** Time between two looks at the files. */
const LOOK_MS = 150;

/** State of each file at a look, by its absolute path. */
type Stamps = ReadonlyMap<string, string>;

/**
 * Runs `backtest --watch`: one run at the start and one after each save of the config, the plugin or a file that it imports, until Ctrl-C. An error
 * of a run is printed, and the next save tries again.
 *
 * @throws {UsageError} `E_USAGE` for an output that only a single run can write; the signal's reason.
 */
export async function watchBacktest(
  file: string,
  flags: BacktestFlags,
  context: CliContext,
): Promise<void> {
  refuseOutputs(flags);
  let before: PlayedBacktest['figures'] | undefined;
  for (;;) {
    const stamps = await stampAll(await listFiles(file, flags, context));
    try {
      const played = await playBacktest(file, flags, context);
      const { figures } = played;
      if (before === undefined) sayResult(played, flags, context);
      else context.stdout.write(describeChange(before, figures));
      before = figures;
    } catch (error: unknown) {
      context.signal.throwIfAborted();
      for (const line of describeError(error).lines) context.stderr.write(`${line}\n`);
    }
    context.stderr.write('waiting for a change of the files; Ctrl-C ends\n');
    const changed = await untilChanged(stamps, context.signal);
    const names = changed.map((one) => path.relative(context.cwd, one));
    context.stdout.write(`\n${names.join(', ')} changed\n`);
  }
}

function refuseOutputs({ json, journal }: BacktestFlags): void {
  if (journal !== undefined)
    throw new UsageError(
      'E_USAGE',
      '--watch: expected no --journal, because one run writes one journal',
    );
  if (json === '-')
    throw new UsageError('E_USAGE', '--watch: expected a file after --json, received -');
}

/** The input files of a run, as far as they can be found. */
async function listFiles(
  file: string,
  flags: BacktestFlags,
  { cwd }: CliContext,
): Promise<readonly string[]> {
  const files = [path.resolve(cwd, file)];
  try {
    const { config } = await loadConfig({ file, cwd, ...flags });
    files.push(config.strategy.path);
    files.push(...(await readPluginSources(config.strategy.path)).keys());
  } catch {
    // The run itself reports the error.
  }
  return files;
}

async function stampAll(files: Iterable<string>): Promise<Stamps> {
  const stamps = new Map<string, string>();
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    stamps.set(file, found === undefined ? '' : `${String(found.mtimeMs)} ${String(found.size)}`);
  }
  return stamps;
}

/** Waits until a file has changed and then stayed the same for one look, because an editor may write it in steps. */
async function untilChanged(before: Stamps, signal: AbortSignal): Promise<readonly string[]> {
  let last = before;
  for (;;) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {
      signal.throwIfAborted();
    });
    const now = await stampAll(before.keys());
    const changed = differing(before, now);
    if (changed.length > 0 && differing(last, now).length === 0) return changed;
    last = now;
  }
}

function differing(a: Stamps, b: Stamps): readonly string[] {
  return [...a.keys()].filter((file) => a.get(file) !== b.get(file));
}

function describeChange(
  before: PlayedBacktest['figures'],
  after: PlayedBacktest['figures'],
): string {
  const figures = changedFigures(before, after);
  if (figures.length > 0) {
    const widest = Math.max(...figures.map(({ label }) => label.length));
    return figures
      .map(({ label, before: old, after: now }) => `  ${label.padEnd(widest)}  ${old} → ${now}\n`)
      .join('');
  }
  const isSame = before.hash.orders === after.hash.orders && before.hash.fills === after.hash.fills;
  return isSame
    ? '  the same orders, fills and figures\n'
    : '  the same figures, from other orders or fills\n';
}
