import { describe, expect, it } from 'vitest';
import { createCallQueue } from '../../../src/client/calls/create-call-queue.js';
import { VirtualTime } from '../../support/virtual-time.js';

describe('limits of createCallQueue', () => {
  it.each([
    [
      'keep one of two futures calls per second for commands',
      undefined,
      1,
      [0, 1_001, 2_002, 3_003],
    ],
    ['keep nothing where no commands are sent', false, 1, [0, 0, 1_001, 1_001]],
    ['leave polls the only call of a small share', undefined, 0.5, [0, 1_001, 2_002]],
  ] as const)('%s', async (_, sendsCommands, share, expected) => {
    const time = new VirtualTime(0);
    const queue = createCallQueue({ clock: time, timers: time, sendsCommands, share });
    const poll = { ruleId: 'futures', principal: 'p', priority: 'market-data' } as const;
    const sent: number[] = [];
    const calls = expected.map(async () => {
      queue.settle(await queue.enter(poll, new AbortController().signal));
      sent.push(time.now());
    });

    await time.drain();
    await Promise.all(calls);

    expect(sent).toEqual(expected);
  });
});
