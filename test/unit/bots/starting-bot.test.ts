import { describe, expect, it } from 'vitest';

import { StartingBot, type Making } from '../../../src/bots/starting-bot.js';
import {
  JournalError,
  OutcomeUnknownError,
  TransportError,
  UsageError,
} from '../../../src/domain/index.js';
import type { BotControl } from '../../../src/live/index.js';
import { FakeBot } from '../../support/live/fake-bot.js';

const AWAY = new TransportError('E_TIMEOUT', 'no answer began within 10000 ms');

function aStart(process: 'bot' | 'guard' = 'bot') {
  const warnings: string[] = [];
  let making: Making | undefined;
  let settle: { readonly made: (bot: BotControl) => void; readonly failed: (error: Error) => void };
  const bot = new StartingBot({
    name: 'a',
    mode: 'live',
    now: () => 5,
    guardedBy: () => ({ process, since: undefined, standby: 'off' }),
    log: {
      warning: ({ text }) => {
        warnings.push(text);
      },
    },
    make: (given) => {
      making = given;
      return new Promise((resolve, reject) => {
        settle = { made: resolve, failed: reject };
        given.signal.addEventListener('abort', () => {
          reject(given.signal.reason as Error);
        });
      });
    },
  });
  return {
    bot,
    warnings,
    wait: () => {
      making?.onWaiting(AWAY);
    },
    made: (one: BotControl) => {
      settle.made(one);
    },
    failed: (error: Error) => {
      settle.failed(error);
    },
  };
}

describe('StartingBot', () => {
  it('reports that it starts, and later the reason why it waits', () => {
    const { bot, wait, warnings } = aStart();
    expect(bot.status()).toMatchObject({
      name: 'a',
      state: 'starting',
      reasons: ['the bot is starting: it reads its files, its journal and the venue'],
    });

    wait();
    wait();

    const reason = 'waits for the venue: no answer began within 10000 ms';
    expect(bot.status()).toMatchObject({ state: 'starting', reasons: [reason] });
    expect(warnings).toEqual([`starting: ${reason}`]);
  });

  it('becomes the bot that was made, which carries out earlier commands', async () => {
    const { bot, made } = aStart();
    const fake = new FakeBot({ name: 'a' });
    bot.halt('enough');
    bot.flatten();

    made(fake);
    await bot.made;
    bot.pause();

    expect(fake.told).toEqual(['halt: enough', 'flatten', 'pause']);
    expect(bot.status().state).toBe('paused');
    expect(await bot.stop('cancel')).toEqual({ kind: 'stopped' });
    expect(await bot.ended).toEqual({ kind: 'stopped' });
  });

  it('aborts the start when it is stopped, and ends as stopped', async () => {
    const { bot } = aStart();

    const end = await bot.stop('keep');

    expect(end).toEqual({ kind: 'stopped' });
    expect(bot.status()).toMatchObject({ state: 'stopped', reasons: [] });
  });

  it('fails although it was stopped if it may have left something at the venue', async () => {
    const { bot, failed } = aStart();
    const error = new OutcomeUnknownError('E_PROBE_FAILED', 'the probe ended in doubt');
    failed(error);

    expect(await bot.stop('keep')).toEqual({ kind: 'failed', error });
  });

  it('stops a bot that was made before the stop', async () => {
    const { bot, made } = aStart();
    const fake = new FakeBot();
    made(fake);

    const end = await bot.stop('flatten');

    expect([end, fake.told]).toEqual([{ kind: 'stopped' }, ['stop: flatten']]);
  });

  it('fails with its reason if the bot cannot be made, and its log has it', async () => {
    const { bot, failed, warnings } = aStart();
    const error = new UsageError('E_CLAIMED', 'another bot trades it');

    failed(error);

    expect(await bot.ended).toEqual({ kind: 'failed', error });
    expect(bot.status()).toMatchObject({ state: 'stopped', reasons: ['another bot trades it'] });
    expect(warnings).toEqual(['the bot has failed and ends: another bot trades it']);
  });

  it('reports of a guard process that cannot begin that it watches nothing', async () => {
    const { bot, failed, warnings } = aStart('guard');

    failed(new JournalError('E_JOURNAL_FULL', 'the disk is full'));
    await bot.ended;

    expect(warnings).toEqual([
      'the guard process has failed and ends: the disk is full; it does not watch what the bot has at the venue',
    ]);
  });

  it('reports a defect as E_INTERNAL', async () => {
    const { bot, failed } = aStart();

    failed(new TypeError('a defect'));

    expect(await bot.ended).toMatchObject({ kind: 'failed', error: { code: 'E_INTERNAL' } });
  });
});
