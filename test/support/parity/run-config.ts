import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { openArchive } from '../../../src/archive/index.js';
import { runParity, type ParityOptions, type ParityOutcome } from '../../../src/assembly/index.js';
import { loadBot } from '../../../src/cli/bot/load-bot.js';
import { systemTime } from '../../../src/cli/venue/system-time.js';
import { aCliContext } from '../cli/cli-context.js';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface ParityCase extends Pick<ParityOptions, 'faults' | 'dispatcher' | 'journal'> {
  /** From the repository's root. */
  readonly config: string;
  readonly from?: string;
  readonly to: string;
  readonly set?: readonly string[];
}

/** Runs the parity of a configuration of this repository. */
export async function runConfig({
  config,
  from,
  to,
  set = [],
  ...wire
}: ParityCase): Promise<ParityOutcome> {
  const { context } = aCliContext({ cwd: ROOT });
  const bot = await loadBot(config, context, { set, to, ...(from !== undefined && { from }) });
  return runParity({
    ...wire,
    config: bot.config,
    strategyClass: bot.plugin.strategyClass,
    sourceHash: bot.plugin.sourceHash,
    archive: openArchive(bot.config.simulation.archive),
    breathe: () => nextTurn(),
    timers: systemTime,
  });
}
