import { describe, expect, it } from 'vitest';

import { createInstrumentId, TransportError } from '../../../src/domain/index.js';
import { Activity } from '../../../src/live/bot/activity.js';
import { createSessionTime } from '../../../src/live/session/session-time.js';
import { VenueTriggers } from '../../../src/live/stops/venue-triggers.js';
import type { VenueTrigger, VenueUpdate } from '../../../src/venue/index.js';
import { VirtualTime } from '../../support/virtual-time.js';

const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');

/** Triggers that the bot believes in, and a venue whose list fails while `venue.isAway`. */
function aBench() {
  const book = { list: [{ request: { instrumentId: CONTRACT, clientOrderId: 'a' } }] as unknown[] };
  const venue = {
    isAway: true,
    defect: undefined as Error | undefined,
    listed: [] as VenueTrigger[],
  };
  const notices: string[] = [];
  const failures: unknown[] = [];
  const time = new VirtualTime(0);
  const correction = { ms: 0 };
  const updates: VenueUpdate[] = [];
  const conditions = new Map<string, string>();
  const list = (): Promise<readonly VenueTrigger[]> =>
    venue.isAway
      ? Promise.reject(venue.defect ?? new TransportError('E_TIMEOUT', 'no answer'))
      : Promise.resolve(venue.listed);
  const triggers = new VenueTriggers({
    venue: {
      execution: {
        submitConditional: () => Promise.resolve({ kind: 'accepted', triggerId: '1' }),
      },
      account: { triggers: list },
    },
    stops: { terms: { kind: 'family' }, book } as never,
    isSequential: false,
    time: createSessionTime({
      now: () => time.now() + correction.ms,
      after: (delayMs, action) => time.after(delayMs, action),
    }),
    activity: new Activity(),
    signal: new AbortController().signal,
    onUpdate: (update) => updates.push(update),
    onCondition: (name, text) => {
      if (text === undefined) conditions.delete(name);
      else conditions.set(name, text);
    },
    onNotice: (text) => notices.push(text),
    onFailure: (error) => failures.push(error),
  });
  return { triggers, book, venue, conditions, failures, time, correction, updates, notices };
}

describe('VenueTriggers', () => {
  it('reports that triggers cannot be listed, until they can', async () => {
    const { triggers, venue, conditions } = aBench();
    await triggers.compare();
    const during = [...conditions.values()];
    venue.isAway = false;
    await triggers.compare();

    expect(during.join()).toContain('E-BTC-USDT: the triggers at the venue cannot be listed');
    expect(conditions.size).toBe(0);
  });

  it('clears the condition of an instrument without triggers', async () => {
    const { triggers, book, conditions } = aBench();
    await triggers.compare();
    book.list = [];
    await triggers.compare();

    expect(conditions.size).toBe(0);
  });

  it('forgets a trigger of others once the list shows it no longer', async () => {
    const { triggers, book, venue, notices } = aBench();
    venue.isAway = false;
    book.list = [{ request: { instrumentId: CONTRACT, clientOrderId: 'a' }, triggerId: '1' }];
    const other = { triggerId: '2' } as VenueTrigger;
    for (const listed of [[other], [other], [], [other]]) {
      venue.listed = listed;
      await triggers.compare();
    }

    const text = 'futures:E-BTC-USDT: trigger 2 waits at the venue and is not from this bot';
    expect(notices).toEqual([text, text]);
  });

  it('reports a defect to its bot, and not to the whole process', async () => {
    const { triggers, book, venue, failures, time } = aBench();
    venue.defect = new TypeError('a defect');
    triggers.run();
    await time.advance(60_000);
    book.list = [
      { request: { instrumentId: CONTRACT, clientOrderId: 'b' }, state: 'unknown' },
    ] as unknown[];
    triggers.restore();
    await time.advance(2_000);

    expect(failures).toEqual([venue.defect, venue.defect]);
  });

  it('proves a trigger absent after the same time although the time of the venue is corrected', async () => {
    const { triggers, book, venue, time, correction, updates } = aBench();
    venue.isAway = false;
    book.list = [
      { request: { instrumentId: CONTRACT, clientOrderId: 'b' }, state: 'unknown' },
    ] as unknown[];
    triggers.restore();
    await time.advance(4_000);

    correction.ms = 18_000;
    await time.advance(15_000);
    expect(updates).toEqual([]);
    await time.advance(1_000);

    expect(updates).toMatchObject([{ clientOrderId: 'b', reason: { code: 'not-submitted' } }]);
  });

  it('searches for a trigger whose answer has the id of another one', async () => {
    const { triggers, book, updates } = aBench();
    const order = { instrumentId: CONTRACT, clientOrderId: 'b' } as never;
    book.list = [{ request: { instrumentId: CONTRACT, clientOrderId: 'a' }, triggerId: '1' }];
    await triggers.submit(order, {} as never);
    book.list = [];
    await triggers.submit(order, {} as never);

    expect(updates.map(({ kind }) => kind)).toEqual(['outcome-unknown', 'accepted']);
  });
});
