import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { openArchive, type Archive } from '../../../src/archive/index.js';
import {
  runParity,
  type BacktestConfig,
  type ParityOptions,
  type ParityOutcome,
} from '../../../src/assembly/index.js';
import { loadBot } from '../../../src/cli/bot/load-bot.js';
import { systemTime } from '../../../src/engine/system-time.js';
import { aCliContext } from '../cli/cli-context.js';
import { createMemoryArchive } from '../memory-archive.js';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface ParityCase extends Pick<ParityOptions, 'faults' | 'dispatcher' | 'journal'> {
  /** From the repository's root. */
  readonly config: string;
  readonly from?: string;
  readonly to: string;
  readonly set?: readonly string[];
  /** Spans without stored candles, `[from, to)` in UTC. @defaultValue none */
  readonly holes?: readonly (readonly [string, string])[];
  /** @defaultValue the class of the configuration */
  readonly strategyClass?: ParityOptions['strategyClass'];
}

/** Runs the parity of a configuration of this repository. */
export async function runConfig({
  config,
  from,
  to,
  set = [],
  holes = [],
  strategyClass,
  ...wire
}: ParityCase): Promise<ParityOutcome> {
  const { context } = aCliContext({ cwd: ROOT });
  const bot = await loadBot(config, context, { set, to, ...(from !== undefined && { from }) });
  const archive = openArchive(bot.config.simulation.archive);
  return runParity({
    ...wire,
    config: bot.config,
    strategyClass: strategyClass ?? bot.plugin.strategyClass,
    sourceHash: bot.plugin.sourceHash,
    archive: holes.length === 0 ? archive : await withHoles(archive, bot.config, holes),
    breathe: () => nextTurn(),
    timers: systemTime,
  });
}

/** The candles of a configuration without those that open in a hole. */
async function withHoles(
  archive: Archive,
  { instruments }: BacktestConfig,
  holes: readonly (readonly [string, string])[],
): Promise<Archive> {
  const spans = holes.map(([from, to]) => [Date.parse(from), Date.parse(to)] as const);
  const isStored = (time: number): boolean =>
    spans.every(([from, to]) => time < from || time >= to);
  const series = instruments.flatMap(({ instrumentId, intervals }) =>
    intervals.map(async (interval) => {
      const columns = await archive.read(instrumentId, interval);
      const kept = [...columns.openTime.keys()].filter((row) =>
        isStored(columns.openTime[row] ?? Number.NaN),
      );
      const pick = (column: Float64Array): Float64Array =>
        Float64Array.from(kept, (row) => column[row] ?? Number.NaN);
      const { openTime, open, high, low, close, volume } = columns;
      return {
        instrumentId,
        interval,
        columns: {
          openTime: pick(openTime),
          open: pick(open),
          high: pick(high),
          low: pick(low),
          close: pick(close),
          volume: pick(volume),
        },
      };
    }),
  );
  return createMemoryArchive(await Promise.all(series));
}
