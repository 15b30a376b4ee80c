import path from 'node:path';
import type { PluginSources } from '../../determinism/index.js';
import type { StrategyClass } from '../../strategy/index.js';
import { locateFailure } from './locate-failure.js';

interface PluginFiles {
  /** Absolute path. */
  readonly plugin: string;
  readonly sources: PluginSources;
}

/** The files of each strategy class, kept as long as the class. */
const files = new WeakMap<StrategyClass, PluginFiles>();

/** Notes the files of a loaded strategy. */
export function rememberPlugin(strategyClass: StrategyClass, from: PluginFiles): void {
  files.set(strategyClass, from);
}

/** The place at which a strategy raised an error, as `file:line:column` relative to the folder of its plugin, as in notices; undefined if not known. */
export function describePlace(strategyClass: StrategyClass, error: unknown): string | undefined {
  const from = files.get(strategyClass);
  const place = from && locateFailure(error, from.sources);
  if (from === undefined || place === undefined) return undefined;
  const file = path.relative(path.dirname(from.plugin), place.file).split(path.sep).join('/');
  return [file, place.line, place.column].filter((part) => part !== undefined).join(':');
}
