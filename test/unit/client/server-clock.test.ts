import { describe, expect, it } from 'vitest';

import { HOUR_MS, type Clock } from '../../../src/domain/index.js';
import { ServerClock, type ServerClockOptions } from '../../../src/client/clock/server-clock.js';
import { aLog } from '../../support/log.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

interface Trip {
  readonly thereMs: number;
  readonly backMs: number;
}

/** A server whose clock is `offsetMs` ahead of ours, reached over trips of the given lengths (the last one repeats). */
function aServer(offsetMs: number, trips: readonly Trip[] = [{ thereMs: 10, backMs: 10 }]) {
  const time = new VirtualTime();
  const log = aLog();
  const state = { offsetMs, asked: 0, fails: false };
  const askServer = async () => {
    const trip = trips[Math.min(state.asked, trips.length - 1)] ?? { thereMs: 0, backMs: 0 };
    state.asked += 1;
    if (state.fails) throw new Error('no route');
    const sentAt = time.now();
    time.jump(trip.thereMs);
    const serverTime = time.now() + state.offsetMs;
    time.jump(trip.backMs);
    await Promise.resolve();
    return { sentAt, serverTime, receivedAt: time.now() };
  };
  const make = (options: ServerClockOptions = {}, wall?: Clock) =>
    new ServerClock({ host: 'spot', clock: time, wall, log, askServer, options });
  return { time, log, state, make };
}

describe('ServerClock', () => {
  it('has no time before the first measurement', () => {
    expect(aServer(0).make().now()).toBeUndefined();
  });

  it.each([
    ['the clock of the machine that was set right after the start', HOUR_MS, HOUR_MS],
    ['the time of the process while the clock of the machine is set wrong', 0, HOUR_MS],
  ])('signs if the server agrees with %s', async (_what, offsetMs, wallMs) => {
    const { make, time } = aServer(offsetMs);
    const clock = make({}, { now: () => time.now() + wallMs });

    await clock.measure();

    expect(clock.timestamp()).toBe(time.now() + offsetMs);
  });

  it('does not sign if the server agrees with neither clock', async () => {
    const { make, time } = aServer(HOUR_MS);
    const clock = make({}, { now: () => time.now() - HOUR_MS });

    await clock.measure();

    expect(() => clock.timestamp()).toThrow('3600000 ms behind');
  });

  it('uses the middle of the round trip as the time of the server', async () => {
    const { make, time, state } = aServer(700, [{ thereMs: 40, backMs: 40 }]);
    const clock = make();

    await clock.measure();

    expect(clock.now()).toBe(time.now() + 700);
    expect(clock.reading).toMatchObject({ offsetMs: 700, uncertaintyMs: 40 });
    expect(state.asked).toBe(3);
  });

  it.each([
    ['there', { thereMs: 900, backMs: 10 }],
    ['back', { thereMs: 10, backMs: 900 }],
  ])('is not affected by a slow trip %s', async (_way, slow) => {
    const quick = { thereMs: 10, backMs: 10 };
    const { make } = aServer(0, [quick, slow, quick]);
    const clock = make();

    await clock.measure();

    expect(clock.reading?.offsetMs).toBe(0);
  });

  it('measures once for callers at the same moment', async () => {
    const { make, state } = aServer(0);
    const clock = make();

    await Promise.all([clock.measure(), clock.measure(), clock.measure()]);

    expect(state.asked).toBe(3);
  });

  it('refreshes in the background when the reading is old', async () => {
    const { make, time, state } = aServer(0);
    const clock = make({ refreshMs: 60_000 });
    await clock.measure();
    state.offsetMs = 40;

    for (let round = 0; round < 5; round += 1) {
      await time.advance(60_000);
      clock.now();
      await settle();
    }

    expect(state.asked).toBe(8);
    expect(clock.reading?.offsetMs).toBe(40);
  });

  it('accepts a jump at once', async () => {
    const { make, time, state } = aServer(0);
    const clock = make();
    await clock.measure();
    state.offsetMs = 9_000;

    await clock.refresh();

    expect(clock.now()).toBe(time.now() + 9_000);
  });

  it('warns above the alarm bound, and reports when the clocks agree again', async () => {
    const { make, state, log } = aServer(1_500);
    const clock = make({ alarmMs: 1_000 });

    await clock.measure();
    state.offsetMs = 0;
    await clock.measure();

    expect(log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'warn clock differs from the server',
      'info clock agrees with the server again',
    ]);
  });

  it('signs nothing above the bound, and recovers once the clock is set', async () => {
    const { make, time, state } = aServer(-3_600_000);
    const clock = make({ maxOffsetMs: 30_000 });
    await clock.measure();

    expect(() => clock.timestamp()).toThrow(
      "this machine's clock is 3600000 ms ahead of that of spot, and 30000 ms are allowed; set it",
    );
    state.offsetMs = 0;
    await time.advance(5_000);
    const asksForMeasurement = clock.timestamp();
    await clock.measure();

    expect(asksForMeasurement).toBeUndefined();
    expect(clock.timestamp()).toBe(time.now());
  });

  it('returns the time above the bound to readers', async () => {
    const { make, time } = aServer(-3_600_000);
    const clock = make({ maxOffsetMs: 30_000 });

    await clock.measure();

    expect(clock.now()).toBe(time.now() - 3_600_000);
  });

  it('has no time until it is measured again after our own clock was set back', async () => {
    const { make, time } = aServer(0);
    const clock = make();
    await clock.measure();

    time.jump(-3_600_000);

    expect(clock.now()).toBeUndefined();
    await settle();
    // Whoever asks for the time begins the measurement.
    expect(clock.now()).toBe(time.now());
  });

  it('does not return to what the server has refused when a refresh was under way', async () => {
    const { make, time, state } = aServer(0);
    const clock = make();
    await clock.measure();
    state.offsetMs = 9_000;

    const refreshing = clock.refresh();
    clock.distrust(time.now());
    await refreshing;

    expect(clock.now()).toBe(time.now() + 9_000);
  });

  it('repeats a failed refresh only after a while', async () => {
    const { make, time, state } = aServer(0);
    const clock = make({ refreshMs: 60_000 });
    await clock.measure();
    state.fails = true;
    await time.advance(60_000);

    for (let call = 0; call < 100; call += 1) {
      clock.now();
      await time.advance(100);
    }

    // In ten seconds it asks twice: at once, and after five seconds.
    expect(state.asked - 3).toBe(2);
  });

  it('keeps the old reading when a refresh fails, and logs it', async () => {
    const { make, state, log } = aServer(25);
    const clock = make();
    await clock.measure();
    state.fails = true;

    await clock.refresh();

    expect(clock.reading?.offsetMs).toBe(25);
    expect(log.lines).toEqual([
      {
        level: 'warn',
        fields: { host: 'spot', reason: 'no route' },
        message: 'server time not refreshed',
      },
    ]);
  });
});
