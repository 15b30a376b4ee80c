import path from 'node:path';
import { openArchive } from '../../archive/index.js';
import {
  checkBot,
  loadPlugin,
  requireSimulation,
  type BacktestConfig,
  type LoadedPlugin,
} from '../../assembly/backtest/index.js';
import { loadConfig, type OverrideOptions, type YamlDocument } from '../../config/index.js';
import { scanPlugin, type PluginScan } from '../../determinism/index.js';
import type { RuleBook } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { pluginCache } from './plugin-cache.js';

/** A bot that can be backtested: its configuration with its document, and its strategy. */
export interface LoadedBot {
  readonly config: BacktestConfig;
  readonly document: YamlDocument;
  readonly plugin: LoadedPlugin;
  /** Findings in the plugin's text: reasons why two runs may differ. */
  readonly scan: PluginScan;
  /** The venue's rules: the stored ones, or those of the configuration if none are stored. */
  readonly rules: RuleBook;
}

interface LoadBotOptions extends OverrideOptions {
  /** Runs when the configuration is known, before any code of the plugin runs. */
  readonly beforePlugin?: ((config: BacktestConfig) => Promise<void>) | undefined;
}

/**
 * Reads a bot's YAML and its plugin, and checks that they fit.
 *
 * @throws {ConfigError} or AggregateError of them: the errors of {@link loadConfig} and {@link loadPlugin}, and `E_CONFIG_MISSING`
 * without a simulation block, `E_CONFIG_PARAMETER`, `E_CONFIG_REQUIREMENTS`, `E_CONFIG_RULES`.
 */
export async function loadBot(
  file: string,
  context: Pick<CliContext, 'cwd' | 'env' | 'watchInterrupts' | 'addLoading'>,
  { beforePlugin, ...overrides }: LoadBotOptions,
): Promise<LoadedBot> {
  const loaded = await loadConfig({ file, cwd: context.cwd, ...overrides });
  const config = requireSimulation(loaded);
  const { document } = loaded;
  await beforePlugin?.(config);
  context.watchInterrupts?.();
  const cacheFolder = await pluginCache(context);
  context.addLoading?.(1);
  const plugin = await loadPlugin(config.strategy, {
    locate: (key) => document.locate(['strategy', key]),
    describeFile: (absolute) => path.relative(context.cwd, absolute),
    cacheFolder,
  }).finally(() => context.addLoading?.(-1));
  const scan = await scanPlugin(config.strategy.path, { cacheFolder });
  const { strategyClass } = plugin;
  const archive = openArchive(config.simulation.archive);
  const rules = await checkBot({ config, document, strategyClass }, archive);
  return { config, document, plugin, scan, rules };
}
