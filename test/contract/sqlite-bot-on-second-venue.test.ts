import { describe, expect, it } from 'vitest';
import { VenueRig } from './second-venue/venue-rig.js';

const HOUR = 3_600_000;

describe('a bot run from code on a custom venue', () => {
  it('trades for hours, stops by its signal, and continues from its journal', async () => {
    const rig = new VenueRig();
    const stop = new AbortController();
    const bot = await rig.run({ signal: stop.signal });
    const told: string[] = [];
    bot.fills$.subscribe(({ side, price }) => told.push(`${side} ${price.toFixed(2)}`));
    await rig.until(() => bot.status().state === 'running');
    await rig.time.advance(1.5 * HOUR);

    const before = rig.deals.length;
    expect(before).toBeGreaterThan(4);
    expect(told).toHaveLength(before);
    stop.abort();
    await rig.during(bot.ended);
    expect(bot.status().state).toBe('stopped');
    // It was stopped with live.onStop: keep, so its orders still rest.
    const working = rig.working;
    expect(working.length).toBeGreaterThan(0);

    await rig.time.advance(HOUR);
    const again = await rig.run();
    await rig.until(() => again.status().state === 'running');
    const known = again.status().orders.map(({ clientOrderId }) => clientOrderId);
    expect(known.length).toBeGreaterThan(0);
    await rig.time.advance(HOUR);
    expect(rig.deals.length).toBeGreaterThan(before);
    expect(again.status().reasons).toEqual([]);
    await rig.during(again.stop('flatten'));
    expect(rig.working).toEqual([]);
  }, 60_000);
});
