import { describe, expect, it } from 'vitest';
import { RestartingBot } from '../../../../src/cli/live/restarting-bot.js';
import { AuthError } from '../../../../src/domain/index.js';
import { FakeBot } from '../../../support/live/fake-bot.js';
import { settle } from '../../../support/virtual-time.js';

/** Ends when its strategy is to begin anew. */
class Restartable extends FakeBot {
  isRestarting = false;

  override restartStrategy(): void {
    super.restartStrategy();
    this.isRestarting = true;
    this.end({ kind: 'stopped' });
  }
}

/** A bot, what it becomes, and when that is there. */
function aBot(): {
  readonly bot: RestartingBot;
  readonly first: Restartable;
  readonly second: Restartable;
  readonly make: () => void;
} {
  const [first, second] = [new Restartable(), new Restartable()];
  let make = (): void => undefined;
  const made = new Promise<Restartable>((resolve) => {
    make = () => {
      resolve(second);
    };
  });
  const bot = new RestartingBot({ first, again: () => made });
  return { bot, first, second, make: () => make() };
}

describe('RestartingBot', () => {
  it('goes on as another bot when its strategy begins anew', async () => {
    const { bot, first, second, make } = aBot();

    bot.restartStrategy();
    await settle();
    const between = bot.status();
    make();
    await settle();
    bot.pause();
    second.end({ kind: 'stopped' });

    expect(between).toMatchObject({ state: 'starting', reasons: ['its strategy begins anew'] });
    expect(first.told).toEqual(['restart-strategy']);
    expect(second.told).toEqual(['pause']);
    expect(await bot.ended).toEqual({ kind: 'stopped' });
  });

  it('stops also where it is told so while it begins anew', async () => {
    const { bot, second, make } = aBot();

    bot.restartStrategy();
    await settle();
    const stopped = bot.stop('cancel');
    make();

    expect(await stopped).toEqual({ kind: 'stopped' });
    expect(second.told).toEqual(['stop: cancel']);
  });

  it('ends as its bot does', async () => {
    const { bot, first } = aBot();
    const error = new AuthError('E_AUTH', 'expected a valid key, received a refusal');

    first.end({ kind: 'failed', error });

    expect(await bot.ended).toEqual({ kind: 'failed', error });
  });

  it('is stopped by a word of its owner without beginning anew', async () => {
    const { bot, first } = aBot();

    expect(await bot.stop('flatten')).toEqual({ kind: 'stopped' });
    expect(first.told).toEqual(['stop: flatten']);
  });
});
