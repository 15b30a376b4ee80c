import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { replayBacktest } from '../../../src/assembly/index.js';
import { DAY_MS, MINUTE_MS, type FillRecord } from '../../../src/domain/index.js';
import {
  buildFigures,
  buildResult,
  describeResult,
  parseResult,
  writeResult,
  type RunRecord,
} from '../../../src/report/index.js';
import { randomRuns, type RandomRun } from '../../support/arbitraries/random-runs.js';
import { findBrokenFillLaws } from '../../support/fill-laws.js';
import {
  candlesOnly,
  endOfPast,
  historyOf,
  pastOf,
  truncate,
  withNoiseAfter,
  type Play,
} from '../../support/look-ahead.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { RandomTrader } from '../../support/strategies/random-trader.js';
import { replayRuns } from '../../support/runs.js';

const parameters = fc.record({
  warmup: fc.constantFrom(0, 0, 3),
  activity: fc.constantFrom(0.3, 0.6),
  money: fc.constantFrom(300, 5_000, 200_000),
});

const playOf =
  ({ config }: RandomRun): Play =>
  ({ candles }, journal) =>
    replayBacktest({
      config,
      archive: createMemoryArchive(candles),
      strategyClass: RandomTrader,
      sourceHash: 'random',
      journal,
    });

const play = (run: RandomRun): Promise<RunRecord> =>
  playOf(run)(candlesOnly(run.series), { append: () => undefined });

describe('a random strategy on any candles and terms', () => {
  it('leaves a residual of 0, breaks no law of fills, and gives the same bytes twice', async () => {
    let fills = 0;

    await fc.assert(
      fc.asyncProperty(randomRuns(parameters), async (run) => {
        const record = await play(run);
        const again = await play(run);

        expect(record.residual).toBe(0n);
        expect(findBrokenFillLaws(record, run)).toEqual([]);
        const result = buildResult(record);
        const text = writeResult(result);
        expect(writeResult(buildResult(again))).toBe(text);
        const figures = buildFigures(record);
        expect(describeResult(figures)).toEqual(describeResult(result));
        expect(figures.hash).toEqual(result.hash);
        expect(parseResult(text, 'random').fills).toHaveLength(record.fills.length);
        fills += record.fills.length;
      }),
      { numRuns: replayRuns() },
    );

    expect(fills).toBeGreaterThan(replayRuns());
  });

  it('gives the same bytes from blocks of a few candles as from memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomRuns(parameters),
        fc.integer({ min: 1, max: 12 }),
        async (run, blockRows) => {
          const blocks = await replayBacktest({
            config: run.config,
            archive: createMemoryArchive(run.series, { blockRows }),
            strategyClass: RandomTrader,
            sourceHash: 'random',
          });

          expect(writeResult(buildResult(blocks))).toBe(writeResult(buildResult(await play(run))));
        },
      ),
      { numRuns: replayRuns() },
    );
  });

  it('acts the same before a cut, whatever follows the cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomRuns(parameters),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer(),
        async (run, share, seed) => {
          const [times] = run.series.map(({ columns }) => columns.openTime);
          const [from, to] = [times?.at(0) ?? 0, times?.at(-1) ?? 0];
          const cut = Math.floor(from + share * (to - from));
          const market = candlesOnly(run.series);
          const end = endOfPast(market, cut);
          fc.pre(end !== undefined);
          const history = playOf(run);

          const whole = pastOf(await historyOf(history, market), end);
          const truncated = await historyOf(history, truncate(market, cut));
          const noisy = await historyOf(history, withNoiseAfter(market, cut, seed));

          expect(pastOf(truncated, end)).toEqual(whole);
          expect(pastOf(noisy, end)).toEqual(whole);
        },
      ),
      { numRuns: replayRuns() },
    );
  });
});

describe('the laws of fills', () => {
  type Doctor = (fill: FillRecord) => Partial<FillRecord>;

  /** The fill laws that a run breaks when its first taker fill is changed. */
  async function diagnose(doctor: Doctor): Promise<readonly string[]> {
    for (const run of fc.sample(randomRuns(parameters), { seed: 1, numRuns: 50 })) {
      const record = await play(run);
      const index = [...record.fills].findIndex(
        ({ record: { liquidity } }) => liquidity === 'taker',
      );
      const found = [...record.fills][index];
      const isLast = index === record.fills.length - 1;
      if (found === undefined || isLast || run.config.simulation.participation === 'off') continue;
      expect(findBrokenFillLaws(record, run)).toEqual([]);
      const doctored = { ...found, record: { ...found.record, ...doctor(found.record) } };
      return findBrokenFillLaws({ ...record, fills: [...record.fills].with(index, doctored) }, run);
    }
    throw new Error('no sample has two fills');
  }

  it.each<readonly [string, string, Doctor]>([
    [
      'a minute earlier',
      'before it arrived',
      ({ eventTime }) => ({ eventTime: eventTime - MINUTE_MS }),
    ],
    ['far from the candle', 'outside the candle', ({ price }) => ({ price: price * 2n })],
    [
      'as a maker',
      'a maker fill away from the limit',
      ({ price }) => ({ liquidity: 'maker', price: price + 1n }),
    ],
    [
      'a thousandfold',
      'more than its volume allows',
      ({ quantity }) => ({ quantity: quantity * 1_000n }),
    ],
    ['a thousandfold', 'filled too much', ({ quantity }) => ({ quantity: quantity * 1_000n })],
    ['a thousandfold', 'another quantity', ({ quantity }) => ({ quantity: quantity * 1_000n })],
    ['a thousandfold', 'overdrawn', ({ quantity }) => ({ quantity: quantity * 1_000n })],
    [
      'a year later',
      'stands after a later fill',
      ({ eventTime }) => ({ eventTime: eventTime + 365 * DAY_MS }),
    ],
  ])('detect a fill recorded %s: %s', async (_how, flaw, doctor) => {
    const flaws = await diagnose(doctor);

    expect(flaws.join('\n')).toContain(flaw);
  });
});
