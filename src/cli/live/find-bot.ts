import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { journalFile } from '../../assembly/backtest/index.js';
import { loadConfig } from '../../config/index.js';
import { UsageError } from '../../domain/index.js';
import type { BotStatus } from '../../live/index.js';
import type { CliContext } from '../cli-context.js';
import { controlPath, socketPlace } from '../../bots/control/index.js';

/** Folders in which a bot is looked for by its name, relative to where the user is. */
const FOLDERS = ['.', 'config'];
export const YAML = /\.ya?ml$/;
const MODES = ['live', 'paper'] as const satisfies readonly BotStatus['mode'][];

/**
 * Lists the control sockets that a bot may have, live before paper, once each. `bot` is its YAML file, its journal, or its name, which is
 * looked for in the YAML files here and in `config`.
 *
 * @throws {UsageError} `E_BOT_UNKNOWN`; {ConfigError} when the named YAML file cannot be used.
 */
export async function findSockets(bot: string, { cwd }: CliContext): Promise<readonly string[]> {
  const journals = await findJournals(bot, cwd);
  return [...new Set(journals)].map((journal) => controlPath(journal, socketPlace()));
}

/**
 * Lists the journals that a bot may have, live before paper; `bot` is as for {@link findSockets}. They need not be there.
 *
 * @throws as `findSockets`.
 */
export async function findJournals(bot: string, cwd: string): Promise<readonly string[]> {
  if (YAML.test(bot)) return journalsOf(bot, cwd);
  const file = path.resolve(cwd, bot);
  if (await isFile(file)) return [file];
  const files = await Promise.all(FOLDERS.map((folder) => listYaml(cwd, folder)));
  const found = await Promise.all(files.flat().map((yaml) => journalsOf(yaml, cwd, bot)));
  const journals = found.flat();
  if (journals.length > 0) return journals;
  throw new UsageError(
    'E_BOT_UNKNOWN',
    `no bot "${bot}": it is no YAML file, no journal, and no name that a YAML file here or in config gives`,
  );
}

/** Of the bot in a file; with a name none when it is another one, or when the file is no bot. */
async function journalsOf(file: string, cwd: string, name?: string): Promise<readonly string[]> {
  try {
    const { config } = await loadConfig({ file, cwd });
    if (name !== undefined && config.name !== name) return [];
    return MODES.map((mode) => journalFile(config, mode));
  } catch (error: unknown) {
    if (name === undefined) throw error;
    return [];
  }
}

async function listYaml(cwd: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(path.join(cwd, folder)).catch(() => []);
  return names.filter((name) => YAML.test(name)).map((name) => path.join(folder, name));
}

function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
