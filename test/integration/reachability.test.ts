import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import {
  prepareMarket,
  replayMarket,
  runParity,
  SharedCandles,
  type RunOptions,
} from '../../src/assembly/index.js';
import { systemTime } from '../../src/engine/system-time.js';
import { PrecomputedStore } from '../../src/strategy/index.js';
import { MemoryJournal } from '../support/engine/memory-journal.js';
import {
  candleAt,
  createOneSeries,
  createSeveralSeries,
  type ReachMarket,
} from '../support/reach/markets.js';
import { PLANTS, type Plant } from '../support/reach/plants.js';
import { createReader, ReachSession, walkFrom, type Reached } from '../support/reach/reader.js';

/** Candles after which every reachable object is walked: one within a batch, and in a long run more, also in other batches. */
const IS_LONG = process.env['EVENKEEL_LONG'] === '1';
const WALKS = IS_LONG ? [65, 66, 150, 257, 270] : [66];

const ONE = createOneSeries();
const SEVERAL = createSeveralSeries();

/** Plays a run that notes when each value becomes known, then a run with the walk. The second run fails at the walk, or at an intent that the walk raised. */
async function walk(session: ReachSession, play: () => Promise<unknown>): Promise<void> {
  await play();
  session.isWalking = true;
  await expect(play()).rejects.toThrow();
  expect(session.walked).toBeDefined();
}

/** The data that the runs of a sweep share. */
function sharing(options: Partial<RunOptions> = {}): () => Partial<RunOptions> {
  const precomputed = new PrecomputedStore({ mostBytes: 1 << 26 });
  const candles = new SharedCandles({ mostCandles: 1 << 20 });
  return () => ({ precomputed, candles, ...options });
}

const CASES: readonly {
  readonly what: string;
  readonly market: ReachMarket;
  readonly create: () => () => Partial<RunOptions>;
}[] = [
  { what: 'a backtest', market: ONE, create: () => () => ({}) },
  { what: 'a sweep', market: ONE, create: sharing },
  {
    what: 'a sweep that is recorded',
    market: ONE,
    create: () => sharing({ journal: new MemoryJournal() }),
  },
  { what: 'a backtest of several series', market: SEVERAL, create: () => () => ({}) },
  { what: 'a sweep of several series', market: SEVERAL, create: sharing },
  {
    what: 'a backtest of several series that is recorded',
    market: SEVERAL,
    create: () => () => ({ journal: new MemoryJournal() }),
  },
];

describe('objects that a strategy can reach', () => {
  it.each(CASES)('contain no future data in $what', async ({ market, create }) => {
    const { config, archive } = market;
    const prepared = await prepareMarket(config, archive);
    for (const walkAfter of WALKS) {
      const session = new ReachSession(market, walkAfter);
      const strategyClass = createReader(session);
      const options = create();

      await walk(session, () =>
        replayMarket(prepared, { config, strategyClass, sourceHash: 'reach', ...options() }),
      );

      expect(session.walked?.leaks).toEqual([]);
      expect(session.walked?.objects).toBeGreaterThan(200);
    }
  });

  it('contain no future data in a live run', async () => {
    const session = new ReachSession(ONE, 66);
    const options = {
      config: ONE.config,
      archive: ONE.archive,
      strategyClass: createReader(session),
      sourceHash: 'reach',
      breathe: () => nextTurn(),
      timers: systemTime,
    };
    const outcome = runParity({
      ...options,
      // The backtest of the parity has ended, and its live side begins.
      onBegin: () => {
        session.isWalking = true;
      },
    });

    await expect(outcome).rejects.toThrow();
    expect(session.walked).toBeDefined();
    expect(session.walked?.leaks).toEqual([]);
    expect(session.walked?.objects).toBeGreaterThan(200);
  });
});

/** Walks a plant after the candle of row 66. */
function walkPlant(create: Plant['create']): Reached {
  const candle = candleAt(ONE, 66);
  return walkFrom({ planted: create(ONE, candle), candle }, candle, ONE);
}

describe('the search for reachable future data', () => {
  it.each(PLANTS)('finds $name', ({ create }) => {
    const { leaks } = walkPlant(create);

    expect(leaks.length).toBeGreaterThan(0);
  });

  it('finds nothing in a closed candle', () => {
    expect(walkPlant((_market, candle) => ({ candle })).leaks).toEqual([]);
  });
});
