import { createRequire } from 'node:module';
import { ConfigError, type ConfigLocation } from '../../domain/index.js';
import { watchAmbient } from '../../engine/index.js';
import { isStrategyClass, type StrategyClass } from '../../strategy/index.js';
import type { BotConfig } from '../../config/index.js';
import { evaluateModule, refuseNoModule } from './evaluate-module.js';
import { rememberPlugin } from './plugin-places.js';
import { hashPluginSources } from '../../determinism/index.js';

export interface PluginOptions {
  /** Finds where the configuration names the plugin and its export, for messages. */
  readonly locate: (key: 'path' | 'export') => ConfigLocation;
  /** Shortens an absolute path for messages. @defaultValue as it is */
  readonly describeFile?: (file: string) => string;
  /** Absolute folder that keeps compiled plugins for the next start; only its owner may be able to write to it. @defaultValue none */
  readonly cacheFolder?: string | undefined;
}

export interface LoadedPlugin {
  readonly strategyClass: StrategyClass;
  /** Name of the export. */
  readonly name: string;
  /** SHA-256 over the plugin and the files it imports by relative path: the same text has the same hash in any folder. */
  readonly sourceHash: string;
}

/**
 * Loads the strategy that a configuration names. TypeScript is stripped of its types, not checked.
 *
 * The plugin and everything it imports share the running copies of `evenkeel` and `rxjs`: with its own copy of rxjs, a
 * strategy's timers would follow the wall clock.
 * @throws {ConfigError} `E_PLUGIN_FILE` missing, a directory, or not .ts or .js; `E_PLUGIN_SYNTAX`, `E_PLUGIN_IMPORT`,
 * `E_PLUGIN_THROWS` with file and line in the plugin; `E_PLUGIN_EXPORT` no strategy, or several and none chosen; `E_PLUGIN_RXJS`
 * a second copy of rxjs.
 */
export async function loadPlugin(
  strategy: BotConfig['strategy'],
  options: PluginOptions,
): Promise<LoadedPlugin> {
  const received = await refuseNoModule(strategy.path, options.describeFile);
  if (received !== undefined)
    throw new ConfigError('E_PLUGIN_FILE', { location: options.locate('path'), ...received });
  const foreign = rxjsCopies();
  // Watched before the plugin loads, so that it can only take the watched clock.
  watchAmbient();
  const { exported, sources } = await evaluateModule(strategy.path, options);
  const added = [...rxjsCopies()].find((folder) => !foreign.has(folder));
  if (added !== undefined) {
    const expected = 'a plugin that uses the running copy of rxjs';
    throw new ConfigError('E_PLUGIN_RXJS', {
      location: options.locate('path'),
      expected,
      received: `another copy in ${added}`,
    });
  }
  const { name, strategyClass } = chooseStrategy(exported, strategy.export, options);
  rememberPlugin(strategyClass, { plugin: strategy.path, sources });
  return { name, strategyClass, sourceHash: hashPluginSources(strategy.path, sources) };
}

/** Folders of all loaded copies of rxjs. A second copy may come from a package that the strategy uses. */
function rxjsCopies(): ReadonlySet<string> {
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  const folders = loaded.map((file) => /^(.*[\\/]node_modules[\\/]rxjs)[\\/]/.exec(file)?.[1]);
  return new Set(folders.filter((folder) => folder !== undefined));
}

interface NamedStrategy {
  readonly name: string;
  readonly strategyClass: StrategyClass;
}

function chooseStrategy(
  exported: unknown,
  wanted: string | undefined,
  { locate }: PluginOptions,
): NamedStrategy {
  const exportError = (key: 'path' | 'export', expected: string, received: string): ConfigError =>
    new ConfigError('E_PLUGIN_EXPORT', { location: locate(key), expected, received });
  const found = new Map<StrategyClass, string>();
  for (const [name, value] of Object.entries(exported ?? {})) {
    // A class exported by name and as default is one strategy.
    if (isStrategyClass(value) && (!found.has(value) || name === wanted)) found.set(value, name);
  }
  const strategies = [...found].map(([strategyClass, name]) => ({ name, strategyClass }));
  const names = strategies.map(({ name }) => name).join(', ');
  if (wanted !== undefined) {
    const chosen = strategies.find(({ name }) => name === wanted);
    if (chosen !== undefined) return chosen;
    const expected =
      names === '' ? 'an exported strategy class' : `one of the exported strategies ${names}`;
    throw exportError('export', expected, `"${wanted}"`);
  }
  const [first, ...others] = strategies;
  if (first === undefined) {
    const expected = 'a plugin that exports a class made with Strategy or CandleStrategy';
    throw exportError('path', expected, 'no such export');
  }
  if (others.length > 0) {
    const expected = 'one exported strategy, or strategy.export to name one';
    throw exportError('path', expected, names);
  }
  return first;
}
