import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Interruption } from '../../../src/assembly/parity/interruptions.js';
import { MINUTE_MS } from '../../../src/domain/index.js';
import { drawnRuns, parityOf, type DrawnRun } from '../../support/parity/drawn-runs.js';
import { JournaledStarts } from '../../support/parity/journaled-starts.js';
import { parityEnds } from '../../support/runs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const KILLS = 10;
const found = { runs: 0, kills: 0, fills: 0 };

/** Parts of the run, from 0 to 1, at which the bot is killed. */
const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
  minLength: KILLS,
  maxLength: KILLS,
});

/**
 * Kills the bot and starts it again at once. A start reads the account, so it is only killed when a backtest reads it too: at a poll. At whole minutes candles open after
 * the poll, and their first fills, or delayed candles, would be read early.
 */
function killsAt(
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

/** Without coins from before: at its very start the exchange of parity does not show the open at which a backtest values them. */
const runs = drawnRuns.filter(
  ({ replay: { run } }) => !(run.config.simulation.balances.spot?.get('BTC') ?? 0n),
);

describe('a bot that is killed and started again', () => {
  it('trades as in its backtest, whatever its strategy remembers', async () => {
    await fc.assert(
      fc.asyncProperty(runs, parts, async (drawn, at) => {
        const { config } = drawn.replay.run;
        const starts = new JournaledStarts(await temporaryFolder(), config.name);
        try {
          const interruptions = killsAt(drawn, starts, at);
          const outcome = await parityOf(drawn, { begin: starts.begin, interruptions });
          fc.pre(outcome !== undefined);

          expect(outcome.report.difference).toBeUndefined();
          expect(outcome.disagreements).toEqual([]);
          found.runs += 1;
          found.kills += starts.replays;
          found.fills += outcome.report.counts.fills;
        } finally {
          starts.close();
        }
      }),
      { numRuns: parityEnds(), endOnFailure: true },
    );

    console.info(`parity over kills: ${JSON.stringify(found)}`);
    expect(found.runs).toBe(parityEnds());
    if (found.runs >= 20) expect(found.kills).toBeGreaterThan(0);
  }, 3_600_000);
});
