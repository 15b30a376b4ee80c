import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { controlPath } from '../../../../src/bots/control/control-path.js';
import { serveControl } from '../../../../src/bots/control/control-server.js';
import { takeBack, untilHandedBack } from '../../../../src/bots/control/take-back.js';
import { createInstrumentId, type InstrumentId } from '../../../../src/domain/index.js';
import type { BotState, BotStatus } from '../../../../src/live/index.js';
import { aStatus, FakeBot } from '../../../support/live/fake-bot.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** A control server of a bot, and the promise that waits until the bot is handed back. */
async function answering(by: BotStatus['guardedBy']['process'], state: BotState) {
  const folder = await temporaryFolder();
  const place = { runtimeFolder: folder, userId: process.getuid?.() ?? 0 };
  const journal = path.join(folder, 'bot.journal');
  const bot = new FakeBot(
    aStatus({ state, guardedBy: { process: by, since: undefined, standby: 'off' } }),
  );
  const server = await serveControl(controlPath(journal, place), bot);
  return { server, waiting: untilHandedBack(journal, place) };
}

/** A guard process that holds a contract. It ends when it is asked to hand back. */
async function guarding() {
  const folder = await temporaryFolder();
  const place = { runtimeFolder: folder, userId: process.getuid?.() ?? 0 };
  const journal = path.join(folder, 'bot.journal');
  const held = { instrumentId: CONTRACT, direction: 'long', quantity: '5', isDust: false } as const;
  const guardedBy = { process: 'guard', since: undefined, standby: 'off' } as const;
  const status = aStatus({ state: 'degraded', guardedBy, positions: [held], orders: [] });
  const asked: string[] = [];
  const bot = Object.assign(new FakeBot(status), {
    handBack: () => {
      asked.push('hand-back');
      void server.close();
    },
  });
  const server = await serveControl(controlPath(journal, place), bot);
  const take = (
    instruments: readonly InstrumentId[],
    fits?: (guarded: BotStatus) => Promise<void>,
  ): Promise<void> => takeBack(journal, place, { instruments, fits });
  return { server, asked, take };
}

const CONTRACT = createInstrumentId('futures', 'E-LTC-USDT');
const OTHER = createInstrumentId('futures', 'E-BTC-USDT');
const SETTLED = 'nobody is waited for';
const afterSomeLooks = (): Promise<string> =>
  new Promise((resolve) => setTimeout(() => resolve('waits'), 300));

describe('takeBack', () => {
  it('leaves the bot to its guard process if that holds what the file does not name', async () => {
    const { server, asked, take } = await guarding();

    await expect(take([OTHER])).rejects.toThrow(/futures:E-LTC-USDT.*its guard process goes on/);

    expect(asked).toEqual([]);
    await server.close();
  });

  it('leaves the bot to its guard process if it could not continue', async () => {
    const { server, asked, take } = await guarding();
    const fits = (): Promise<void> => Promise.reject(new Error('another margin mode'));

    await expect(take([CONTRACT], fits)).rejects.toThrow('another margin mode');

    expect(asked).toEqual([]);
    await server.close();
  });

  it('takes back what the file names', async () => {
    const { asked, take } = await guarding();

    await take([OTHER, CONTRACT]);

    expect(asked).toEqual(['hand-back']);
  });
});

describe('untilHandedBack', () => {
  it.each(['halting', 'stopped'] as const)(
    'waits for a guard that is %s until its socket is gone',
    async (state) => {
      const { server, waiting } = await answering('guard', state);
      expect(await Promise.race([waiting.then(() => SETTLED), afterSomeLooks()])).toBe('waits');

      await server.close();

      await waiting;
    },
  );

  it.each([
    ['guard', 'starting'],
    ['guard', 'degraded'],
    ['bot', 'halting'],
    ['bot', 'running'],
  ] as const)('does not wait for a %s that is %s', async (by, state) => {
    const { server, waiting } = await answering(by, state);

    await waiting;

    await server.close();
  });
});
