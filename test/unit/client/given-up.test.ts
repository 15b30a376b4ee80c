import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { VenueClient } from '../../../src/client/index.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { FaultServer, json, type Reply } from '../../support/fault-server.js';
import { aVenueClient } from '../../support/venue-client.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

/** One window of the futures' limit, and the millisecond after an answer. */
const WINDOW_MS = 1_001;

let server: FaultServer;
let client: VenueClient;
let time: VirtualTime;

beforeEach(() => {
  time = new VirtualTime();
});

afterEach(async () => {
  await client.close();
  await server.stop();
});

async function start(reply: Reply): Promise<void> {
  server = await FaultServer.start(reply);
  client = aVenueClient(server, { clock: time, timers: time, retry: { retries: 0 } });
}

async function send(signal: AbortSignal): Promise<{ readonly ending: Promise<string> }> {
  const ending = client.call(ENDPOINTS['futures.ping'], {}, { signal }).then(
    () => 'answer',
    (error: unknown) => (error as Error).message,
  );
  while (server.seen.length === 0) await settle();
  return { ending };
}

function used(): number | undefined {
  return client.budgets()[0]?.used;
}

describe('the share of the limit of a call that was sent', () => {
  it('stays taken for the time on the way if the caller gives up', async () => {
    await start(() => undefined);
    const caller = new AbortController();
    const { ending } = await send(caller.signal);

    caller.abort(new Error('given up'));

    expect(await ending).toBe('given up');
    await time.advance(WINDOW_MS);
    expect(used()).toBe(1);
    // The venue has counted it 2 s after it was sent, at the latest.
    await time.advance(2_000);
    expect(used()).toBe(0);
  });

  it.each([
    ['the answer', json('{}')],
    ['the other side ended the connection', ({ socket }) => socket.destroy()],
  ] as const satisfies readonly (readonly [string, Reply])[])(
    'is free one window after %s',
    async (_, reply) => {
      await start(reply);
      const { ending } = await send(new AbortController().signal);
      await ending;

      await time.advance(WINDOW_MS);

      expect(used()).toBe(0);
    },
  );
});
