import { ConfigError } from '../domain/index.js';
import type { PlainValue } from './yaml/plain-value.js';
import { isMapping } from './schemas/scalars.js';

/** A key of a block whose value a program supplies as an object that no text can name, such as a class. */
export interface GivenKey {
  readonly block: string;
  readonly key: string;
  /** The value that stands for the object in the configuration. */
  readonly value: PlainValue;
  /** Description of the object, for messages. */
  readonly by: string;
}

/**
 * Puts the values of given keys into a configuration.
 *
 * @throws {ConfigError} `E_CONFIG_DUPLICATE` if the configuration has such a key already: the choice between the two is never guessed.
 */
export function giveKeys(config: PlainValue, given: readonly GivenKey[], name: string): PlainValue {
  if (!isMapping(config)) return config;
  const filled: Record<string, PlainValue> = { ...config };
  for (const { block, key, value, by } of given) {
    const written = filled[block] ?? {};
    // The schema reports a block that is no mapping.
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
