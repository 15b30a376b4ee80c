import { ConfigError } from '../../domain/index.js';
import { parseParameters, STRATEGY, type StrategyClass } from '../../strategy/index.js';
import type { BotConfig } from '../../config/index.js';

/**
 * Checks the configured parameters and the strategy's requirements, and fills in defaults.
 *
 * @throws {ConfigError} `E_CONFIG_PARAMETER` naming the first parameter that is wrong; `E_CONFIG_REQUIREMENTS` when the strategy needs more instruments or
 * intervals than are configured.
 */
export function resolveParameters(
  config: BotConfig,
  strategyClass: StrategyClass,
): Readonly<Record<string, unknown>> {
  const { parameters, requirements } = strategyClass[STRATEGY];
  const parsed = parseParameters(parameters, config.strategy.parameters);
  if (!parsed.ok) {
    const [problem] = parsed.problems;
    throw new ConfigError('E_CONFIG_PARAMETER', {
      location: { file: config.name, key: `strategy.parameters.${problem?.name ?? ''}` },
      expected: problem?.expected ?? 'known parameters',
      received: problem?.received ?? 'others',
    });
  }
  const needs = [
    ['instruments', requirements.instruments ?? 1, config.instruments.length],
    [
      'instruments.0.intervals',
      requirements.intervals ?? 1,
      config.instruments[0]?.intervals.length ?? 0,
    ],
  ] as const;
  for (const [key, needed, given] of needs) {
    if (given >= needed) continue;
    throw new ConfigError('E_CONFIG_REQUIREMENTS', {
      location: { file: config.name, key },
      expected: `at least ${String(needed)}, as ${strategyClass.name} needs`,
      received: String(given),
    });
  }
  return parsed.values;
}
