import path from 'node:path';
import { openArchive } from '../../archive/index.js';
import {
  createRuleBook,
  loadPlugin,
  resolveParameters,
  type BacktestConfig,
  type LoadedPlugin,
} from '../../assembly/backtest/index.js';
import {
  combineProblems,
  loadConfig,
  type LoadedConfig,
  type OverrideOptions,
  type YamlDocument,
} from '../../config/index.js';
import { scanPlugin, type PluginScan } from '../../determinism/index.js';
import {
  ConfigError,
  DataError,
  suggestWord,
  type DatedRules,
  type InstrumentId,
  type RuleBook,
} from '../../domain/index.js';
import { parseParameters, STRATEGY } from '../../strategy/index.js';
import type { CliContext } from '../cli-context.js';
import { locateError } from './locate-error.js';
import { pluginCache } from './plugin-cache.js';

/** A bot that can be backtested: its configuration, where that stands, and its strategy. */
export interface LoadedBot {
  readonly config: BacktestConfig;
  readonly document: YamlDocument;
  readonly plugin: LoadedPlugin;
  /** What its text says of why two runs may differ. */
  readonly scan: PluginScan;
  /** The venue's rules: stored ones, else those of the configuration. */
  readonly rules: RuleBook;
}

export interface LoadBotOptions extends OverrideOptions {
  /** What is to be done once the configuration is known, before any code of the plugin runs. */
  readonly beforePlugin?: ((config: BacktestConfig) => Promise<void>) | undefined;
}

type StoredRules = ReadonlyMap<InstrumentId, readonly DatedRules[]>;

/**
 * Reads a bot's YAML and its plugin, and checks that they fit.
 *
 * @throws {ConfigError} or AggregateError of them: the errors of {@link loadConfig} and {@link loadPlugin}, and `E_CONFIG_MISSING`
 * without a simulation block, `E_CONFIG_PARAMETER`, `E_CONFIG_REQUIREMENTS`, `E_CONFIG_RULES`.
 */
export async function loadBot(
  file: string,
  context: Pick<CliContext, 'cwd' | 'env' | 'watchInterrupts'>,
  { beforePlugin, ...overrides }: LoadBotOptions,
): Promise<LoadedBot> {
  const loaded = await loadConfig({ file, cwd: context.cwd, ...overrides });
  const config = requireSimulation(loaded);
  const { document } = loaded;
  await beforePlugin?.(config);
  context.watchInterrupts?.();
  const cacheFolder = await pluginCache(context);
  const plugin = await loadPlugin(config.strategy, {
    locate: (key) => document.locate(['strategy', key]),
    describeFile: (absolute) => path.relative(context.cwd, absolute),
    cacheFolder,
  });
  const scan = await scanPlugin(config.strategy.path, { cacheFolder });
  const stored = await readStoredRules(config);
  const bot = { config, document, plugin, scan };
  const problems = [...findWrongParameters(bot), ...findMisfits(bot, stored)];
  if (problems.length > 0) throw combineProblems(problems);
  return { ...bot, rules: createRuleBook(config, stored) };
}

function requireSimulation({ config, document }: LoadedConfig): BacktestConfig {
  const { simulation } = config;
  if (simulation === undefined) {
    throw document.problem('E_CONFIG_MISSING', ['simulation'], {
      expected: 'a mapping that says what to replay',
    });
  }
  return { ...config, simulation };
}

/** Every parameter that is wrong, with what may have been meant. */
function findWrongParameters({
  config,
  document,
  plugin,
}: Omit<LoadedBot, 'rules'>): readonly ConfigError[] {
  const declared = plugin.strategyClass[STRATEGY].parameters;
  const parsed = parseParameters(declared, config.strategy.parameters);
  if (parsed.ok) return [];
  return parsed.problems.map(({ name, expected, received, unknown }) => {
    const similar = unknown ? suggestWord(name, Object.keys(declared)) : undefined;
    return document.problem('E_CONFIG_PARAMETER', ['strategy', 'parameters', name], {
      expected,
      received,
      suggestion: similar === undefined ? undefined : `did you mean "${similar}"?`,
    });
  });
}

/** What the strategy needs and does not get, and instruments without rules. */
function findMisfits(
  { config, document, plugin }: Omit<LoadedBot, 'rules'>,
  stored: StoredRules,
): readonly ConfigError[] {
  const checks = [
    () => resolveParameters(config, plugin.strategyClass),
    // One by one, so that every instrument without rules is named.
    ...config.instruments.map(
      (instrument) => () => createRuleBook({ ...config, instruments: [instrument] }, stored),
    ),
  ];
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error: unknown) {
      const located = locateError(error, document);
      if (!(located instanceof ConfigError)) throw located;
      return [located];
    }
  });
}

/** Rules that the archive has; where there is no archive that is said when its candles are looked for. */
async function readStoredRules({ instruments, simulation }: BacktestConfig): Promise<StoredRules> {
  const archive = openArchive(simulation.archive);
  const stored = new Map<InstrumentId, readonly DatedRules[]>();
  for (const { instrumentId } of instruments) {
    try {
      stored.set(instrumentId, await archive.rules(instrumentId));
    } catch (error: unknown) {
      if (!(error instanceof DataError) || error.code !== 'E_DATA_ARCHIVE') throw error;
    }
  }
  return stored;
}
