import { describe, expect, it } from 'vitest';

import {
  columnsOfCandles,
  MINUTE_MS,
  type Candle,
  type CandleColumns,
  type InstrumentId,
  type VenueInterval,
} from '../../../src/domain/index.js';
import {
  loadWarmup,
  pagedCandles,
  storedCandles,
  type LoadedWarmup,
  type OlderCandles,
} from '../../../src/feed/index.js';
import type { CandleOptions, MarketDataCapabilities } from '../../../src/venue/index.js';
import { BTC, candleAt, FakeMarket } from '../../support/feed/fake-market.js';
import { VirtualTime } from '../../support/virtual-time.js';

/** Ten seconds into a minute: the venue serves 299 closed candles. */
const NOW = Date.UTC(2025, 0, 1, 12, 0, 10);
const OPEN = Date.UTC(2025, 0, 1, 12);

/** Stored candles that opened from `from` to `to` minutes ago, without the last one. */
function stored(
  from: number,
  to: number,
  alter: (candle: Candle) => Candle = (c) => c,
): CandleColumns {
  const candles = Array.from({ length: from - to }, (_, index) =>
    alter(candleAt(OPEN - (from - index) * MINUTE_MS)),
  );
  return columnsOfCandles(candles);
}

const SERIES = { instrumentId: BTC, interval: '1min' } as const;

interface Given {
  /** Sources of older candles. */
  readonly older?: readonly OlderCandles[];
  readonly least?: number;
  readonly wantsAllTold?: boolean;
  readonly until?: number;
}

function load(candles: number, given: Given = {}): Promise<LoadedWarmup> {
  return loadWarmup({
    source: new FakeMarket(new VirtualTime(NOW)),
    older: [],
    ...SERIES,
    candles,
    until: NOW,
    signal: new AbortController().signal,
    ...given,
  });
}

function archive(columns: CandleColumns): OlderCandles {
  return storedCandles({ read: () => Promise.resolve(columns) }, SERIES);
}

/** Candles that the bot received, from `from` to `to` minutes ago. */
function told(from: number, to: number, alter?: (candle: Candle) => Candle): OlderCandles {
  const candles = Array.from({ length: from - to }, (_, index) =>
    (alter ?? ((candle) => candle))(candleAt(OPEN - (from - index) * MINUTE_MS)),
  );
  return { name: 'the journal', isOwn: true, read: () => Promise.resolve(candles) };
}

function opens(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => OPEN - (count - index) * MINUTE_MS);
}

function revised(minutesAgo: number): (candle: Candle) => Candle {
  return (candle) =>
    candle.openTime === OPEN - minutesAgo * MINUTE_MS ? { ...candle, volume: 3 } : candle;
}

