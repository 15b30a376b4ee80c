import { describe, expect, it } from 'vitest';

import { CallQueue } from '../../../src/client/calls/call-queue.js';
import { RateLimitPolicy, type CallPriority } from '../../../src/venue/index.js';
import { VirtualTime } from '../../support/virtual-time.js';

const NEVER = new AbortController().signal;

function aQueue({ travelMs = 0, maxWaiting = 1_000 } = {}) {
  const time = new VirtualTime(0);
  const policy = new RateLimitPolicy({
    rules: [{ id: 'futures', limit: 2, windowMs: 1_000 }],
    travelMs,
  });
  const queue = new CallQueue({ policy, clock: time, timers: time, maxWaiting });
  const sent: string[] = [];
  const enter = async (name: string, priority: CallPriority = 'entry', signal = NEVER) => {
    const ticket = await queue.enter({ ruleId: 'futures', principal: 'p', priority }, signal);
    sent.push(`${String(time.now())} ${name}`);
    return ticket;
  };
  return { time, queue, sent, enter };
}

describe('CallQueue', () => {
  it('sends calls when the limit allows, the most urgent first', async () => {
    const { time, sent, enter } = aQueue();
    const calls = [enter('a'), enter('b'), enter('poll', 'market-data'), enter('cancel', 'exit')];

    await time.drain();
    await Promise.all(calls);

    expect(sent).toEqual(['0 a', '0 b', '1000 cancel', '1000 poll']);
  });

  it('frees a share of the budget one window and a millisecond after the answer', async () => {
    const { time, queue, sent, enter } = aQueue({ travelMs: 10_000 });
    const first = await enter('a');
    await enter('b');
    const third = enter('c');
    await time.advance(300);

    queue.settle(first);
    await time.advance(2_000);
    await third;

    // Answered at 300, so counted at 301 at the latest: free at 301 + 1000.
    expect(sent).toEqual(['0 a', '0 b', '1301 c']);
  });

  it('reports the used budgets without waiting calls', async () => {
    const { time, queue, enter } = aQueue();
    const calls = ['a', 'b', 'c'].map((name) => enter(name));

    const full = queue.uses('p');
    await time.drain();
    await Promise.all(calls);
    const later = queue.uses('p');

    expect(full).toMatchObject([{ rule: { id: 'futures', limit: 2 }, used: 2 }]);
    expect(later.map(({ used }) => used)).toEqual([1]);
  });

  it('forgets a call that was aborted while it waited', async () => {
    const { time, sent, enter } = aQueue();
    const controller = new AbortController();
    await enter('a');
    await enter('b');
    const aborted = enter('c', 'entry', controller.signal);
    const last = enter('d');

    controller.abort(new Error('stopped'));

    await expect(aborted).rejects.toThrow('stopped');
    await time.drain();
    await last;
    expect(sent).toEqual(['0 a', '0 b', '1000 d']);
  });

  it('refuses a call when too many wait', async () => {
    const { time, enter } = aQueue({ maxWaiting: 2 });
    const calls = [enter('a'), enter('b'), enter('c'), enter('d')];

    await expect(enter('e')).rejects.toMatchObject({ code: 'E_QUEUE_FULL', retryAfterMs: 1_000 });
    await time.drain();
    await Promise.all(calls);
  });

  it('lets exits wait beyond the limit of waiting calls', async () => {
    const { time, enter, sent } = aQueue({ maxWaiting: 1 });
    const calls = [enter('a'), enter('b'), enter('c'), enter('stop', 'exit')];

    await time.drain();
    await Promise.all(calls);

    expect(sent).toEqual(['0 a', '0 b', '1000 stop', '1000 c']);
  });

  it('sends waiting calls as soon as the probe after a rest is served', async () => {
    const { time, queue, sent, enter } = aQueue();
    queue.refused(await enter('a'), 5_000);
    const calls = [enter('b'), enter('c', 'market-data'), enter('exit', 'exit')];
    await time.advance(5_000);
    expect(sent).toEqual(['0 a', '5000 exit']);

    const probe = await calls[2];
    await time.advance(300);
    if (probe !== undefined) queue.accepted(probe);
    await time.drain();
    await Promise.all(calls);

    expect(sent).toEqual(['0 a', '5000 exit', '5300 b', '6000 c']);
  });

  it('rejects waiting and later calls during a ban', async () => {
    const { queue, enter, sent } = aQueue();
    await enter('a');
    await enter('b');
    const waiting = enter('c');

    queue.stop('p', 60_000);

    await expect(waiting).rejects.toMatchObject({ code: 'E_BANNED', retryable: false });
    await expect(enter('d')).rejects.toThrow(/HTTP 418.*nothing is sent until 1970-01-01T00:01:00/);
    queue.resume('p');
    expect(sent).toEqual(['0 a', '0 b']);
  });

  it('leaves no timer behind', async () => {
    const { time, enter } = aQueue();
    const calls = ['a', 'b', 'c'].map((name) => enter(name));
    await time.drain();

    await Promise.all(calls);

    expect(time.pending).toBe(0);
  });
});
