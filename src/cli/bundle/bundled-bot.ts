import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ENGINE_VERSION } from '../../assembly/backtest/index.js';
import { readPluginSources } from '../../determinism/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import { commonFolder } from '../common-folder.js';
import type { BundledFile } from './bundle-file.js';
import { CONFIG, DATA, MANIFEST, PLUGIN } from './bundle-layout.js';

/** Returns config, plugin and data with their names in the bundle. */
export async function filesOf(bot: LoadedBot, data: string): Promise<readonly BundledFile[]> {
  const { strategy } = bot.config;
  const sources = await readPluginSources(strategy.path);
  const root = commonFolder([...sources.keys()]);
  const nameOf = (file: string): string =>
    path.posix.join(PLUGIN, path.relative(root, file).replaceAll(path.sep, '/'));
  const config = bot.document.textWith([
    { path: ['strategy', 'path'], value: nameOf(strategy.path) },
    { path: ['simulation', 'archive'], value: DATA },
  ]);
  return [
    { name: CONFIG, bytes: Buffer.from(config) },
    ...[...sources].map(([file, text]) => ({ name: nameOf(file), bytes: Buffer.from(text) })),
    ...(await filesBelow(data, DATA)),
  ];
}

/** Describes the engine and the machine of the run. A bundle holds no packages that a plugin imports; the hash of the lock file identifies them. */
export async function manifestOf(
  bot: LoadedBot,
  what: Readonly<Record<string, string | number>>,
): Promise<BundledFile> {
  const manifest = {
    ...what,
    engine: ENGINE_VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    lockFile: await lockFileHash(path.dirname(bot.config.strategy.path)),
  };
  return { name: MANIFEST, bytes: Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`) };
}

/** SHA-256 of the nearest lock file in a folder or above it; null if there is none. */
async function lockFileHash(folder: string): Promise<string | null> {
  const lock = await readFile(path.join(folder, 'package-lock.json')).catch(() => undefined);
  if (lock !== undefined) return createHash('sha256').update(lock).digest('hex');
  const above = path.dirname(folder);
  return above === folder ? null : lockFileHash(above);
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
