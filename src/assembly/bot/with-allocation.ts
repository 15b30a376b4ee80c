import type { BacktestConfig } from '../../config/index.js';

/** Returns the configuration for a session: the bot's balances are its allocation. */
export function withAllocation<Config extends BacktestConfig>(config: Config): Config {
  const { simulation, live } = config;
  return { ...config, simulation: { ...simulation, balances: live.allocation } };
}
