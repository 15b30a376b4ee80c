import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { LockstepTime } from '../../../src/assembly/parity/lockstep-time.js';
import {
  SECOND_MS,
  TransportError,
  type InstrumentId,
  type TradingError,
} from '../../../src/domain/index.js';
import type { StopWatch } from '../../../src/engine/index.js';
import { Activity } from '../../../src/live/bot/activity.js';
import { StopSamples } from '../../../src/live/stops/stop-samples.js';

const SPOT = 'spot:BTCUSDT' as InstrumentId;
const CONTRACT = 'futures:E-BTC-USDT' as InstrumentId;

function aWatch(instrumentId: InstrumentId): StopWatch {
  return {
    instrumentId,
    direction: 'long',
    level: 1n,
    quantity: 1n,
    trail: undefined,
    best: 0n,
    guardNumber: 1,
  };
}

/** Samples on a time that stops at every second, like a session in lockstep with its venue. */
function samples(...watched: readonly InstrumentId[]) {
  const start = Date.UTC(2025, 0, 1);
  const time = new LockstepTime(start);
  const told: string[] = [];
  const states: (string | undefined)[] = [];
  const failing = new Set<InstrumentId>();
  /** Instruments whose price gets no answer until the function is called. */
  const hanging = new Map<InstrumentId, () => void>();
  const watches = watched.map(aWatch);
  /** How long after its instant a grid is served, as by the timers of a process. */
  const late = { ms: 0 };
  const sampler = new StopSamples({
    feed: {
      readTicker: async (instrumentId, options) => {
        if (hanging.has(instrumentId))
          await new Promise<void>((resolve) => hanging.set(instrumentId, resolve));
        if (failing.has(instrumentId)) throw new TransportError('E_HTTP', `no ${instrumentId}`);
        told.push(`+${String(time.now() - start)} since +${String(options.since - start)}`);
        return {
          instrumentId,
          last: 5n,
          open: 5n,
          high: 5n,
          low: 5n,
          volume: 0n,
          change: 0n,
          bestBid: 5n,
          bestAsk: 5n,
          time: time.now(),
        };
      },
    },
    time: {
      now: () => time.now() + late.ms,
      after: (...timer) => time.after(...timer),
      every: (...grid) => time.every(...grid),
    },
    activity: new Activity(),
    signal: new AbortController().signal,
    watches: () => watches,
    stopGrids: new Map([
      [SPOT, SECOND_MS],
      [CONTRACT, 2 * SECOND_MS],
    ]),
    onLast: (instrumentId) => told.push(instrumentId),
    onState: (error: TradingError | undefined) => states.push(error?.message),
    onFailure: (error) => {
      throw error;
    },
  });
  sampler.start();
  const passSeconds = async (count: number): Promise<void> => {
    for (let second = 0; second < count; second += 1) {
      time.moveTo(time.now() + SECOND_MS);
      time.fire('samples');
      await settled();
    }
  };
  return { sampler, start, late, passSeconds, told, states, failing, hanging, watches };
}

describe('StopSamples', () => {
  it('samples each instrument on its own grid, and instruments of one instant in config order', async () => {
    const { passSeconds, told } = samples(CONTRACT, SPOT);

    await passSeconds(2);

    expect(told).toEqual([
      '+1000 since +1000',
      SPOT,
      '+2000 since +2000',
      '+2000 since +2000',
      SPOT,
      CONTRACT,
    ]);
  });

  it('takes a sample of its grid that another bot has read already', async () => {
    const { passSeconds, told, late } = samples(CONTRACT, SPOT);
    late.ms = 30;

    await passSeconds(2);

    expect(told.filter((line) => line.includes('since'))).toEqual([
      '+1000 since +1000',
      '+2000 since +2000',
      '+2000 since +2000',
    ]);
  });

  it('says when it sampled last, and how long after the sample before', async () => {
    const { sampler, start, passSeconds, failing } = samples(SPOT);
    expect(sampler.sampling).toMatchObject([{ at: undefined, latelyMs: undefined }]);

    await passSeconds(1);
    expect(sampler.sampling).toMatchObject([{ at: start + 1_000, latelyMs: undefined }]);
    failing.add(SPOT);
    await passSeconds(2);
    expect(sampler.sampling).toMatchObject([{ at: start + 1_000, latelyMs: undefined }]);
    failing.clear();
    await passSeconds(1);

    expect(sampler.sampling).toEqual([
      { instrumentId: SPOT, by: 'last', at: start + 4_000, everyMs: 1_000, latelyMs: 3_000 },
    ]);
  });

  it('stays failed while one of the grids fails', async () => {
    const { passSeconds, states, failing } = samples(CONTRACT, SPOT);
    failing.add(CONTRACT);

    await passSeconds(3);
    expect(states).toEqual([undefined, `no ${CONTRACT}`, `no ${CONTRACT}`]);

    failing.clear();
    await passSeconds(1);
    expect(states.at(-1)).toBeUndefined();
  });

  it('samples the other instruments of an instant if one cannot be read', async () => {
    const { passSeconds, told, states, failing } = samples(CONTRACT, SPOT);
    failing.add(CONTRACT);

    await passSeconds(2);

    // Both are due at the second instant.
    expect(told.filter((line) => line === SPOT)).toHaveLength(2);
    expect(told).not.toContain(CONTRACT);
    expect(states.at(-1)).toBe(`no ${CONTRACT}`);
  });

  it('clears its failure when no instrument is watched', async () => {
    const { passSeconds, states, failing, watches } = samples(CONTRACT);
    failing.add(CONTRACT);
    await passSeconds(2);
    expect(states).toEqual([`no ${CONTRACT}`]);

    watches.splice(0);
    await passSeconds(2);

    expect(states).toEqual([`no ${CONTRACT}`, undefined]);
  });

  it('reports after 3 s that a price has no answer, and continues to sample the others', async () => {
    const { passSeconds, told, states, hanging } = samples(CONTRACT, SPOT);
    hanging.set(CONTRACT, () => undefined);

    await passSeconds(4);
    expect(states).toEqual([undefined]);
    await passSeconds(6);

    expect(states.at(-1)).toContain(`${CONTRACT} has had no answer for 3.0 s`);
    // At second 1 and at seconds 5 to 10. From second 2 to 4 its sample waited for the other instrument.
    expect(told.filter((line) => line === SPOT)).toHaveLength(7);
    hanging.get(CONTRACT)?.();
    hanging.delete(CONTRACT);
    await passSeconds(2);
    expect(told.filter((line) => line === CONTRACT)).toHaveLength(2);
    expect(states.at(-1)).toBeUndefined();
  });
});
