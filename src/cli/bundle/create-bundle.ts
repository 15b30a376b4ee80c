import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openArchive, writeFileAtomically } from '../../archive/index.js';
import { ENGINE_VERSION } from '../../assembly/backtest/index.js';
import { readPluginSources } from '../../determinism/index.js';
import { nounOf } from '../../domain/index.js';
import { parseResult, type Result } from '../../report/index.js';
import type { BacktestFlags } from '../backtest/run-backtest-command.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { readText } from '../report/read-text.js';
import { packBundle, type BundledFile } from './bundle-file.js';
import { describeFirstDifference, runAgain } from './bundled-run.js';
import { copyMarket } from './copy-market.js';

/** Options of `bundle` as commander parses them. */
export interface BundleFlags extends Pick<BacktestFlags, 'from' | 'to' | 'set'> {
  readonly config: string;
  readonly out: string;
}

export const RESULT = 'result.json';
export const CONFIG = 'config.yaml';
export const MANIFEST = 'manifest.json';
const PLUGIN = 'plugin';
const DATA = 'data';

/**
 * Packs a result with all that it was made of: the config, the plugin with the files that it imports, the stored candles and terms, and what ran it. The run is made again
 * first: a result of another config is not packed.
 */
export async function createBundle(
  resultFile: string,
  { config, out, ...overrides }: BundleFlags,
  context: CliContext,
): Promise<void> {
  await checkOutput(out, context);
  const text = await readText(resultFile, context);
  const result = parseResult(text, resultFile);
  const work = await mkdtemp(path.join(tmpdir(), 'evenkeel-bundle-'));
  try {
    const again = await runAgain(config, { result, folder: work, overrides }, context);
    const difference = describeFirstDifference(text, again);
    if (difference !== undefined) {
      context.stderr.write(`${resultFile} is not what ${config} gives: ${difference}\n`);
      context.setExitCode(3);
      return;
    }
    const bot = await loadBot(config, context, overrides);
    const files = [
      { name: RESULT, bytes: Buffer.from(text) },
      ...(await filesOf(bot, path.join(work, DATA))),
    ];
    const bytes = packBundle([await manifestOf(bot, result), ...files]);
    await writeFileAtomically(path.resolve(context.cwd, out), [bytes], { signal: context.signal });
    context.stdout.write(
      `${out}: ${String(files.length + 1)} ${nounOf(files.length + 1, 'file')}, ${(bytes.byteLength / 1e6).toFixed(1)} MB, run ${result.run.id}\n`,
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Config, plugin and data, as they lie beside each other in the bundle. */
async function filesOf(bot: LoadedBot, data: string): Promise<readonly BundledFile[]> {
  const { strategy, simulation } = bot.config;
  const sources = await readPluginSources(strategy.path);
  const root = commonFolder([...sources.keys()]);
  const nameOf = (file: string): string =>
    path.posix.join(PLUGIN, path.relative(root, file).replaceAll(path.sep, '/'));
  const config = bot.document.textWith([
    { path: ['strategy', 'path'], value: nameOf(strategy.path) },
    { path: ['simulation', 'archive'], value: DATA },
  ]);
  await copyMarket(openArchive(simulation.archive), data, bot.config);
  return [
    { name: CONFIG, bytes: Buffer.from(config) },
    ...[...sources].map(([file, text]) => ({ name: nameOf(file), bytes: Buffer.from(text) })),
    ...(await filesBelow(data, DATA)),
  ];
}

/** What ran it. Packages that a plugin imports are not in the bundle: the lock file's hash says which they were. */
async function manifestOf(bot: LoadedBot, { run }: Result): Promise<BundledFile> {
  const manifest = {
    run: run.id,
    engine: ENGINE_VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    lockFile: await lockFileHash(path.dirname(bot.config.strategy.path)),
  };
  return { name: MANIFEST, bytes: Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`) };
}

/** SHA-256 of the nearest lock file at or above a folder; null where there is none. */
async function lockFileHash(folder: string): Promise<string | null> {
  const lock = await readFile(path.join(folder, 'package-lock.json')).catch(() => undefined);
  if (lock !== undefined) return createHash('sha256').update(lock).digest('hex');
  const above = path.dirname(folder);
  return above === folder ? null : lockFileHash(above);
}

function commonFolder(files: readonly string[]): string {
  const [first = '', ...others] = files.map((file) => path.dirname(file));
  const isBelow = (file: string, folder: string): boolean =>
    file === folder || file.startsWith(folder + path.sep);
  let folder = first;
  while (!others.every((other) => isBelow(other, folder))) folder = path.dirname(folder);
  return folder;
}

async function filesBelow(folder: string, name: string): Promise<readonly BundledFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.toSorted().map(async (file) => ({
      name: path.posix.join(name, path.relative(folder, file).replaceAll(path.sep, '/')),
      bytes: await readFile(file),
    })),
  );
}
