import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ReplayOptions } from '../../../../src/assembly/index.js';
import { CandleFeed } from '../../../../src/assembly/replay/candle-feed.js';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  nominalIntervalMs,
  type CandleSeries,
  type InstrumentId,
} from '../../../../src/domain/index.js';
import { playReplay, randomReplays } from '../../../support/replays/random-replays.js';
import { replayRuns } from '../../../support/runs.js';

/** A request to the feed, and how many slices of its batch the replay passes. */
interface Ask {
  readonly untilMs: number;
  readonly most: number;
  readonly passed: number;
  readonly hearsMarks: boolean;
}

/** Candles that close together: the rows of their cursors, and their closes. */
interface Slice {
  readonly time: number;
  readonly rows: readonly string[];
}

const asks = fc.array(
  fc.record({
    untilMs: fc.constantFrom(0, MINUTE_MS, 7 * MINUTE_MS, HOUR_MS, 48 * HOUR_MS),
    most: fc.constantFrom(1, 3, 300, 300),
    passed: fc.constantFrom(1, 2, 300, 300, 300),
    hearsMarks: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Every slice of the run, merged by hand. */
function listSlices({ cursors, dataDelayMs }: ReplayOptions): readonly Slice[] {
  const slices = new Map<number, string[]>();
  cursors.forEach((cursor, place) => {
    for (let { row } = cursor; row < cursor.end; row += 1) {
      const time = cursor.closeTimeAt(row) + dataDelayMs;
      const rows = slices.get(time) ?? [];
      rows.push(`${String(place)}: ${String(row)} ${String(cursor.rows.close(row))}`);
      slices.set(time, rows);
    }
  });
  return Array.from(slices, ([time, rows]) => ({ time, rows })).sort((a, b) => a.time - b.time);
}

/** The last mark that is known at a time. NaN if none is. */
function markAt({ interval, columns }: CandleSeries, time: number): number {
  const length = nominalIntervalMs(interval);
  const ended = columns.openTime.filter((openTime) => openTime + length <= time).length;
  return columns.close[ended - 1] ?? Number.NaN;
}

/** Takes all batches of a run. Checks that each batch holds the next slices, ends in time, and gives the right marks. */
function takeBatches(
  options: ReplayOptions,
  marks: readonly CandleSeries[],
  asked: readonly Ask[],
): number {
  const { engine, cursors, dataDelayMs } = options;
  const account = (id: InstrumentId): { markNumber: number } => engine.portfolio.instrument(id);
  const slices = listSlices(options);
  const equity = { isRecording: true, nextDayEnd: 0, onBatch: () => undefined };
  const feed = new CandleFeed({ ...options, equity });
  let longest = 0;
  for (let at = 0, round = 0; at < slices.length; round += 1) {
    const ask = asked[round % asked.length] as Ask;
    const time = feed.nextTime();
    const until = time + ask.untilMs;
    equity.nextDayEnd = Math.ceil(time / DAY_MS) * DAY_MS;
    if (ask.hearsMarks)
      for (const { instrumentId, price } of feed.takeMarks() ?? [])
        account(instrumentId).markNumber = price;
    const batch = feed.begin(until, ask.most);
    const { streams, count, stepMs } = batch;
    const last = time + (count - 1) * stepMs;
    expect(count).toBeLessThanOrEqual(ask.most);
    expect(last).toBeLessThanOrEqual(Math.max(time, Math.min(until, equity.nextDayEnd)));
    batch.passed = Math.min(count, ask.passed);
    for (let index = 0; index < batch.passed; index += 1) {
      const rows = streams.map(({ route, first, closes, firstClose }) => {
        const place = cursors.findIndex(
          ({ instrumentId, interval }) =>
            instrumentId === route.stream.instrumentId && interval === route.stream.interval,
        );
        return `${String(place)}: ${String(first + index)} ${String(closes[firstClose + index])}`;
      });
      expect({ time: time + index * stepMs, rows }).toEqual(slices[at + index]);
      for (const { route, marks: shown, firstMark } of streams)
        if (shown !== undefined) route.account.markNumber = shown[firstMark + index] as number;
      for (const series of marks)
        expect(account(series.instrumentId).markNumber).toBe(
          markAt(series, time + index * stepMs - dataDelayMs),
        );
    }
    longest = Math.max(longest, batch.passed);
    feed.end();
    at += batch.passed;
  }
  expect(feed.nextTime()).toBe(Number.POSITIVE_INFINITY);
  return longest;
}

class Taken extends Error {}

describe('CandleFeed', () => {
  it('returns batches without another close, mark, gap or day end inside them', async () => {
    let long = 0;

    await fc.assert(
      fc.asyncProperty(randomReplays(), asks, async (replay, asked) => {
        const played = playReplay(replay, {
          createReplay: (options) => {
            if (takeBatches(options, replay.run.market.marks, asked) > 10) long += 1;
            throw new Taken();
          },
        });

        await expect(played).rejects.toThrow(Taken);
      }),
      { numRuns: replayRuns() },
    );

    expect(long).toBeGreaterThan(replayRuns() / 10);
  });
});
