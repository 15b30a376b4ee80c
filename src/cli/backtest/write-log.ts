import { formatUtc, type EpochMs } from '../../domain/index.js';
import type { StrategyLog } from '../../strategy/index.js';

/** The log of a strategy for people: a line each, with the engine's time and the level. */
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

/** A strategy may hand over what cannot be written. */
function textOf(fields: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(fields, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  } catch (error: unknown) {
    return `(${error instanceof Error ? error.message : 'an unknown failure'})`;
  }
}
