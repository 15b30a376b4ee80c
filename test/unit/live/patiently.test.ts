import { describe, expect, it } from 'vitest';

import { ClockOffsetError } from '../../../src/client/index.js';
import {
  AuthError,
  DomainError,
  TransportError,
  WireFormatError,
} from '../../../src/domain/index.js';
import { GUARDED_PAUSE_MS, patiently } from '../../../src/live/index.js';
import { VirtualTime } from '../../support/virtual-time.js';

const BANNED = new AuthError('E_BANNED', 'banned');

/** Work that fails with each of the errors in turn, then succeeds. */
function failing(...errors: readonly Error[]) {
  const time = new VirtualTime();
  let calls = 0;
  const work = (): Promise<string> => {
    const error = errors[calls];
    calls += 1;
    return error === undefined ? Promise.resolve('done') : Promise.reject(error);
  };
  return { time, work, calls: () => calls };
}

describe('patiently', () => {
  it('retries after no answer, an answer that cannot be read, and a refused key', async () => {
    const { time, work } = failing(
      new TransportError('E_TIMEOUT', 'no answer'),
      new WireFormatError('E_WIRE_JSON', 'HTML'),
      new AuthError('E_AUTH', 'wrong key'),
    );
    const told: string[] = [];
    const doing = patiently(work, { time, onFailure: ({ code }) => told.push(code) });

    await time.drain();

    expect(await doing).toBe('done');
    expect(told).toEqual(['E_TIMEOUT', 'E_WIRE_JSON', 'E_AUTH']);
  });

  it('retries after a clock that was too far off, because clocks are set right', async () => {
    const { time, work } = failing(new ClockOffsetError('spot', 300_000, 30_000));
    const doing = patiently(work, { time });

    await time.drain();

    expect(await doing).toBe('done');
  });

  it('gives up after eight tries, and at once after a defect', async () => {
    const error = new AuthError('E_AUTH', 'wrong key');
    const often = failing(...Array.from({ length: 20 }, () => error));
    const doing = expect(patiently(often.work, { time: often.time })).rejects.toBe(error);
    await often.time.drain();
    await doing;
    const defect = failing(new DomainError('E_REQUEST', 'a field is wrong'));

    await expect(patiently(defect.work, { time: defect.time })).rejects.toThrow('a field');
    expect([often.calls(), defect.calls()]).toEqual([8, 1]);
  });

  it('pauses no longer than the limit for a bot that guards a position', async () => {
    const { time, work } = failing(
      ...Array.from({ length: 20 }, () => new TransportError('E_TIMEOUT', 'no answer')),
    );
    const began = time.now();
    const doing = patiently(work, { time, tries: 100, longestPauseMs: GUARDED_PAUSE_MS });

    await time.drain();

    expect(await doing).toBe('done');
    // Half a second, a second, and then two each time.
    expect(time.now() - began).toBe(500 + 1_000 + 18 * 2_000);
  });

  it('retries until a ban ends, however long it takes', async () => {
    const { time, work } = failing(...Array.from({ length: 100 }, () => BANNED));
    const doing = patiently(work, { time });

    await time.drain();

    expect(await doing).toBe('done');
  });

  it('rejects when it is aborted between two tries, and leaves no timer', async () => {
    const { time, work } = failing(BANNED, BANNED);
    const controller = new AbortController();
    const doing = patiently(work, { time, signal: controller.signal });
    const ended = expect(doing).rejects.toThrow('stopped');
    await time.advance(1_000);

    controller.abort(new Error('stopped'));

    await ended;
    expect(time.pending).toBe(0);
  });
});
