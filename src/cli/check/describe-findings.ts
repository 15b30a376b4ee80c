import path from 'node:path';
import { findIdleProtections } from '../../assembly/backtest/index.js';
import { describeFinding } from '../../determinism/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import type { TypeCheck } from './check-types.js';

// What is found of a bot without its stored candles, one line each, with paths from the folder that the user is in.

/** What the compiler says. */
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

/** What the text of a plugin has that keeps two runs from being the same. */
export function describeTextFindings(
  { config, scan }: Pick<LoadedBot, 'config' | 'scan'>,
  { cwd }: Pick<CliContext, 'cwd'>,
): readonly string[] {
  return scan.findings.map((finding) => {
    const file = path.resolve(path.dirname(config.strategy.path), finding.file);
    return describeFinding({ ...finding, file: path.relative(cwd, file) });
  });
}

/** A key that guards nothing promises a protection that is not there. */
export function describeIdleProtections({
  config,
  document,
}: Pick<LoadedBot, 'config' | 'document'>): readonly string[] {
  return findIdleProtections(config).flatMap((key) => {
    const idle = document.problem('E_CONFIG_IDLE', ['risk', ...key.split('.')], {
      expected: 'a protection of what the bot trades',
      received: `${key}, which concerns futures`,
    });
    return describeError(idle).lines;
  });
}
