import { ConfigError } from '../domain/index.js';
import type { PlainValue } from './plain-value.js';

/** A key of a block for which a program hands over something that no text can name, such as a class. */
export interface GivenKey {
  readonly block: string;
  readonly key: string;
  /** What stands in its place. */
  readonly value: PlainValue;
  /** What is handed over, for messages. */
  readonly by: string;
}

/**
 * Puts what stands for given keys into a configuration.
 *
 * @throws {ConfigError} `E_CONFIG_DUPLICATE` where one is written there already: which of the two is meant is never guessed.
 */
export function giveKeys(config: PlainValue, given: readonly GivenKey[], name: string): PlainValue {
  if (!isMapping(config)) return config;
  const filled: Record<string, PlainValue> = { ...config };
  for (const { block, key, value, by } of given) {
    const written = filled[block] ?? {};
    // What is no mapping is for the schema to say.
    if (!isMapping(written)) continue;
    if (Object.hasOwn(written, key))
      throw new ConfigError('E_CONFIG_DUPLICATE', {
        location: { file: name, key: `${block}.${key}` },
        expected: `nothing beside ${by}`,
        received: JSON.stringify(written[key]),
      });
    filled[block] = { ...written, [key]: value };
  }
  return filled;
}

function isMapping(value: PlainValue): value is { readonly [key: string]: PlainValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
