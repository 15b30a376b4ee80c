import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { VenueClient, VenueClientOptions } from '../../../src/client/index.js';
import type { CallOptions } from '../../../src/venue/index.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { FaultServer } from '../../support/fault-server.js';
import { aVenueClient } from '../../support/venue-client.js';

const SIGNAL = new AbortController().signal;
const ORDER = { symbol: 'BTCUSDT', volume: '1', side: 'BUY', type: 'MARKET' } as const;
const PATH = '/sapi/v1/order';

let server: FaultServer;
let client: VenueClient;
let stop: AbortController;

beforeEach(async () => {
  stop = new AbortController();
  server = await FaultServer.start(({ request: { path }, response }) => {
    const answer = `{"timezone":"UTC","serverTime":${String(Date.now())}}`;
    response.end(path.startsWith(PATH) ? ENDPOINTS['spot.order'].examples.answer : answer);
  });
});

afterEach(async () => {
  await client.close();
  await server.stop();
});

function connect(options: Partial<VenueClientOptions>): Promise<unknown> {
  client = aVenueClient(server, options);
  // Reads the server's time before an order is signed.
  return client.serverTime('spot', SIGNAL);
}

function order(priority: CallOptions['priority']): Promise<string> {
  const options = { signal: SIGNAL, waitSignals: [stop.signal], priority };
  return client.ask(ENDPOINTS['spot.order'], ORDER, options).then(
    ({ kind }) => kind,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('an order that is aborted before it is sent', () => {
  it('is not sent if aborted while it waits for a connection', async () => {
    await connect({ maxConnections: 1 });
    const reading = client
      .serverTime('spot', SIGNAL)
      .then(() => client.measureClock('spot', SIGNAL));
    await nextTurn();
    const sending = order('entry');
    await nextTurn();

    stop.abort(new Error('stopped'));

    expect(await sending).toBe('stopped');
    await reading;
    expect(server.count(PATH)).toBe(0);
  });

  it('is not sent as an entry if aborted in the event-loop turn before it is sent', async () => {
    await connect({
      breathe: async () => {
        await nextTurn();
        stop.abort(new Error('stopped'));
      },
    });

    expect(await order('entry')).toBe('stopped');
    expect(server.count(PATH)).toBe(0);
  });

  it('is sent as an exit without an event-loop turn before it', async () => {
    await connect({
      breathe: () => {
        stop.abort(new Error('stopped'));
        return Promise.resolve();
      },
    });

    expect(await order('exit')).toBe('answer');
    expect(server.count(PATH)).toBe(1);
  });
});
