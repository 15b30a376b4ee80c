import path from 'node:path';
import { findIdleProtections } from '../../assembly/backtest/index.js';
import { VENUE_INTERVALS } from '../../domain/index.js';
import { describeFinding } from '../../determinism/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import type { TypeCheck } from './check-types.js';
import { isServed } from './describe-warmups.js';

// Findings about a bot that need no stored candles, one line each. Paths are relative to the user's folder.

/** Describes the messages of the compiler. */
export function describeTypeFindings(
  types: TypeCheck,
  { cwd }: Pick<CliContext, 'cwd'>,
): readonly string[] {
  if (types.status !== 'checked') return [];
  return types.findings.map(({ file, line, column, text }) => {
    const shown = path.relative(cwd, file);
    return `${shown}:${String(line)}:${String(column)}: ${text} (E_PLUGIN_TYPE)`;
  });
}

/** Describes the findings in a plugin's text that may make two runs differ. */
export function describeTextFindings(
  { config, scan }: Pick<LoadedBot, 'config' | 'scan'>,
  { cwd }: Pick<CliContext, 'cwd'>,
): readonly string[] {
  return scan.findings.map((finding) => {
    const file = path.resolve(path.dirname(config.strategy.path), finding.file);
    return describeFinding({ ...finding, file: path.relative(cwd, file) });
  });
}

/** Describes protections without effect: such a key promises a protection that does not exist. */
export function describeIdleProtections({
  config,
  document,
}: Pick<LoadedBot, 'config' | 'document'>): readonly string[] {
  return findIdleProtections(config).flatMap(({ key, needs }) => {
    const idle = document.problem('E_CONFIG_IDLE', ['risk', ...key.split('.')], {
      expected: `${needs} beside ${key}`,
      received: 'none, so it has no effect',
    });
    return describeError(idle).lines;
  });
}

/** Describes the intervals with which a bot that has a venue would not start. */
export function describeUnservedIntervals({
  config,
  document,
}: Pick<LoadedBot, 'config' | 'document'>): readonly string[] {
  if (config.venue === undefined) return [];
  return config.instruments.flatMap(({ intervals }, at) =>
    intervals.flatMap((interval, place) => {
      if (isServed(interval)) return [];
      const unserved = document.problem('E_CONFIG_VALUE', ['instruments', at, 'intervals', place], {
        expected: `an interval that the venue serves (${VENUE_INTERVALS.join(', ')})`,
        received: interval,
      });
      return describeError(unserved).lines;
    }),
  );
}
