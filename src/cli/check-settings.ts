import type { Command } from 'commander';
import { UsageError } from '../domain/index.js';

interface Setting {
  /** How the user wrote it: `--set simulation.from`, `--from`. */
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

/**
 * Checks that no `--set`, `--from` or `--to` replaces what another of them has set, because its value would be dropped silently. A key within an
 * earlier mapping may be set: `--set strategy.parameters={} --set strategy.parameters.fast=5`.
 *
 * @throws {UsageError} `E_CONFIG_SET` naming both values.
 */
export function checkSettings(command: Command): void {
  const before: Setting[] = [];
  for (const setting of settingsOf(command.opts())) {
    const { name, key, value } = setting;
    const lost = before.find((other) => other.key === key || other.key.startsWith(`${key}.`));
    if (lost !== undefined)
      throw new UsageError(
        'E_CONFIG_SET',
        lost.name === name
          ? `${name}: expected one value, received "${lost.value}" and "${value}"`
          : `${name}: expected a key that does not replace ${lost.name}, received "${lost.value}" and then "${value}"`,
      );
    before.push(setting);
  }
}

/** In the order in which they are applied. */
function settingsOf({ set, from, to }: Readonly<Record<string, unknown>>): readonly Setting[] {
  if (!Array.isArray(set)) return [];
  const settings = (set as readonly string[]).map((assignment) => {
    const [key = ''] = assignment.split('=', 1);
    return { name: `--set ${key}`, key, value: assignment.slice(key.length + 1) };
  });
  const times = Object.entries({ from, to }).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name: `--${name}`, key: `simulation.${name}`, value }] : [],
  );
  return [...settings, ...times];
}
