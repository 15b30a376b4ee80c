import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decimalFromFixed, type FeeRates } from '../../../src/domain/index.js';
import type { Journal } from '../../../src/engine/index.js';
import type { VenueUpdate } from '../../../src/venue/index.js';
import { boldReplays } from '../../support/replays/bold-replays.js';
import {
  playReplay,
  randomReplays,
  type RandomReplay,
} from '../../support/replays/random-replays.js';
import { RecomputedBooks } from '../../support/replays/recomputed-books.js';
import { replayRuns } from '../../support/runs.js';

/** Updates that move money, by time. */
class Movements implements Journal {
  readonly list: VenueUpdate[] = [];

  append(event: Parameters<Journal['append']>[0]): void {
    if (event.kind === 'venue') this.list.push(event.update);
  }

  inOrder(): readonly VenueUpdate[] {
    return this.list.toSorted((a, b) => a.eventTime - b.eventTime);
  }
}

async function differencesOf(
  { run, strategyClass }: RandomReplay,
  found: Record<string, number>,
): Promise<readonly string[]> {
  const movements = new Movements();
  // What closes at the end is no event of the venue.
  const simulation = { ...run.config.simulation, closeAtEnd: false };
  const config = { ...run.config, simulation };
  const record = await playReplay(
    { strategyClass, run: { ...run, config } },
    { journal: movements },
  );
  const books = new RecomputedBooks({
    instruments: record.instruments,
    balances: simulation.balances,
    maxFeeRate: simulation.futures.maxFeeRate,
    ratesAt: ({ id }, time) => {
      let rates: FeeRates = simulation.fees;
      for (const { from, instrumentId, ...change } of simulation.feeChanges)
        if (from <= time && (instrumentId ?? id) === id) rates = { ...rates, ...change };
      return rates;
    },
  });
  for (const update of movements.inOrder()) {
    found[update.kind] = (found[update.kind] ?? 0) + 1;
    books.take(update);
  }
  const balances = Object.entries(record.finalBalances).flatMap(([account, assets]) =>
    [...assets].flatMap(([asset, amount]) => {
      const [told, own] = [decimalFromFixed(amount), books.money(`${account} ${asset}`)];
      return own.eq(told) ? [] : [`${account} ${asset}: ${told.toFixed()}, not ${own.toFixed()}`];
    }),
  );
  return [...books.differences, ...balances];
}

describe('the money of a run', () => {
  it('is that of its fills, funding and interest, worked out anew to the last digit', async () => {
    const found: Record<string, number> = {};
    const lengths = { minLength: 60, maxLength: 120 };
    await fc.assert(
      fc.asyncProperty(fc.oneof(randomReplays(), boldReplays(lengths)), async (replay) => {
        expect(await differencesOf(replay, found)).toEqual([]);
      }),
      { numRuns: replayRuns(), endOnFailure: true },
    );

    console.info(`recomputed books: ${JSON.stringify(found)}`);
    for (const kind of ['fill', 'forced-fill', 'funding', 'interest'])
      expect(found[kind] ?? 0).toBeGreaterThan(0);
  });
});
