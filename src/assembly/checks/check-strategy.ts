import { ConfigError } from '../../domain/index.js';
import { isStrategyClass } from '../../strategy/index.js';

/** @throws {ConfigError} `E_CONFIG_TYPE` if a program gives something that is not a strategy class. */
export function checkStrategy(strategy: unknown): void {
  if (isStrategyClass(strategy)) return;
  throw new ConfigError('E_CONFIG_TYPE', {
    location: { file: 'strategy' },
    expected: 'a class made with Strategy or CandleStrategy',
    received: describeOther(strategy),
  });
}

function describeOther(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'function') return 'another function';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
