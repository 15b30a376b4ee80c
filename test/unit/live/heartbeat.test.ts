import { describe, expect, it } from 'vitest';
import { SILENT_BOT_LOG, startHeartbeat, type LogHeartbeat } from '../../../src/live/index.js';
import { aStatus } from '../../support/live/fake-bot.js';
import { VirtualTime } from '../../support/virtual-time.js';

describe('startHeartbeat', () => {
  it('logs the age of the last event and of each stream at fixed intervals until it ends', async () => {
    const time = new VirtualTime(0);
    const beats: LogHeartbeat[] = [];
    let lag = 0;
    const end = startHeartbeat({
      time,
      log: { ...SILENT_BOT_LOG, heartbeat: (beat) => void beats.push(beat) },
      status: () =>
        aStatus({
          streams: [
            { name: 'ticker', state: 'live', lastData: 59_000 },
            { name: 'depth', state: 'stale', lastData: undefined },
          ],
        }),
      lastEvent: () => (time.now() < 100_000 ? undefined : 90_000),
      takeWorstLagMs: () => (lag += 5),
      everyMs: 60_000,
    });

    await time.advance(59_999);
    expect(beats).toEqual([]);
    await time.advance(60_001);
    end();
    await time.advance(600_000);

    expect(beats).toHaveLength(2);
    expect(beats[0]).toMatchObject({
      time: 60_000,
      state: 'running',
      lastEventAgeMs: undefined,
      loopLagMs: 5,
      streams: [
        { name: 'ticker', state: 'live', ageMs: 1_000 },
        { name: 'depth', state: 'stale', ageMs: undefined },
      ],
      events: 1_234,
      workingOrders: 1,
    });
    expect(beats[1]).toMatchObject({ time: 120_000, lastEventAgeMs: 30_000, loopLagMs: 10 });
    expect(time.pending).toBe(0);
  });
});
