import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findFirstDifference } from '../../domain/index.js';
import type { Result } from '../../report/index.js';
import { playBacktest, type BacktestFlags } from '../backtest/run-backtest-command.js';
import type { CliContext } from '../cli-context.js';

/** Options of the backtest that made a result, as far as the result shows them. */
function flagsOf({
  curve,
  benchmark,
  bounds,
}: Result): Pick<BacktestFlags, 'curve' | 'bounds' | 'boundsRuns' | 'benchmark'> {
  return {
    curve,
    ...(bounds.search !== undefined && { bounds: true }),
    ...(bounds.search?.budget !== undefined && { boundsRuns: bounds.search.budget }),
    ...(benchmark !== undefined && { benchmark: benchmark.instrument }),
  };
}

/** Runs a backtest again with the options of a result. Returns the text of the new result. */
export async function runAgain(
  config: string,
  {
    result,
    folder,
    overrides = {},
  }: {
    readonly result: Result;
    readonly folder: string;
    readonly overrides?: Pick<BacktestFlags, 'from' | 'to' | 'set'>;
  },
  context: CliContext,
): Promise<string> {
  const json = path.join(folder, 'again.json');
  await playBacktest(config, { ...flagsOf(result), ...overrides, json }, context);
  return readFile(json, 'utf8');
}

/** Describes the first line in which two results differ, for people; undefined if they are equal. */
export function describeFirstDifference(expected: string, received: string): string | undefined {
  const found = findFirstDifference(expected.split('\n'), received.split('\n'));
  if (found === undefined) return undefined;
  const { line, expected: wanted = 'the end', received: had = 'the end' } = found;
  return `line ${String(line)}: expected ${wanted}, received ${had}`;
}
