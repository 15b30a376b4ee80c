import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  formatRules,
  hashColumns,
  makeFolder,
  openArchive,
  writeFileAtomically,
} from '../../archive/index.js';
import { DataError, formatUtc, reasonOf } from '../../domain/index.js';
import { configOfHistory, type FoundHistory, type FuzzGround } from '../../research/index.js';
import type { LoadedBot } from '../bot/load-bot.js';

const DATA = 'data';
const CONFIG = 'config.yaml';
const SOURCE = 'fuzz';
const HASH_DIGITS = 8;

interface KeepOptions {
  readonly bot: LoadedBot;
  readonly ground: FuzzGround;
  /** Folder as the user wrote it. */
  readonly out: string;
  readonly seed: number;
  readonly cwd: string;
}

/**
 * Stores a history as an archive of its candles and rules, and a configuration that replays it. The folder's name comes from law and content, so
 * the same history always has the same folder. Returns the folder as the user would write it.
 *
 * @throws {DataError} `E_DATA_WRITE` when the folder cannot be written.
 */
export async function keepHistory(found: FoundHistory, options: KeepOptions): Promise<string> {
  const { out, cwd } = options;
  const name = `${slugOf(found.law)}-${hashOf(found, options)}`;
  const folder = path.resolve(cwd, out, name);
  const kept = path.posix.join(out.replaceAll(path.sep, '/'), name);
  try {
    await makeFolder(path.join(folder, DATA));
    await storeMarkets(path.join(folder, DATA), found, options.ground);
    const text = new TextEncoder().encode(configText(found, folder, options));
    await writeFileAtomically(path.join(folder, CONFIG), [text]);
  } catch (cause: unknown) {
    if (cause instanceof DataError) throw cause;
    throw new DataError('E_DATA_WRITE', `cannot write ${kept}: ${reasonOf(cause)}`, { cause });
  }
  return kept;
}

async function storeMarkets(
  folder: string,
  { laid }: FoundHistory,
  { interval, starts }: FuzzGround,
): Promise<void> {
  const archive = openArchive(folder);
  for (const { instrumentId, columns, rules } of laid.markets) {
    const series = { instrumentId, interval, columns };
    await archive.merge(series, { source: SOURCE, volumeUnit: 'base' });
    await archive.mergeRules(instrumentId, rules, { source: SOURCE });
    const tiers = starts.find((start) => start.instrumentId === instrumentId)?.tiers ?? [];
    if (tiers.length > 0) await archive.mergeTiers(instrumentId, tiers, { source: SOURCE });
  }
}

/** The user's file with the range and archive of the history; paths are relative to the folder. */
function configText(
  { law, laid }: FoundHistory,
  folder: string,
  { bot, ground, seed }: KeepOptions,
): string {
  const { simulation, strategy } = configOfHistory(bot.config, { from: ground.from, ...laid });
  const plugin = path.relative(folder, strategy.path).replaceAll(path.sep, '/');
  const text = bot.document.textWith([
    { path: ['strategy', 'path'], value: plugin },
    { path: ['simulation', 'archive'], value: DATA },
    { path: ['simulation', 'from'], value: formatUtc(simulation.from ?? ground.from) },
    { path: ['simulation', 'to'], value: formatUtc(laid.to) },
    { path: ['simulation', 'dataDelayMs'], value: simulation.dataDelayMs },
    { path: ['simulation', 'path'], value: simulation.path },
  ]);
  return `# The smallest history that fuzz found with seed ${String(seed)} for the law: ${law}\n${text}`;
}

function slugOf(law: string): string {
  return law
    .replace(/[<>=!].*/, '')
    .trim()
    .replaceAll(' ', '-');
}

function hashOf({ laid, law }: FoundHistory, { bot, ground }: KeepOptions): string {
  const hash = createHash('sha256');
  const { parameters } = bot.config.strategy;
  const run = [bot.config.name, ground.sourceHash, parameters, ground.interval, laid.lateMs];
  hash.update(JSON.stringify([law, ...run]));
  for (const { columns, rules } of laid.markets) {
    hash.update(hashColumns(columns));
    for (const entry of rules) hash.update(JSON.stringify([entry.from, formatRules(entry.rules)]));
  }
  return hash.digest('hex').slice(0, HASH_DIGITS);
}