describe('loadWarmup', () => {
  it.each([0, 1, 30, 299])('loads %i candles from the venue alone', async (candles) => {
    const loaded = await load(candles);

    expect(loaded.candles).toHaveLength(candles);
    if (candles > 0) expect(loaded.candles.at(-1)).toStrictEqual(candleAt(OPEN - MINUTE_MS));
  });

  it('accepts fewer candles than wanted if the venue has the least number', async () => {
    const loaded = await load(2_000, { least: 200 });

    expect(loaded.candles).toHaveLength(299);
    expect(loaded.candles.at(-1)).toStrictEqual(candleAt(OPEN - MINUTE_MS));
  });

  it('leaves a candle that closes after the start to the run', async () => {
    const loaded = await load(30, { until: OPEN - MINUTE_MS });

    expect(loaded.candles.at(-1)).toStrictEqual(candleAt(OPEN - 2 * MINUTE_MS));
  });

  it.each([2, 7, 40])(
    'loads all candles if rate limits delay the read to %i minutes after the start',
    async (minutes) => {
      const until = OPEN - minutes * MINUTE_MS;

      const loaded = await load(30, { until });

      expect(loaded.candles).toHaveLength(30);
      expect(loaded.candles.at(-1)).toStrictEqual(candleAt(until - MINUTE_MS));
    },
  );

  it.each([
    ['stored candles', [archive(stored(1_500, 200))]],
    ['what the bot was told', [told(1_500, 200)]],
    [
      'what the bot was told, which a stored series links to the venue',
      [told(1_500, 600), archive(stored(700, 200))],
    ],
  ])('joins more candles than the venue has with %s, without a gap', async (_what, older) => {
    const { candles, warnings } = await load(1_000, { older });

    expect(candles.map(({ openTime }) => openTime)).toEqual(opens(1_000));
    expect(candles).toEqual(candles.map(({ openTime }) => candleAt(openTime)));
    expect(warnings).toEqual([]);
  });

  it('prefers candles of the journal to the archive, also if the venue has revised one since', async () => {
    const isRead: boolean[] = [];
    const { candles } = await load(1_000, {
      older: [
        told(1_500, 100, revised(250)),
        { name: 'the archive', isOwn: false, read: () => (isRead.push(true), Promise.resolve([])) },
      ],
    });

    expect(candles.map(({ openTime }) => openTime)).toEqual(opens(1_000));
    expect(isRead).toEqual([]);
  });

  it('begins with the first candle of the journal if an indicator never forgets', async () => {
    const older = [told(5_000, 200)];
    const { candles, hasAllTold } = await load(30, { older, wantsAllTold: true });
    const short = await load(30, { older: [told(100, 50)], wantsAllTold: true });
    const without = await load(30, { older: [told(1_500, 700)], wantsAllTold: true });

    expect({ count: candles.length, hasAllTold }).toEqual({ count: 5_000, hasAllTold: true });
    expect(short.candles.map(({ openTime }) => openTime)).toEqual(opens(100));
    expect({ count: without.candles.length, all: without.hasAllTold }).toEqual({
      count: 30,
      all: false,
    });
  });

  it.each([
    ['ends before the venue begins', stored(1_500, 300)],
    ['has another candle', stored(1_500, 200, revised(250))],
  ])('leaves out an archive that %s if it is not needed, and warns', async (_what, columns) => {
    const { candles, warnings } = await load(1_000, { older: [archive(columns)], least: 200 });

    expect(candles).toHaveLength(299);
    expect(warnings).toEqual([expect.stringContaining('the archive')]);
  });

  it.each([
    ['there is no archive', [], 'E_WARMUP_SHORT'],
    ['the archive holds too few', [archive(stored(400, 200))], 'E_WARMUP_SHORT'],
    ['the archive ends before the venue begins', [archive(stored(1_500, 300))], 'E_WARMUP_JOIN'],
    [
      'a common candle of the archive differs',
      [archive(stored(1_500, 200, revised(250)))],
      'E_WARMUP_JOIN',
    ],
  ])('rejects when %s', async (_what, older, code) => {
    await expect(load(1_000, { older })).rejects.toMatchObject({
      code,
      message: expect.stringContaining('evenkeel data') as string,
    });
  });

  it('reads page by page from a venue that honors start times', async () => {
    const calls: CandleOptions[] = [];
    const source = {
      capabilities: { klinesHaveStartTime: true } as MarketDataCapabilities,
      candles: (_id: InstrumentId, _interval: VenueInterval, options: CandleOptions) => {
        calls.push(options);
        const { from = 0, to = 0 } = options;
        const count = (to - from) / MINUTE_MS;
        return Promise.resolve(
          Array.from({ length: count }, (_, index) => ({
            ...candleAt(from + index * MINUTE_MS),
            closed: true,
          })),
        );
      },
    };
    const { signal } = new AbortController();
    const { candles } = await load(1_000, { older: [pagedCandles(source, { ...SERIES, signal })] });

    expect(candles.map(({ openTime }) => openTime)).toEqual(opens(1_000));
    expect(calls.every(({ limit }) => limit === 300)).toBe(true);
    expect(calls).toHaveLength(3);
  });

  it('ignores pages of a venue that does not honor start times', async () => {
    const newest = opens(299).map((openTime) => ({ ...candleAt(openTime), closed: true }));
    const source = {
      capabilities: { klinesHaveStartTime: true } as MarketDataCapabilities,
      candles: () => Promise.resolve(newest),
    };
    const { signal } = new AbortController();
    const { candles } = await load(1_000, {
      older: [pagedCandles(source, { ...SERIES, signal })],
      least: 200,
    });

    expect(candles).toHaveLength(299);
  });
});
