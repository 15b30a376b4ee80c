import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/domain/index.js';
import { SteadyClock } from '../../../../src/engine/time/steady-clock.js';

const START = Date.UTC(2025, 0, 1);

/** A machine that runs for a second at the start, and whose clocks a test moves. */
function aMachine() {
  const clocks = { wall: START, ticks: 1_000.4, uptime: 5_000 };
  const clock = new SteadyClock({
    wall: () => clocks.wall,
    ticks: () => clocks.ticks,
    uptime: () => clocks.uptime,
  });
  return {
    clock,
    set: (byMs: number): void => void (clocks.wall += byMs),
    run: (ms: number): void => {
      clocks.wall += ms;
      clocks.ticks += ms;
      clocks.uptime += ms;
    },
    /** Uptime is told in whole seconds. */
    sleep: (ms: number): void => {
      clocks.wall += ms;
      clocks.uptime = Math.floor((clocks.uptime + ms) / 1_000) * 1_000;
    },
  };
}

describe('SteadyClock', () => {
  it('begins with UTC, in whole milliseconds', () => {
    const { clock, run } = aMachine();
    const first = clock.now();

    run(10.3);

    expect([first, clock.now()]).toEqual([START, START + 10]);
  });

  it.each([
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
    ['forward by little', 1_500],
  ])('measures the same time if the clock of the machine is set %s', (_direction, byMs) => {
    const { clock, run, set } = aMachine();
    run(5_000);
    set(byMs);
    const atOnce = clock.now() - START;
    run(5_000);

    expect([atOnce, clock.now() - START]).toEqual([5_000, 10_000]);
  });

  it('counts the time for which the machine slept', () => {
    const { clock, run, sleep } = aMachine();
    run(5_000);
    sleep(HOUR_MS);

    expect(clock.now() - START).toBe(HOUR_MS + 5_000);
    run(1_000);
    expect(clock.now() - START).toBe(HOUR_MS + 6_000);
  });

  it('counts sleep, and not that the clock was set afterwards', () => {
    const { clock, run, set, sleep } = aMachine();
    sleep(HOUR_MS);
    clock.now();
    set(-HOUR_MS / 2);
    run(1_000);

    expect(clock.now() - START).toBe(HOUR_MS + 1_000);
  });

  it('does not take a slow drift of the clocks for sleep', () => {
    const { clock, run, set } = aMachine();
    for (let hour = 0; hour < 100; hour += 1) {
      set(180);
      run(HOUR_MS);
      clock.now();
    }

    expect(clock.now() - START).toBe(100 * HOUR_MS);
  });
});
