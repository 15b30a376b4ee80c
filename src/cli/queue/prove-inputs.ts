import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, writeFileAtomically } from '../../archive/index.js';
import { ENGINE_VERSION } from '../../assembly/index.js';
import { hashPluginSources, readPluginSources } from '../../determinism/index.js';
import { ConfigError, DataError, type EpochMs, type ErrorCode } from '../../domain/index.js';
import { systemTime } from '../../engine/index.js';
import type { SearchDescription } from '../../queue/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import { cleanCache } from '../clean-cache.js';
import type { CliContext } from '../cli-context.js';
import { readTrialSetup } from '../sweep/prepare-trials.js';
import type { TrialSetup } from '../sweep/trial-pool.js';
import { holdingsOf, inputsOf, nodeMajor } from './describe-inputs.js';

/** A worker's folders of data and of received plugins; absolute. */
interface WorkerFolders {
  readonly archive: string;
  readonly plugins: string;
}

/**
 * Proves that this machine has the same inputs as a coordinator: engine, Node, plugin, stored data, configuration. Returns the setup for its
 * combinations. It loads the plugin, so the caller must decide before whether the plugin may run.
 *
 * @throws {DataError} `E_QUEUE_UNEQUAL` with what differs, expected and received; errors of a backtest of the bot.
 */
export async function proveInputs(
  search: SearchDescription,
  { name, folders, context }: ProofGround,
): Promise<TrialSetup> {
  requireSame('the version of the engine', search.engine, ENGINE_VERSION);
  requireSame('the major version of Node', String(search.node), String(nodeMajor()));
  const now = systemTime.now();
  cleanCache(folders.plugins, now, isHash);
  const folder = path.join(folders.plugins, search.plugin.hash);
  const entry = await writePlugin(search.plugin, path.join(folder, 'plugin'), now);
  const bot = await loadSent(
    search,
    { entry, file: path.join(folder, `${name}.yaml`) },
    { folders, context },
  );
  const setup = await readTrialSetup(bot, context).catch((error: unknown) => {
    throw withSync(error, folders);
  });
  const inputs = await inputsOf(setup, bot.plugin.strategyClass.name);
  requireSame("the plugin's hash", search.inputs.source, inputs.source);
  if (inputs.data !== search.inputs.data) await refuseData(search, bot, folders);
  requireSame('the strategy', search.inputs.strategy, inputs.strategy);
  requireSame('the hash of the configuration', search.inputs.ground, inputs.ground);
  return setup;
}

interface ProofGround {
  /** Name of the search. */
  readonly name: string;
  readonly folders: WorkerFolders;
  readonly context: CliContext;
}

/** Whether a name is that of a plugin's folder. The user may have named a folder with other things in it. */
function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

function requireSame(what: string, expected: string, received: string): void {
  if (expected !== received) throw unequal(`${what}: expected ${expected}, received ${received}`);
}

function unequal(what: string): DataError {
  return new DataError('E_QUEUE_UNEQUAL', what);
}

/** Writes the sources that are missing or differ, and marks the others as used. Returns the plugin's file if all sources together have the hash. */
async function writePlugin(
  { hash, entry, files }: SearchDescription['plugin'],
  folder: string,
  now: EpochMs,
): Promise<string> {
  const file = path.join(folder, entry);
  for (const [name, text] of Object.entries(files)) {
    const place = path.join(folder, name);
    if ((await readFile(place, 'utf8').catch(() => undefined)) === text) {
      // Not each file system records reads.
      await utimes(place, new Date(now), new Date(now));
      continue;
    }
    await makeFolder(path.dirname(place), 0o700);
    await writeFileAtomically(place, [Buffer.from(text)]);
  }
  if (files[entry] === undefined) throw unequal(`the plugin: ${entry} was not sent`);
  const sources = await readPluginSources(file);
  requireSame("the plugin's hash", hash, hashPluginSources(file, sources));
  return file;
}

/** Loads the bot of the search, with this machine's own paths instead of those in its configuration. */
async function loadSent(
  { config }: SearchDescription,
  { entry, file }: { readonly entry: string; readonly file: string },
  { folders, context }: Pick<ProofGround, 'folders' | 'context'>,
): Promise<LoadedBot> {
  await writeFile(file, config, { mode: 0o600 });
  try {
    return await loadBot(file, context, {
      set: [
        `strategy.path=${JSON.stringify(entry)}`,
        `simulation.archive=${JSON.stringify(folders.archive)}`,
      ],
    });
  } catch (error: unknown) {
    throw withSync(error, folders);
  } finally {
    await rm(file, { force: true });
  }
}

const OF_DATA: readonly ErrorCode[] = [
  'E_DATA_MISSING',
  'E_DATA_ARCHIVE',
  'E_DATA_RANGE',
  'E_CONFIG_RULES',
];

/** Adds the command that copies the missing data. */
function withSync(error: unknown, { archive }: WorkerFolders): unknown {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const isOfData = (one: unknown): one is ConfigError | DataError =>
    (one instanceof ConfigError || one instanceof DataError) && OF_DATA.includes(one.code);
  const missing = errors.filter(isOfData);
  if (missing.length === 0) return error;
  const what = missing.map(({ message }) => message).join('; ');
  return unequal(`the data: ${what}. ${howToSync(archive)}`);
}

function howToSync(archive: string): string {
  return `Copy the data of the coordinator with: evenkeel data sync FROM --archive ${archive}, then start the worker again`;
}

async function refuseData(
  { holdings, inputs }: SearchDescription,
  { config }: LoadedBot,
  { archive }: WorkerFolders,
): Promise<never> {
  const own = new Map((await holdingsOf(config)).map(({ name, sha256 }) => [name, sha256]));
  const theirs = new Map(holdings.map(({ name, sha256 }) => [name, sha256]));
  const differing = [...new Set([...theirs.keys(), ...own.keys()])].filter(
    (name) => theirs.get(name) !== own.get(name),
  );
  const said = differing.map(
    (name) =>
      `${name}: expected ${theirs.get(name) ?? 'none'}, received ${own.get(name) ?? 'none'}`,
  );
  const what = said.length === 0 ? `expected the hash ${inputs.data}` : said.join('; ');
  throw unequal(`the data: ${what}. ${howToSync(archive)} (--replace overwrites different values)`);
}
