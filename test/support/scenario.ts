import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Archive } from '../../src/archive/index.js';
import { replayBacktest, type BacktestOptions } from '../../src/assembly/index.js';
import { loadBot } from '../../src/cli/bot/load-bot.js';
import type { CliContext } from '../../src/cli/cli-context.js';
import type { RunRecord } from '../../src/report/index.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** One file of `backtest/scenarios`, read as the command line reads it. */
export interface Scenario {
  readonly name: string;
  readonly config: BacktestOptions['config'];
  readonly strategyClass: BacktestOptions['strategyClass'];
  readonly sourceHash: string;
}

/** Names of all scenarios, in alphabetical order. */
export function scenarioNames(): readonly string[] {
  return readdirSync(resolve(ROOT, 'backtest/scenarios'))
    .map((file) => file.replace(/\.yaml$/, ''))
    .toSorted();
}

/** Reads a scenario and its plugin through the command line's own loaders. */
export async function loadScenario(name: string): Promise<Scenario> {
  const { config, plugin } = await loadBot(`backtest/scenarios/${name}.yaml`, context(), {});
  return { name, config, strategyClass: plugin.strategyClass, sourceHash: plugin.sourceHash };
}

/** Runs a scenario on an archive. */
export function playScenario(
  { config, strategyClass, sourceHash }: Scenario,
  archive: Archive,
  options: Pick<BacktestOptions, 'journal' | 'precomputed' | 'candles'> = {},
): Promise<RunRecord> {
  return replayBacktest({ config, strategyClass, sourceHash, archive, ...options });
}

function context(): CliContext {
  const silent = { write: () => undefined, isTerminal: false, columns: undefined };
  return {
    stdout: silent,
    stderr: silent,
    env: {},
    cwd: ROOT,
    signal: new AbortController().signal,
    setExitCode: () => undefined,
  };
}
