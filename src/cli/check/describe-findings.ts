import path from 'node:path';
import { findIdleProtections } from '../../assembly/backtest/index.js';
import { describeFinding } from '../../determinism/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import type { TypeCheck } from './check-types.js';

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
