import { describe, expect, it } from 'vitest';

import { connectOwn } from '../../../../src/assembly/bot/connection/own-connection.js';
import { HOUR_MS, MINUTE_MS } from '../../../../src/domain/index.js';
import type { Venue } from '../../../../src/venue/index.js';
import { settle, VirtualTime } from '../../../support/virtual-time.js';

/** A connection to a venue of one's own, which tells its time and nothing else. */
function aConnection() {
  const machine = new VirtualTime();
  const venue = { now: machine.now(), asked: 0 };
  const marketData = {
    capabilities: {},
    serverTime: () => {
      venue.asked += 1;
      return Promise.resolve(venue.now);
    },
  };
  const ports: unknown = { marketData, execution: {}, account: {} };
  const connection = connectOwn({
    config: {
      instruments: [],
      live: { staleAfterMs: MINUTE_MS, maxClockOffsetMs: 30_000 },
    } as never,
    venue: ports as Venue,
    machine,
  });
  return { machine, venue, connection };
}

describe('connectOwn', () => {
  it('tells the time of the venue although the clock of the machine was set back', async () => {
    const { machine, venue, connection } = aConnection();
    await connection.clock.now(new AbortController().signal);
    const asked = venue.asked;

    machine.jump(-HOUR_MS);
    for (let read = 0; read < 10; read += 1) {
      connection.time.now();
      await settle();
    }

    expect(connection.time.now()).toBe(venue.now);
    expect(venue.asked).toBe(asked + 1);
  });
});
