import { rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askBot } from '../../../../src/bots/control/control-client.js';
import { serveControl, type ControlServer } from '../../../../src/bots/control/control-server.js';
import { TradingError } from '../../../../src/domain/index.js';
import { FakeBot } from '../../../support/live/fake-bot.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const NAMES = ['first', 'second', 'third'];

/** A socket without a listener, as a killed process leaves it. A server that closes removes its socket by the first name, so the renamed one stays. */
async function abandonedSocket(): Promise<string> {
  const folder = await temporaryFolder();
  const at = path.join(folder, 'bot.journal.sock');
  const made = path.join(folder, 'made.sock');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(made, resolve));
  await rename(made, at);
  await new Promise((resolve) => server.close(resolve));
  expect((await stat(at)).isSocket()).toBe(true);
  return at;
}

/** Name of the bot that answers at a socket. Undefined if none answers. */
async function whoAnswers(at: string): Promise<string | undefined> {
  const answer = await askBot({ command: 'status' }, { path: at });
  return answer?.ok === true ? answer.status.name : undefined;
}

/** Serves a bot after `turns` turns of the event loop. Undefined if another process has the socket. */
async function serveAfter(
  turns: number,
  at: string,
  name: string,
): Promise<ControlServer | undefined> {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  try {
    return await serveControl(at, new FakeBot({ name }));
  } catch (error: unknown) {
    if (error instanceof TradingError && error.code === 'E_CONTROL_SOCKET') return undefined;
    throw error;
  }
}

describe('an abandoned control socket', () => {
  it('is taken by exactly one of several bots that start together, and this bot answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 12 }), { minLength: 2, maxLength: NAMES.length }),
        async (delays) => {
          const at = await abandonedSocket();
          const servers = await Promise.all(
            delays.map((turns, index) => serveAfter(turns, at, NAMES[index] ?? '')),
          );
          const serving = NAMES.filter((_, index) => servers[index] !== undefined);
          const answering = await whoAnswers(at);
          for (const server of servers) await server?.close();

          expect(serving).toEqual([answering]);
          // The socket is free for the next bot.
          const next = await serveAfter(0, at, 'next');
          expect(await whoAnswers(at)).toBe('next');
          await next?.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
