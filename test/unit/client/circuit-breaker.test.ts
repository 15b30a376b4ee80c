import { describe, expect, it } from 'vitest';

import { CircuitBreaker } from '../../../src/client/calls/circuit-breaker.js';
import { VirtualTime } from '../../support/virtual-time.js';

function anOpenBreaker(time: VirtualTime): CircuitBreaker {
  const breaker = new CircuitBreaker(time, { failures: 3, restMs: 1_000, maxRestMs: 4_000 });
  for (let failure = 0; failure < 3; failure += 1) breaker.failed();
  return breaker;
}

function enter(breaker: CircuitBreaker, isUrgent = false): string {
  try {
    breaker.enter('host', isUrgent);
    return 'passes';
  } catch (error: unknown) {
    return String(error);
  }
}

describe('CircuitBreaker', () => {
  it('stays closed if a success interrupts the failures', () => {
    const breaker = new CircuitBreaker(new VirtualTime(), { failures: 3 });

    for (let round = 0; round < 10; round += 1) {
      breaker.failed();
      breaker.failed();
      breaker.succeeded();
    }

    expect(enter(breaker)).toBe('passes');
  });

  it('opens at the given number of failures, and reports the time of the next try', () => {
    const breaker = anOpenBreaker(new VirtualTime());

    expect(breaker.isOpen).toBe(true);
    expect(enter(breaker)).toContain(
      'host failed 3 times in a row; nothing was sent, next try in 1000 ms',
    );
  });

  it('lets urgent calls pass', () => {
    expect(enter(anOpenBreaker(new VirtualTime()), true)).toBe('passes');
  });

  it('lets one call probe after the rest, and closes when it is answered', async () => {
    const time = new VirtualTime();
    const breaker = anOpenBreaker(time);
    await time.advance(1_000);

    const probes = [enter(breaker), enter(breaker)];
    breaker.succeeded();

    expect(probes[0]).toBe('passes');
    expect(probes[1]).toContain('a first call is on its way');
    expect(enter(breaker)).toBe('passes');
  });

  it('doubles the rest after each failed try, up to its maximum', async () => {
    const time = new VirtualTime();
    const breaker = anOpenBreaker(time);
    const rests: number[] = [];

    for (const restMs of [1_000, 2_000, 4_000, 4_000]) {
      await time.advance(restMs - 1);
      const early = enter(breaker);
      await time.advance(1);
      const probe = breaker.enter('host', false);
      if (early !== 'passes') rests.push(restMs);
      breaker.failed(probe);
    }

    expect(rests).toEqual([1_000, 2_000, 4_000, 4_000]);
  });

  it('lets another call probe if the first was abandoned', async () => {
    const time = new VirtualTime();
    const breaker = anOpenBreaker(time);
    await time.advance(1_000);
    const probe = breaker.enter('host', false);

    breaker.left(probe);

    expect(enter(breaker)).toBe('passes');
  });

  it.each(['left', 'failed'] as const)(
    'lets no second call probe when an urgent one has %s',
    async (end) => {
      const time = new VirtualTime();
      const breaker = anOpenBreaker(time);
      await time.advance(1_000);
      const probe = breaker.enter('host', false);
      const urgent = breaker.enter('host', true);

      breaker[end](urgent);

      expect(enter(breaker)).toContain('a first call is on its way');
      breaker.failed(probe);
      expect(enter(breaker)).toContain('next try in 2000 ms');
    },
  );

  it('does not stay open because the clock was set back', () => {
    const time = new VirtualTime();
    const breaker = anOpenBreaker(time);

    time.jump(-3_600_000);

    expect(enter(breaker)).toBe('passes');
  });

  it('lets another call probe if the first has no answer within a rest', async () => {
    const time = new VirtualTime();
    const breaker = anOpenBreaker(time);
    await time.advance(1_000);

    const first = enter(breaker);
    await time.advance(999);
    const early = enter(breaker);
    await time.advance(1);

    expect([first, enter(breaker)]).toEqual(['passes', 'passes']);
    expect(early).toContain('a first call is on its way');
  });

  it('rests for two seconds at most by default', async () => {
    const time = new VirtualTime();
    const breaker = new CircuitBreaker(time);
    for (let failure = 0; failure < 30; failure += 1) {
      await time.advance(2_000);
      breaker.failed(breaker.enter('host', false));
    }

    await time.advance(2_000);

    expect(enter(breaker)).toBe('passes');
  });
});
