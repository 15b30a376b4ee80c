import path from 'node:path';
import type { PluginSources } from '../../determinism/index.js';
import type { StrategyClass } from '../../strategy/index.js';
import { locateFailure } from './locate-failure.js';

interface PluginFiles {
  /** Absolute path. */
  readonly plugin: string;
  readonly sources: PluginSources;
}

/** Which files a strategy comes from: known as long as the class is. */
const files = new WeakMap<StrategyClass, PluginFiles>();

/** Notes where a strategy that was loaded comes from. */
export function rememberPlugin(strategyClass: StrategyClass, from: PluginFiles): void {
  files.set(strategyClass, from);
}

/** `file:line:column` of where a strategy raised an error, from the folder of its plugin, as notices have it; undefined where that is not known. */
export function describePlace(strategyClass: StrategyClass, error: unknown): string | undefined {
  const from = files.get(strategyClass);
  const place = from && locateFailure(error, from.sources);
  if (from === undefined || place === undefined) return undefined;
  const file = path.relative(path.dirname(from.plugin), place.file).split(path.sep).join('/');
  return [file, place.line, place.column].filter((part) => part !== undefined).join(':');
}
