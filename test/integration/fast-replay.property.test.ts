import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ReplayWay } from '../../src/assembly/index.js';
import { StrategyError } from '../../src/domain/index.js';
import { buildResult, writeResult, type RunRecord } from '../../src/report/index.js';
import { MemoryJournal, type JournalEntry } from '../../src/engine/index.js';
import { playReplay, randomReplays, type RandomReplay } from '../support/random-replays.js';
import { FailingTrader } from '../support/random-strategies.js';
import { differentialRuns, replayRuns } from '../support/runs.js';

interface Played {
  readonly record: RunRecord;
  readonly text: string;
  readonly entries: readonly JournalEntry[];
  /** What the strategy wrote down. */
  readonly lines: readonly unknown[];
}

async function play(replay: RandomReplay, way: ReplayWay): Promise<Played> {
  const journal = new MemoryJournal();
  const lines: unknown[] = [];
  const write = (...line: readonly unknown[]): void => void lines.push(line);
  const log = { debug: write, info: write, warn: write };
  const record = await playReplay(replay, { way, journal, log });
  return { record, text: writeResult(buildResult(record)), entries: journal.entries, lines };
}

/** Where a candle closes as a day ends, both curves say the same. */
function expectAgreeingCurves(record: RunRecord): void {
  if (record.candleEquity === undefined) return;
  const candles = new Map(buildResult(record, { curve: 'candle' }).equityCurve);
  for (const [time, equity] of buildResult(record).equityCurve)
    expect(candles.get(time) ?? equity).toBe(equity);
}

describe('the fast way through a replay', () => {
  it('gives the bytes of the plain way, on any strategy, candles and terms', async () => {
    let runs = 0;
    let withFills = 0;
    let fills = 0;

    await fc.assert(
      fc.asyncProperty(randomReplays(), async (replay) => {
        const fast = await play(replay, 'fast');
        const plain = await play(replay, 'plain');
        // Where nobody keeps the events, slices pass without any.
        const eventless = await playReplay(replay, { way: 'fast' });

        expect(fast.text).toBe(plain.text);
        expect(fast.entries).toEqual(plain.entries);
        expect(fast.lines).toEqual(plain.lines);
        expect(fast.record).toEqual(plain.record);
        expect(writeResult(buildResult(eventless))).toBe(plain.text);
        expect(eventless).toEqual(plain.record);
        expectAgreeingCurves(plain.record);
        runs += 1;
        fills += plain.record.fills.length;
        if (plain.record.fills.length > 0) withFills += 1;
      }),
      { numRuns: differentialRuns() },
    );

    console.info(
      `${String(runs)} random runs both ways, ${String(fills)} fills; with fills ${((100 * withFills) / runs).toFixed(1)} %`,
    );
    expect(runs).toBeGreaterThanOrEqual(differentialRuns());
    expect(withFills / runs).toBeGreaterThanOrEqual(0.9);
  });

  it('fails as the plain way does, at the same event', async () => {
    let failures = 0;

    await fc.assert(
      fc.asyncProperty(
        randomReplays({ minLength: 40, maxLength: 80 }, [FailingTrader]),
        async (replay) => {
          const failed = async (way: ReplayWay): Promise<unknown> =>
            playReplay(replay, { way }).then(
              () => 'none',
              (error: unknown) => error,
            );

          const [fast, plain] = [await failed('fast'), await failed('plain')];

          expect(fast).toEqual(plain);
          expect(String(fast)).toBe(String(plain));
          if (plain instanceof StrategyError) failures += 1;
        },
      ),
      { numRuns: replayRuns() / 2 },
    );

    expect(failures).toBeGreaterThan(replayRuns() / 4);
  });
});
