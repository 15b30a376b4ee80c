import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJournal } from '../../src/journal/index.js';
import { VenueRig } from './second-venue/venue-rig.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function kindsIn(journal: string): Promise<ReadonlySet<string>> {
  const reader = await readJournal(journal);
  const kinds = reader
    .epochs()
    .flatMap((epoch) => [...reader.entries(epoch)])
    .flatMap(({ commands }) => commands.map(({ kind }) => kind));
  reader.close();
  return new Set(kinds);
}

describe('the journal of a bot run from code', () => {
  it('has its own file in paper mode, and no order reaches the venue', async () => {
    const rig = new VenueRig();
    const bot = await rig.run({ mode: 'paper' });
    await rig.until(() => bot.status().state === 'running');
    const fills: string[] = [];
    bot.fills$.subscribe(({ side }) => fills.push(side));
    await rig.time.advance(1.5 * HOUR);
    await rig.during(bot.stop());

    expect(bot.journal).toBe(path.join(rig.directory, 'grid.paper.journal'));
    expect(fills).toContain('buy');
    expect(rig.deals).toEqual([]);
    expect(await kindsIn(bot.journal)).toContain('submit');
    expect(existsSync(path.join(rig.directory, 'grid.journal'))).toBe(false);
  }, 60_000);

  it('is in its own folder if it is temporary, which is deleted when the bot has ended', async () => {
    const rig = new VenueRig();
    const bot = await rig.run({ mode: 'paper', journal: 'temporary' });
    await rig.until(() => bot.status().state === 'running');

    const folder = path.dirname(bot.journal);
    expect(path.dirname(folder)).toBe(path.resolve(tmpdir()));
    expect(existsSync(bot.journal)).toBe(true);
    await rig.during(bot.stop());
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(rig.directory)).toEqual([]);
  }, 60_000);
});

describe('a bot run from code and controlled by its program', () => {
  it('makes no entry while paused, keeps its working orders, and continues when resumed', async () => {
    const rig = new VenueRig();
    const bot = await rig.run();
    const sold: string[] = [];
    bot.fills$.subscribe(({ side }) => {
      if (side === 'sell') sold.push(side);
    });
    await rig.until(() => rig.working.length === 3);

    bot.pause();
    expect(bot.status().state).toBe('paused');
    // Its bids fill, and their exits are sent and fill, because exits pass. No new bid follows.
    await rig.until(() => sold.length > 0, 2 * HOUR);
    const bids = (): number => rig.server.placed('B');
    await rig.time.advance(MINUTE);
    expect(bids()).toBe(3);
    expect(rig.working.length).toBeGreaterThan(0);

    bot.resume();
    await rig.until(() => bot.status().state === 'running');
    await rig.until(() => bids() > 3, 2 * HOUR);
    await rig.during(bot.stop('flatten'));
  }, 60_000);

  it('cancels its bids when halted, and places no bid until it is resumed', async () => {
    const rig = new VenueRig();
    const bot = await rig.run();
    await rig.until(() => rig.working.length === 3);

    bot.halt('seen enough');
    await rig.until(() => rig.working.length === 0);
    const { state, reasons } = bot.status();
    expect(state).toBe('halted');
    expect(reasons.join()).toContain('seen enough');
    await rig.time.advance(HOUR);
    expect(rig.server.placed('B')).toBe(3);
    expect(rig.deals).toEqual([]);

    bot.resume();
    await rig.until(() => bot.status().state === 'running');
    await rig.during(bot.stop());
  }, 60_000);

  it('sells its position when flattened, and reports the fill', async () => {
    const rig = new VenueRig();
    const bot = await rig.run();
    const sold: string[] = [];
    bot.fills$.subscribe(({ side, action }) => sold.push(`${side} ${action}`));
    await rig.until(() => bot.status().positions.length > 0, 2 * HOUR);

    bot.flatten();
    await rig.until(() => bot.status().positions.every(({ isDust }) => isDust));
    await rig.until(() => rig.working.length === 0);
    expect(sold.at(-1)).toBe('sell close');
    await rig.during(bot.stop());
  }, 60_000);
});
