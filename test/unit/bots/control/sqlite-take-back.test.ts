import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { controlPath } from '../../../../src/bots/control/control-path.js';
import { serveControl } from '../../../../src/bots/control/control-server.js';
import { untilHandedBack } from '../../../../src/bots/control/take-back.js';
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

const SETTLED = 'nobody is waited for';
const afterSomeLooks = (): Promise<string> =>
  new Promise((resolve) => setTimeout(() => resolve('waits'), 300));

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
