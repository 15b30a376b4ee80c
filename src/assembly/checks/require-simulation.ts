import type { BacktestConfig, LoadedConfig } from '../../config/index.js';

/** @throws {ConfigError} `E_CONFIG_MISSING` without a simulation block. */
export function requireSimulation({ config, document }: LoadedConfig): BacktestConfig {
  const { simulation } = config;
  if (simulation === undefined) {
    throw document.problem('E_CONFIG_MISSING', ['simulation'], {
      expected: 'a mapping that says what to replay',
    });
  }
  return { ...config, simulation };
}
