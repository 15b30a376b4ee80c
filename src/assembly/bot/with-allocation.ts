import type { BacktestConfig } from '../../config/index.js';

/** The configuration as a session counts with it: what the bot may use is what it has. */
export function withAllocation<Config extends BacktestConfig>(config: Config): Config {
  const { simulation, live } = config;
  return { ...config, simulation: { ...simulation, balances: live.allocation } };
}
