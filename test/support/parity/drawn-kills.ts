import fc from 'fast-check';

import type { Interruption } from '../../../src/assembly/parity/interruptions.js';
import { MINUTE_MS } from '../../../src/domain/index.js';
import type { DrawnRun } from './drawn-runs.js';
import type { JournaledStarts } from './journaled-starts.js';

const KILLS = 10;
const PARTS = 10_000;

/** Parts of a run, from 0 to 1, at which a bot is killed. */
export const killParts = fc.array(
  fc.integer({ min: 0, max: PARTS }).map((part) => part / PARTS),
  { minLength: KILLS, maxLength: KILLS },
);

/**
 * Kills the bot and starts it again at once. A start reads the account, so it is only killed when a backtest reads it too: at a poll. At whole minutes candles open after
 * the poll, and their first fills, or delayed candles, would be read early.
 */
export function killsAt(
  { replay: { run }, to }: DrawnRun,
  starts: JournaledStarts,
  at: readonly number[],
): readonly Interruption[] {
  const { updatePollMs, dataDelayMs } = run.config.simulation;
  const first = Math.min(...run.market.candles.map(({ columns }) => columns.openTime[0] ?? to));
  return at
    .map((part) => Math.ceil((first + part * (to - first)) / updatePollMs) * updatePollMs)
    .sort((a, b) => a - b)
    .map((time) => ({
      time,
      act: async (bot, now) => {
        // It waited for commands on their way.
        if (now % updatePollMs !== 0 || now % MINUTE_MS <= dataDelayMs) return;
        await starts.kill(bot);
        await bot.start();
      },
    }));
}
