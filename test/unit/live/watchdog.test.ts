import { describe, expect, it } from 'vitest';
import { Watchdog, type WatchedStream } from '../../../src/live/bot/watchdog.js';
import { VirtualTime } from '../../support/virtual-time.js';

const HOUR = 3_600_000;

/** A watchdog over streams that a test feeds by hand, and its current report. */
function watched(
  everyMs: Readonly<Record<string, number>>,
  aheadMs = 0,
): {
  readonly time: VirtualTime;
  readonly watchdog: Watchdog;
  readonly reported: Map<string, string>;
  readonly bring: (name: string) => void;
  readonly forget: (name: string) => void;
} {
  const time = new VirtualTime();
  const streams = new Map<string, WatchedStream>(
    Object.entries(everyMs).map(([name, every]) => [
      name,
      { name, everyMs: every, lastData: undefined },
    ]),
  );
  const reported = new Map<string, string>();
  const dataClock = { now: () => time.now() + aheadMs };
  const watchdog = new Watchdog({
    ...{ time, dataClock },
    streams: () => [...streams.values()],
    listener: {
      degrade: (name, text) => void reported.set(name, text),
      recover: (name) => {
        expect(reported.delete(name)).toBe(true);
      },
    },
    staleAfterMs: 30_000,
    loopStallMs: 5_000,
  });
  watchdog.start();
  return {
    time,
    watchdog,
    reported,
    bring: (name) => {
      const stream = streams.get(name);
      if (stream !== undefined) streams.set(name, { ...stream, lastData: dataClock.now() });
    },
    forget: (name) => void streams.delete(name),
  };
}

describe('Watchdog', () => {
  it.each([-HOUR, HOUR])(
    'measures ages by the clock of the data, which is %i ms ahead',
    async (aheadMs) => {
      const { time, reported, bring } = watched({ ticker: 1_000, candles: 1_000 }, aheadMs);
      bring('ticker');

      await time.advance(31_000);
      expect([...reported.keys()]).toEqual([]);
      await time.advance(1_000);

      expect([...reported.keys()]).toEqual(['watchdog ticker', 'watchdog candles']);
    },
  );

  it('has a separate limit for each stream', async () => {
    const { time, reported, bring } = watched({ ticker: 1_000, candles: HOUR });
    bring('ticker');
    bring('candles');

    await time.advance(31_000);
    expect([...reported.keys()]).toEqual([]);
    await time.advance(1_000);
    expect([...reported.keys()]).toEqual(['watchdog ticker']);

    await time.advance(HOUR);
    expect([...reported.values()]).toEqual([
      'ticker brings nothing new, expected every 1.0 s',
      'candles brings nothing new, expected every 3600.0 s',
    ]);
  });

  it('reports a stream that never begins', async () => {
    const { time, reported } = watched({ ticker: 1_000 });

    await time.advance(32_000);

    expect([...reported.values()]).toEqual([
      'ticker has brought nothing yet, expected every 1.0 s',
    ]);
  });

  it('clears the report of each stream when its data come', async () => {
    const { time, reported, bring } = watched({ one: 1_000, other: 1_000 });
    await time.advance(40_000);
    expect(reported.size).toBe(2);

    bring('one');
    await time.advance(1_000);

    expect([...reported.keys()]).toEqual(['watchdog other']);
  });

  it('clears the report of a stream that is no longer watched', async () => {
    const { time, reported, forget } = watched({ ticker: 1_000 });
    await time.advance(40_000);

    forget('ticker');
    await time.advance(1_000);

    expect(reported.size).toBe(0);
  });

  it('reports a blocked event loop until the loop was on time for the stall limit', async () => {
    const { time, watchdog, reported } = watched({});
    await time.advance(10_000);
    expect(watchdog.takeWorstLagMs()).toBe(0);

    time.block(8_000);
    await time.advance(0);
    expect([...reported.values()]).toEqual(['event loop blocked for 7.0 s']);
    expect(watchdog.takeWorstLagMs()).toBe(7_000);
    await time.advance(4_000);
    expect(reported.size).toBe(1);
    await time.advance(1_000);

    expect(reported.size).toBe(0);
    expect(watchdog.takeWorstLagMs()).toBe(0);
  });

  it('tolerates a short delay of the process', async () => {
    const { time, watchdog, reported } = watched({});

    time.block(5_500);
    await time.advance(0);

    expect(reported.size).toBe(0);
    expect(watchdog.takeWorstLagMs()).toBe(4_500);
  });

  it('leaves no timer after its stop, also if its listener stops it', async () => {
    const time = new VirtualTime();
    const told: string[] = [];
    const watchdog = new Watchdog({
      time,
      streams: () => [{ name: 'ticker', everyMs: 1, lastData: undefined }],
      listener: {
        degrade: (name) => {
          told.push(name);
          watchdog.stop();
        },
        recover: () => undefined,
      },
      staleAfterMs: 1_000,
      loopStallMs: 5_000,
    });
    watchdog.start();
    watchdog.start();
    expect(time.pending).toBe(1);

    await time.advance(60_000);

    expect(told).toEqual(['watchdog ticker']);
    expect(time.pending).toBe(0);
  });
});
