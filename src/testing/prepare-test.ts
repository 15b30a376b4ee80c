import path from 'node:path';
import {
  checkStrategy,
  loadPlugin,
  requireSimulation,
  resolveFile,
  type BacktestConfig,
} from '../assembly/backtest/index.js';
import { readConfig } from '../config/index.js';
import type { StrategyClass } from '../strategy/index.js';
import { describeTest, type TestDescription } from './test-description.js';

const CANDLES = { block: 'simulation', key: 'archive', value: 'candles', by: 'the test' };

/** The checked configuration and strategy class of a test. */
export interface PreparedTest {
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
}

/**
 * Reads and checks the strategy and the options of a test.
 *
 * @param strategy - a class, or the path or `file:` URL of its plugin.
 * @throws {ConfigError} or AggregateError of them, with the texts of the command line.
 */
export async function prepareTest(
  strategy: StrategyClass | string | URL,
  described: TestDescription,
): Promise<PreparedTest> {
  const directory = path.resolve('.');
  const file =
    typeof strategy === 'string' || strategy instanceof URL
      ? resolveFile(strategy, directory)
      : undefined;
  if (file === undefined) checkStrategy(strategy);
  const given = { block: 'strategy', key: 'path', value: file ?? 'strategy', by: 'a strategy' };
  const loaded = readConfig(describeTest(described), {
    name: 'options',
    directory,
    given: [given, CANDLES],
  });
  const config = requireSimulation(loaded);
  if (file === undefined) return { config, strategyClass: strategy as StrategyClass };
  const { strategyClass } = await loadPlugin(config.strategy, {
    locate: (key) => loaded.document.locate(['strategy', key]),
    describeFile: (absolute) => path.relative(directory, absolute),
  });
  return { config, strategyClass };
}
