import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { journalFile } from '../../assembly/backtest/index.js';
import { loadConfig } from '../../config/index.js';
import { UsageError } from '../../domain/index.js';
import type { BotStatus } from '../../live/index.js';
import type { CliContext } from '../cli-context.js';
import { controlPath, socketPlace } from '../../bots/control/index.js';

/** Folders in which a bot is searched by its name, relative to the user's folder. */
const FOLDERS = ['.', 'config'];
export const YAML = /\.ya?ml$/;
const MODES = ['live', 'paper'] as const satisfies readonly BotStatus['mode'][];

/**
 * Lists the possible control sockets of a bot, live before paper, once each. `bot` is its YAML file, its journal, or its name; a name is searched
 * in the YAML files here and in `config`.
 *
 * @throws {UsageError} `E_BOT_UNKNOWN`; {ConfigError} when the named YAML file cannot be used.
 */
export async function findSockets(bot: string, { cwd }: CliContext): Promise<readonly string[]> {
  const journals = await findJournals(bot, cwd);
  return [...new Set(journals)].map((journal) => controlPath(journal, socketPlace()));
}

/**
 * Lists the possible journals of a bot, live before paper; `bot` is as for {@link findSockets}. The files may not exist.
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
    `no bot "${bot}": expected a YAML file, a journal, or the name in a YAML file here or in config`,
  );
}

/** Journals of the bot in a file. With a name, none if the file has another bot or none. */
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
