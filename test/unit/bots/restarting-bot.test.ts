import { describe, expect, it } from 'vitest';
import { RestartingBot } from '../../../src/bots/restarting-bot.js';
import { AuthError, UsageError } from '../../../src/domain/index.js';
import { FakeBot } from '../../support/live/fake-bot.js';
import { settle } from '../../support/virtual-time.js';

/** A bot that ends when its strategy has to restart. */
class Restartable extends FakeBot {
  isRestarting = false;
  /** Resolves when its commands are answered, or not in time. */
  untilAnswered: (isWanted: () => boolean) => Promise<boolean> = () => Promise.resolve(true);

  override restartStrategy(): void {
    super.restartStrategy();
    this.isRestarting = true;
    this.end({ kind: 'stopped' });
  }
}

/** A making that waits for its venue until it is aborted. */
function waiting(signal: AbortSignal, signals: AbortSignal[]): Promise<never> {
  signals.push(signal);
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}

/** A bot and its successor. `make` makes the successor ready. */
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
  const bot = new RestartingBot({ first, now: () => 0, again: () => made });
  return { bot, first, second, make: () => make() };
}

describe('RestartingBot', () => {
  it('continues with a new bot when its strategy restarts', async () => {
    const { bot, first, second, make } = aBot();

    bot.restartStrategy();
    await settle();
    const between = bot.status();
    make();
    await settle();
    bot.pause();
    second.end({ kind: 'stopped' });

    expect(between).toMatchObject({
      state: 'starting',
      reasons: ['its strategy is being restarted'],
    });
    expect(first.told).toEqual(['restart-strategy']);
    expect(second.told).toEqual(['pause']);
    expect(await bot.ended).toEqual({ kind: 'stopped' });
  });

  it('carries out the commands of the operator during a restart after the restart', async () => {
    const { bot, first, second, make } = aBot();

    bot.restartStrategy();
    bot.pause();
    await settle();
    bot.halt('enough');
    bot.flatten();
    expect(() => {
      bot.clearTriggers([]);
    }).toThrow('nothing was cleared');
    make();
    await settle();
    bot.resume();

    expect(first.told).toEqual(['restart-strategy']);
    expect(second.told).toEqual(['pause', 'halt: enough', 'flatten', 'resume']);
  });

  it('stops if the stop comes during a restart', async () => {
    const { bot, second, make } = aBot();

    bot.restartStrategy();
    await settle();
    const stopped = bot.stop('cancel');
    make();

    expect(await stopped).toEqual({ kind: 'stopped' });
    expect(second.told).toEqual(['stop: cancel']);
  });

  it('does not wait for the next bot if it is stopped with keep during a restart', async () => {
    const first = new Restartable();
    const signals: AbortSignal[] = [];
    const bot = new RestartingBot({
      first,
      now: () => 0,
      again: (signal) => waiting(signal, signals),
    });

    bot.restartStrategy();
    await settle();
    const stopped = bot.stop('keep');
    const meanwhile = bot.status();

    expect(await stopped).toEqual({ kind: 'stopped' });
    expect(meanwhile.state).toBe('halting');
    expect(signals).toMatchObject([{ aborted: true }]);
    expect(bot.status()).toMatchObject({ state: 'stopped', positions: first.status().positions });
  });

  it('ends with the outcome of its bot', async () => {
    const { bot, first } = aBot();
    const error = new AuthError('E_AUTH', 'expected a valid key, received a refusal');

    first.end({ kind: 'failed', error });

    expect(await bot.ended).toEqual({ kind: 'failed', error });
  });

  it('stops without a restart when its owner stops it', async () => {
    const { bot, first } = aBot();

    expect(await bot.stop('flatten')).toEqual({ kind: 'stopped' });
    expect(first.told).toEqual(['stop: flatten']);
  });

  describe('reload', () => {
    /** A bot that another bot replaces when `prepared` resolves, and the messages to its owner. */
    function aReloadable(prepared: Promise<() => Promise<FakeBot>>) {
      const [first, again] = [new Restartable(), new Restartable()];
      const told: string[] = [];
      const bot = new RestartingBot({
        first,
        now: () => 5,
        again: () => Promise.resolve(again),
        prepare: () => prepared,
        onReload: ({ state, text }) => told.push(`${state}: ${text}`),
      });
      return { bot, first, again, told };
    }

    it('continues with the prepared bot, which then receives the stop', async () => {
      const next = new FakeBot();
      const { bot, first, told } = aReloadable(Promise.resolve(() => Promise.resolve(next)));

      bot.reload();
      const checking = bot.status().reload;
      await settle();
      const done = bot.status().reload;
      void bot.stop('cancel');

      expect(checking).toMatchObject({ state: 'checking', since: 5 });
      expect(done).toMatchObject({ state: 'done' });
      expect(first.told).toEqual(['stop: keep']);
      expect(next.told).toEqual(['stop: cancel']);
      expect(told.map((line) => line.split(':')[0])).toEqual(['checking', 'replacing', 'done']);
      expect(await bot.ended).toEqual({ kind: 'stopped' });
    });

    it('leaves its bot at work until the venue has answered its commands', async () => {
      const answers = { come: (): void => undefined };
      const { bot, first, told } = aReloadable(
        Promise.resolve(() => Promise.resolve(new FakeBot())),
      );
      first.untilAnswered = () =>
        new Promise((resolve) => {
          answers.come = () => {
            resolve(true);
          };
        });

      bot.reload();
      await settle();
      bot.halt('enough');
      const meanwhile = { told: [...first.told], reload: bot.status().reload };
      answers.come();
      await settle();

      expect(meanwhile).toMatchObject({ told: ['halt: enough'], reload: { state: 'checking' } });
      expect(first.told).toEqual(['halt: enough', 'stop: keep']);
      expect(told.at(-1)).toContain('done');
    });

    it('is refused, with the reason, if the venue does not answer the commands of its bot', async () => {
      const { bot, first, told } = aReloadable(
        Promise.resolve(() => Promise.resolve(new FakeBot())),
      );
      first.untilAnswered = () => Promise.resolve(false);

      bot.reload();
      await settle();
      bot.pause();

      expect(told.at(-1)).toMatch(/^refused: the venue has not answered/);
      expect(first.told).toEqual(['pause']);
    });

    it('does not wait for answers after a stop', async () => {
      const { bot, first, told } = aReloadable(
        Promise.resolve(() => Promise.resolve(new FakeBot())),
      );
      const looks = { next: (): void => undefined };
      const wanted: boolean[] = [];
      first.endsOnStop = false;
      first.untilAnswered = (isWanted) =>
        new Promise((resolve) => {
          looks.next = () => {
            wanted.push(isWanted());
            if (!isWanted()) resolve(false);
          };
        });

      bot.reload();
      await settle();
      looks.next();
      void bot.stop('cancel');
      looks.next();
      await settle();

      expect(wanted).toEqual([true, false]);
      expect(first.told).toEqual(['stop: cancel']);
      expect(told.at(-1)).toBe('refused: the bot was stopped meanwhile');
    });

    it('says that the new strategy is left out if the one before it has failed', async () => {
      const { bot, first, told } = aReloadable(
        Promise.resolve(() => Promise.resolve(new FakeBot())),
      );
      first.become({ state: 'strategy-failed' });

      bot.reload();
      await settle();

      expect(told.at(-1)).toContain('leaves it out until restart-strategy');
    });

    it('is refused if the bot ends by itself during the preparation', async () => {
      let prepare = (): void => undefined;
      const { bot, first, told } = aReloadable(
        new Promise((resolve) => {
          prepare = () => resolve(() => Promise.resolve(new FakeBot()));
        }),
      );
      const error = new AuthError('E_AUTH', 'expected a valid key, received a refusal');

      bot.reload();
      first.end({ kind: 'failed', error });
      await bot.ended;
      prepare();
      await settle();

      expect(told.at(-1)).toBe('refused: the bot has ended');
      expect(bot.status().state).toBe('stopped');
    });

    it('keeps its bot if the preparation fails, and can be reloaded again', async () => {
      const { bot, first, told } = aReloadable(
        Promise.reject(new UsageError('E_RELOAD', 'check finds 1')),
      );

      bot.reload();
      await settle();
      bot.reload();
      await settle();
      bot.pause();

      expect(bot.status().reload).toMatchObject({ state: 'refused' });
      expect(told[1]).toContain('check finds 1');
      expect(first.told).toEqual(['pause']);
    });

    it('halts the restored bot if the halt came before the replacement failed', async () => {
      const next = { fail: (): void => undefined };
      const { bot, first, again } = aReloadable(
        Promise.resolve(
          () =>
            new Promise((_, reject) => {
              next.fail = () => {
                reject(new AuthError('E_AUTH', 'no'));
              };
            }),
        ),
      );

      bot.reload();
      await settle();
      bot.halt('enough');
      next.fail();
      await settle();

      expect(first.told).toEqual(['stop: keep']);
      expect(again.told).toEqual(['halt: enough']);
    });

    it('restores the earlier bot if the replacement cannot be made', async () => {
      const { bot, again } = aReloadable(
        Promise.resolve(() => Promise.reject(new AuthError('E_AUTH', 'no'))),
      );

      bot.reload();
      await settle();
      bot.pause();

      expect(bot.status().reload).toMatchObject({ state: 'refused', text: 'no' });
      expect(again.told).toEqual(['pause']);
    });

    it('is refused if the bot is stopped during the preparation', async () => {
      let prepare = (): void => undefined;
      const { bot, told } = aReloadable(
        new Promise((resolve) => {
          prepare = () => resolve(() => Promise.resolve(new FakeBot()));
        }),
      );

      bot.reload();
      const stopped = bot.stop('keep');
      prepare();

      expect(await stopped).toEqual({ kind: 'stopped' });
      await settle();
      expect(told.at(-1)).toBe('refused: the bot was stopped meanwhile');
      expect(() => bot.reload()).toThrow(expect.objectContaining({ code: 'E_RELOAD' }));
    });

    it('ends the preparation and the making if it is stopped with keep', async () => {
      for (const isReplacing of [false, true]) {
        const signals: AbortSignal[] = [];
        const first = new Restartable();
        const bot = new RestartingBot({
          first,
          now: () => 5,
          again: () => Promise.reject(new Error('expected no other bot')),
          prepare: (signal) =>
            isReplacing
              ? Promise.resolve(() => waiting(signal, signals))
              : waiting(signal, signals),
        });

        bot.reload();
        await settle();
        const { state } = bot.status();
        const end = await bot.stop('keep');
        await settle();

        expect(state).toBe(isReplacing ? 'starting' : 'running');
        expect(end).toEqual({ kind: 'stopped' });
        expect(signals).toMatchObject([{ aborted: true }]);
        expect(bot.status()).toMatchObject({
          state: 'stopped',
          reload: { state: 'refused', text: 'the bot was stopped meanwhile' },
        });
      }
    });

    it('is starting, and can be stopped, while the earlier bot is made again', async () => {
      const signals: AbortSignal[] = [];
      const bot = new RestartingBot({
        first: new Restartable(),
        now: () => 5,
        again: (signal) => waiting(signal, signals),
        prepare: () => Promise.resolve(() => Promise.reject(new AuthError('E_AUTH', 'no'))),
      });

      bot.reload();
      await settle();
      const between = bot.status();

      expect(between).toMatchObject({ state: 'starting', reload: { state: 'refused' } });
      expect(() => bot.reload()).toThrow('it is starting');
      expect(await bot.stop('keep')).toEqual({ kind: 'stopped' });
    });

    it('flattens the next bot if the stop comes while the first one still ends', async () => {
      const next = new FakeBot();
      const { bot, first } = aReloadable(Promise.resolve(() => Promise.resolve(next)));
      first.endsOnStop = false;

      bot.reload();
      await settle();
      first.become({ state: 'stopped' });
      const stopped = bot.stop('flatten');
      first.end({ kind: 'stopped' });

      expect(await stopped).toEqual({ kind: 'stopped' });
      expect(next.told).toEqual(['stop: flatten']);
    });

    it('is refused during another reload, and for a bot that cannot be replaced', () => {
      const { bot } = aReloadable(new Promise(() => undefined));
      const { bot: other } = aBot();

      bot.reload();

      expect(() => bot.reload()).toThrow('it is being reloaded');
      expect(() => other.reload()).toThrow(/only a live bot can be reloaded/);
    });
  });
});
