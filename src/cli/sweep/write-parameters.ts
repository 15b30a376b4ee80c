import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadConfig, setParameters } from '../../config/index.js';
import { DataError, UsageError } from '../../domain/index.js';
import type { SearchSpace, SweepTrial } from '../../research/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { describeChanges } from './describe-changes.js';
import type { SweepFlags } from './sweep-flags.js';

type Parameters = SweepTrial['parameters'];

/** A bot's file that receives the parameters. */
export interface ParameterFile {
  /** Path as the user wrote it. */
  readonly name: string;
  /** Whether the file is written without a question. */
  readonly isSure: boolean;
}

/**
 * Checks before a long search that its parameters can be written to the file of `--write`; undefined without that option.
 *
 * @throws {UsageError} `E_USAGE`, `E_NOT_CONFIRMED` when there is no terminal to ask; {ConfigError} as `loadConfig`, and `E_CONFIG_VALUE` when it is the file of
 * another strategy; {DataError} `E_DATA_WRITE`.
 */
export async function openParameterFile(
  { write: name, yes }: Pick<SweepFlags, 'write' | 'yes'>,
  { config, plugin }: Pick<LoadedBot, 'config' | 'plugin'>,
  { space, context }: { readonly space: SearchSpace; readonly context: CliContext },
): Promise<ParameterFile | undefined> {
  if (name === undefined) {
    if (yes === true) throw new UsageError('E_USAGE', '--yes needs --write');
    return undefined;
  }
  if (yes !== true && context.ask === undefined)
    throw new UsageError(
      'E_NOT_CONFIRMED',
      `no terminal to confirm the change of ${name}; --yes writes without asking`,
    );
  await checkOutput(name, context);
  const target = await loadConfig({ file: name, cwd: context.cwd });
  if (target.config.strategy.path !== config.strategy.path)
    throw target.document.problem('E_CONFIG_VALUE', ['strategy', 'path'], {
      expected: `the strategy of the sweep, ${plugin.strategyClass.name}`,
      received: 'another',
    });
  // Whether parameters can be set does not depend on their values, so any values do for the check.
  const some = space.map((axis) => [axis.name, axis.kind === 'listed' ? axis.values[0] : axis.min]);
  setParameters(name, await readText(name, context), Object.fromEntries(some) as Parameters);
  return { name, isSure: yes === true };
}

/**
 * Shows how the parameters change a bot's file, asks, and writes it.
 *
 * @throws {ConfigError} as {@link setParameters}; {DataError} `E_DATA_READ`, `E_DATA_WRITE`.
 */
export async function writeParameters(
  { name, isSure }: ParameterFile,
  parameters: Parameters,
  context: CliContext,
): Promise<void> {
  const { stderr, ask } = context;
  const before = await readText(name, context);
  const after = setParameters(name, before, parameters);
  if (after === before) {
    stderr.write(`${name} already has these parameters\n`);
    return;
  }
  stderr.write(`${name} with the best parameters:\n${describeChanges(before, after)}`);
  const answer = isSure ? 'y' : await ask?.(`Write ${name}? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) {
    stderr.write(`${name} was not changed\n`);
    return;
  }
  await writeOutput(name, after, context);
  stderr.write(`${name} was written\n`);
}

function readText(name: string, { cwd }: Pick<CliContext, 'cwd'>): Promise<string> {
  return readFile(path.resolve(cwd, name), 'utf8').catch((cause: unknown) => {
    throw new DataError('E_DATA_READ', `cannot read ${name}`, { cause });
  });
}
