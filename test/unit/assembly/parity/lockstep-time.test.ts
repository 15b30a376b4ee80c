import { describe, expect, it } from 'vitest';
import { LockstepTime } from '../../../../src/assembly/parity/lockstep-time.js';
import { TransportTime } from '../../../../src/assembly/parity/transport-time.js';

describe('LockstepTime', () => {
  it('runs due timers phase by phase, and no others', () => {
    const time = new LockstepTime(0);
    const done: string[] = [];
    time.after('timers', 10, () => done.push('timer'));
    time.after('account', 10, () => done.push('account'));
    time.after('account', 11, () => done.push('later'));
    expect(time.nextDue()).toBe(10);
    time.moveTo(10);
    expect(time.fire('account')).toBe(true);
    expect(done).toEqual(['account']);
    expect(time.fire('account')).toBe(false);
    expect(time.fire('timers')).toBe(true);
    expect(done).toEqual(['account', 'timer']);
    expect(time.nextDue()).toBe(11);
  });

  it('runs a grid timer only at its multiples, once per instant', () => {
    const time = new LockstepTime(0);
    const seen: number[] = [];
    const cancel = time.every('account', 2_000, () => seen.push(time.now()));
    for (const instant of [1_999, 2_000, 2_200, 6_000]) {
      time.moveTo(instant);
      time.fire('account');
      time.fire('account');
    }
    expect(seen).toEqual([2_000, 6_000]);
    cancel();
    time.moveTo(8_000);
    expect(time.fire('account')).toBe(false);
  });

  it('does not run a timer that an earlier timer of the same instant canceled', () => {
    const time = new LockstepTime(0);
    const done: string[] = [];
    let cancel = (): void => undefined;
    time.after('timers', 1, () => {
      done.push('first');
      cancel();
    });
    cancel = time.after('timers', 1, () => done.push('second'));
    time.moveTo(1);
    time.fire('timers');
    expect(done).toEqual(['first']);
  });
});

describe('TransportTime', () => {
  it('jumps from timer to timer in time order, and does not move without a timer', () => {
    const time = new TransportTime(100);
    const done: number[] = [];
    time.after(50, () => done.push(time.now()));
    time.after(20, () => done.push(time.now()));
    expect(time.now()).toBe(100);
    expect(time.jump()).toBe(true);
    expect(time.jump()).toBe(true);
    expect(done).toEqual([120, 150]);
    expect(time.jump()).toBe(false);
  });

  it('is busy while calls are in flight', () => {
    const time = new TransportTime(0);
    time.onTraffic(1);
    time.onTraffic(1);
    time.onTraffic(-1);
    expect(time.isBusy).toBe(true);
    time.onTraffic(-1);
    expect(time.isBusy).toBe(false);
  });
});
