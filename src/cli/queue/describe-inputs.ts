import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { describeHolding, openArchive, type HoldingInfo } from '../../archive/index.js';
import { ENGINE_VERSION, prepareMarket, type BacktestConfig } from '../../assembly/index.js';
import { readPluginSources } from '../../determinism/index.js';
import { QUEUE_VERSION, type SearchDescription } from '../../queue/index.js';
import { groundSweep, openSnapshot } from '../../research/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import { commonFolder } from '../common-folder.js';
import type { TrialSetup } from '../sweep/trial-pool.js';

type Holdings = SearchDescription['holdings'];

/** Hashes of all inputs of a search except the parameters, as its trials have them. */
export async function inputsOf(
  { config, snapshot, sourceHash }: TrialSetup,
  strategy: string,
): Promise<SearchDescription['inputs']> {
  const market = await prepareMarket(config, openSnapshot(snapshot));
  try {
    const ground = { config, market, strategy, sourceHash, engine: ENGINE_VERSION };
    return groundSweep(ground).inputs;
  } finally {
    await market.close();
  }
}

/** Checksums of all stored data of a bot's instruments. */
export async function holdingsOf({
  instruments,
  simulation,
}: Pick<BacktestConfig, 'instruments' | 'simulation'>): Promise<Holdings> {
  const ids = new Set<string>(instruments.map(({ instrumentId }) => instrumentId));
  const entries = await openArchive(simulation.archive).holdings();
  return entries.flatMap(({ key, ...entry }) =>
    entry.status === 'usable' && ids.has(key.instrumentId)
      ? [{ name: describeHolding(key), sha256: checksumOf(entry.info) }]
      : [],
  );
}

function checksumOf(info: HoldingInfo): string {
  return 'entriesSha256' in info ? info.entriesSha256 : info.columnsSha256;
}

export function nodeMajor(): number {
  return Number(process.versions.node.split('.')[0]);
}

/**
 * Describes a search for workers: the inputs that must be the same, and the files that are sent.
 *
 * `ledger`: the same ledger on the same machine continues the same search; without a ledger every call is a new search.
 */
export async function describeQueuedSearch(
  { document, plugin }: LoadedBot,
  setup: TrialSetup,
  ledger: string | undefined,
): Promise<SearchDescription> {
  const { config, sourceHash } = setup;
  const { closeAtEnd } = config.simulation;
  const { entry, files } = await readPlugin(config.strategy.path);
  return {
    version: QUEUE_VERSION,
    owner: createHash('sha256')
      .update(ledger === undefined ? randomUUID() : `${hostname()}\n${ledger}`)
      .digest('hex'),
    engine: ENGINE_VERSION,
    node: nodeMajor(),
    config: document.textWith([
      { path: ['strategy', 'path'], value: entry },
      { path: ['simulation', 'archive'], value: 'data' },
      // A walk closes positions at the end of each part, also if the file says otherwise.
      ...(closeAtEnd ? [{ path: ['simulation', 'closeAtEnd'], value: true }] : []),
    ]),
    plugin: { hash: sourceHash, entry, files },
    inputs: await inputsOf(setup, plugin.strategyClass.name),
    holdings: await holdingsOf(config),
  };
}

/** Reads the files of a plugin, with their names below their common folder, and the name of the plugin's own file. */
async function readPlugin(
  file: string,
): Promise<{ readonly entry: string; readonly files: Readonly<Record<string, string>> }> {
  const sources = await readPluginSources(file);
  const root = commonFolder([...sources.keys()]);
  const nameOf = (name: string): string => path.relative(root, name).split(path.sep).join('/');
  const files = Object.fromEntries([...sources].map(([name, text]) => [nameOf(name), text]));
  return { entry: nameOf(file), files };
}
