import { describe, expect, it } from 'vitest';
import { verifyClock, type SessionConfig } from '../../../../src/assembly/index.js';
import { rejectionOf } from '../../../support/failure.js';

/** A machine whose waits end at once, and a venue whose clock is `serverAt` of the machine's clock. */
async function verify(serverAt: (now: number) => number): Promise<number> {
  let now = 1_000_000;
  const machine = {
    now: () => now,
    after: (delayMs: number, action: () => void) => {
      now += delayMs;
      action();
      return () => undefined;
    },
  };
  let measured = 0;
  const clock = {
    key: 'venue.spotUrl',
    now: () => Promise.resolve(now),
    measure: () => {
      measured += 1;
      now += 10;
      return Promise.resolve({
        offsetMs: serverAt(now - 5) - (now - 5),
        uncertaintyMs: 5,
        measuredAt: now,
      });
    },
  };
  const config = { name: 'a', instruments: [{ kind: 'spot' }] } as unknown as SessionConfig;
  await verifyClock(config, { clock }, machine);
  return measured;
}

describe('verifyClock', () => {
  it.each([
    { what: 'is right', serverAt: (now: number) => now, looks: 2 },
    { what: 'is an hour off', serverAt: (now: number) => now + 3_600_000, looks: 2 },
    { what: 'drifts', serverAt: (now: number) => now * 1.001, looks: 2 },
    {
      what: 'is set while it is looked at',
      serverAt: (now: number) => (now < 1_000_200 ? now : now + 60_000),
      looks: 3,
    },
  ])('accepts a clock that $what', async ({ serverAt, looks }) => {
    expect(await verify(serverAt)).toBe(looks);
  });

  it.each([
    { received: 'a clock that runs 60 times as fast', serverAt: (now: number) => now * 60 },
    { received: 'a clock that runs 2 times as fast', serverAt: (now: number) => now * 2 },
    { received: 'a clock that stands still', serverAt: () => 1_000_000 },
  ])('refuses $received', async ({ received, serverAt }) => {
    const failure = await rejectionOf(verify(serverAt));

    expect(failure).toMatchObject({
      code: 'E_VENUE_CLOCK',
      message: `a venue.spotUrl: expected a venue whose clock runs as fast as this machine's: a bot's timers, polls and limits follow it, received ${received}; start the exchange with --clock realtime; for long periods use "parity" or "backtest" (E_VENUE_CLOCK)`,
    });
  });
});
