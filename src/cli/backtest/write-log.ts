import { formatUtc, type EpochMs } from '../../domain/index.js';
import type { StrategyLog } from '../../strategy/index.js';

/** Makes the log of a strategy for people: one line per message, with the engine's time and the level. */
export function createTextLog(now: () => EpochMs, write: (line: string) => void): StrategyLog {
  const say =
    (level: string): StrategyLog['info'] =>
    (message, fields) => {
      const rest = fields === undefined ? '' : ` ${textOf(fields)}`;
      const text = `${message}${rest}`.replaceAll(/\r?\n/g, String.raw`\n`);
      write(`${formatUtc(now())} ${level.padEnd(5)} ${text}\n`);
    };
  return { debug: say('debug'), info: say('info'), warn: say('warn') };
}

/** Writes the fields as JSON. A strategy may pass a value that JSON cannot hold. */
function textOf(fields: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(fields, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  } catch (error: unknown) {
    return `(${error instanceof Error ? error.message : 'an unknown failure'})`;
  }
}
