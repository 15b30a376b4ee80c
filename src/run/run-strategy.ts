import { createHash } from 'node:crypto';
import path from 'node:path';
import { loadPlugin } from '../assembly/backtest/index.js';
import type { LoadedConfig } from '../config/index.js';
import {
  hashPluginSources,
  readPluginSources,
  scanPlugin,
  type PluginFinding,
} from '../determinism/index.js';
import { ConfigError } from '../domain/index.js';
import { watchAmbient } from '../engine/index.js';
import { STRATEGY, type StrategyClass } from '../strategy/index.js';

/** A strategy class that a program gives. */
interface GivenStrategy {
  readonly strategy: StrategyClass;
  /** Absolute path of the file that contains the class. @defaultValue unknown */
  readonly file: string | undefined;
}

/** The strategy of a run, with the data for its identity and warnings. */
export interface RunStrategy {
  readonly strategyClass: StrategyClass;
  readonly sourceHash: string;
  readonly findings: readonly PluginFinding[];
}

/** Takes a class whose source file is known. The run then equals the command line's run of that file. */
async function takeFromFile(strategyClass: StrategyClass, file: string): Promise<RunStrategy> {
  const sources = await readPluginSources(file).catch((cause: unknown) => {
    const problem = {
      location: { file: 'strategyFile' },
      expected: 'the file of the class',
      received: `${file}, which cannot be read`,
    };
    throw new ConfigError('E_PLUGIN_FILE', problem, { cause });
  });
  const { findings } = await scanPlugin(file);
  return { strategyClass, sourceHash: hashPluginSources(file, sources), findings };
}

/**
 * Takes a class without a source file. Its hash covers its own text, the text of the classes it extends and its declared parameters, but no imports.
 */
function takeClass(strategyClass: StrategyClass): RunStrategy {
  const hash = createHash('sha256');
  // The walk ends at the package's own class, which carries the mark as an own property.
  for (
    let own: object | null = strategyClass;
    own !== null && !Object.hasOwn(own, STRATEGY);
    own = Object.getPrototypeOf(own) as object | null
  )
    hash.update(`${Function.prototype.toString.call(own)}\0`);
  const { parameters, requirements } = strategyClass[STRATEGY];
  hash.update(JSON.stringify([parameters, requirements]));
  return { strategyClass, sourceHash: hash.digest('hex'), findings: [] };
}

/**
 * Finds the strategy of a run: the given class, otherwise the plugin that the configuration names.
 *
 * @throws {ConfigError} as `loadPlugin`, and `E_PLUGIN_FILE` for a file that cannot be read.
 */
export async function findStrategy(
  given: GivenStrategy | undefined,
  { config, document }: LoadedConfig,
  directory: string,
): Promise<RunStrategy> {
  if (given !== undefined) {
    watchAmbient();
    return given.file === undefined
      ? takeClass(given.strategy)
      : takeFromFile(given.strategy, given.file);
  }
  const plugin = await loadPlugin(config.strategy, {
    locate: (key) => document.locate(['strategy', key]),
    describeFile: (absolute) => path.relative(directory, absolute),
  });
  const { findings } = await scanPlugin(config.strategy.path);
  return { ...plugin, findings };
}
