import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openGuard } from '../../../../../src/cli/live/guard/open-guard.js';
import { BEAT_MS, type ToGuard } from '../../../../../src/cli/live/guard/guard-link.js';
import { SILENCE_MS } from '../../../../../src/cli/live/guard/owner-watch.js';
import { DomainError, present } from '../../../../../src/domain/index.js';
import { aCliContext } from '../../../../support/cli/cli-context.js';
import { FakeBot } from '../../../../support/live/fake-bot.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A guard process that keeps the messages it receives. */
function aGuard() {
  const told: ToGuard[] = [];
  const { context } = aCliContext({
    startGuard: () => ({
      standby: 'ready',
      tell: (message) => told.push(message),
      close: () => Promise.resolve(),
    }),
  });
  const flags = { logLevel: 'info', view: false } as const;
  const guard = openGuard({ files: ['bot.yaml'], flags, say: () => undefined }, context);
  return { told, guard: present(guard, 'a guard') };
}

describe('openGuard', () => {
  it('sends heartbeats before there is a bot, since a start may last longer than the silence limit', () => {
    const { told, guard } = aGuard();

    vi.advanceTimersByTime(SILENCE_MS);

    expect(told.length).toBeGreaterThan(1);
    expect(told[0]).toEqual({ kind: 'beat', guarding: [] });
    void guard.close();
  });

  it('reports the end of a followed bot, and sends nothing after it is closed', async () => {
    const { told, guard } = aGuard();
    const bot = new FakeBot({ name: 'a' });

    guard.follow([bot]);
    bot.end({ kind: 'stopped' });
    await bot.ended;
    vi.advanceTimersByTime(SILENCE_MS);
    await guard.close();
    const atTheEnd = told.length;
    vi.advanceTimersByTime(SILENCE_MS);

    expect(told).toContainEqual({ kind: 'ended', bot: 'a', isInOrder: true });
    expect(told).toHaveLength(atTheEnd);
  });

  it('tells a guard process that was started again which bots have ended before', async () => {
    const { told, guard } = aGuard();
    const bots = [new FakeBot({ name: 'a' }), new FakeBot({ name: 'b' })];

    guard.follow(bots);
    bots[0]?.end({ kind: 'stopped' });
    bots[1]?.end({ kind: 'failed', error: new DomainError('E_BOT', 'it has failed') });
    await Promise.all(bots.map(({ ended }) => ended));
    // The guard process that has heard of both ends is replaced.
    told.length = 0;
    vi.advanceTimersByTime(BEAT_MS);

    expect(told).toContainEqual({ kind: 'ended', bot: 'a', isInOrder: true });
    expect(told).toContainEqual({ kind: 'ended', bot: 'b', isInOrder: false });
    void guard.close();
  });
});
