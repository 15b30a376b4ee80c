import { filter, interval, map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS, SECOND_MS, type EpochMs, type OrderIntent } from '../../../src/domain/index.js';
import { readJournal } from '../../../src/journal/index.js';
import { CandleStrategy, enterLong, Strategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Holds a contract for good, and keeps the margin data of the venue at each candle. */
class Holder extends CandleStrategy({}, { state: { seen: '' } }) {
  override readonly warmup = 3;

  override onCandle(): void {
    const margin = this.position.venueMargin;
    this.state.seen = JSON.stringify(margin ?? 'nothing');
    if (!this.position.quantity.gt(0)) this.enterLong({ quantity: '1000' });
  }
}

/** The time of the first entry. */
const entry: { at: EpochMs } = { at: Number.POSITIVE_INFINITY };

/** Holds a contract with a stop, from a time on. */
class Guarded extends Strategy({}) {
  override readonly warmup = 3;

  override intents(): Observable<OrderIntent> {
    return interval(SECOND_MS).pipe(
      filter(() => this.now >= entry.at),
      map(() => enterLong({ quantity: '10' }, { protection: { stopLoss: { ratio: '0.1' } } })),
    );
  }
}

/** The margin as the state of the strategy holds it. */
interface SeenMargin {
  readonly markPrice: string;
  readonly liquidationPrice: string;
  readonly liquidationDistance: string;
  readonly marginRate: string;
  readonly maintenanceRate: string;
  readonly pendingClose: string;
  readonly frozen: string;
}

function seenBy(rig: LiveRig): SeenMargin | 'nothing' {
  const { seen } = JSON.parse(rig.bot?.engine.keptState?.json ?? '') as { readonly seen: string };
  return JSON.parse(seen) as SeenMargin | 'nothing';
}

async function aHolder(): Promise<LiveRig> {
  const rig = new LiveRig('futures');
  const bot = await rig.start({ strategyClass: Holder });
  await rig.until(() => bot.status().positions.length > 0);
  await rig.pass(3 * MINUTE_MS);
  return rig;
}

describe('a live bot that holds a contract', () => {
  it('shows the distance of the mark to its liquidation, as the venue has it', async () => {
    const rig = await aHolder();

    const [margin, ...others] = rig.bot?.status().margins ?? [];

    expect(others).toEqual([]);
    expect(margin).toMatchObject({ direction: 'long', frozen: 'no', pendingClose: '0' });
    const { markPrice, liquidationPrice, distance } = margin ?? {};
    // Leverage 5: a fifth of the entry price, less the maintenance margin.
    expect(Number(distance)).toBeGreaterThan(0.1);
    expect(Number(distance)).toBeLessThan(0.21);
    expect(1 - Number(liquidationPrice) / Number(markPrice)).toBeCloseTo(Number(distance), 8);
  });

  it.each([1_000, 9_000, 17_000, 25_000, 33_000])(
    'shows its margin within ten seconds of an entry under call limits, %s ms after its start',
    async (lateMs) => {
      const rig = new LiveRig('futures');
      rig.isLimited = true;
      entry.at = Number.POSITIVE_INFINITY;
      const bot = await rig.start({ strategyClass: Guarded });
      await rig.pass(MINUTE_MS + lateMs);
      entry.at = rig.now();
      for (let waited = 0; bot.status().positions.length === 0 && waited < 60; waited += 1)
        await rig.pass(SECOND_MS);
      expect(bot.status().positions).toHaveLength(1);

      await rig.pass(10 * SECOND_MS);

      expect(bot.status().margins).toHaveLength(1);
      await rig.stop();
    },
  );

  it('gives its strategy the same values through its journal, which replays', async () => {
    const rig = await aHolder();

    const seen = seenBy(rig);

    if (seen === 'nothing') throw new Error('expected what the venue says');
    const [margin] = rig.bot?.status().margins ?? [];
    expect(seen).toMatchObject({ frozen: 'no', pendingClose: '0' });
    expect(seen.liquidationPrice).toBe(margin?.liquidationPrice);
    expect(seen.maintenanceRate).toBe(margin?.maintenanceRate);
    // A fifth of the opening value.
    expect(Number(seen.marginRate)).toBeGreaterThan(0.15);
    expect(Number(seen.marginRate)).toBeLessThan(0.25);
    const distance = 1 - Number(seen.liquidationPrice) / Number(seen.markPrice);
    expect(Number(seen.liquidationDistance)).toBeCloseTo(distance, 8);

    rig.kill();
    await rig.restart();
    await rig.pass(MINUTE_MS);
    await rig.stop();
    // The margin is part of the state, which the replay compares after each event.
    expect(await rig.replay(1, { strategyClass: Holder })).toMatchObject({ kind: 'identical' });
    const reader = await readJournal(rig.journal);
    const [epoch] = reader.epochs();
    const margins = epoch === undefined ? [] : [...reader.entries(epoch)].map(({ event }) => event);
    reader.close();
    expect(margins).toContainEqual(
      expect.objectContaining({
        kind: 'margins',
        readings: [expect.objectContaining({ direction: 'long', frozen: 'no' })],
      }),
    );
  });

  it('gives no margins if the account of the venue is not read', async () => {
    const rig = new LiveRig('futures', {}, 'paper');
    const bot = await rig.start({ strategyClass: Holder });
    await rig.until(() => bot.status().positions.length > 0);
    await rig.pass(3 * MINUTE_MS);

    expect(seenBy(rig)).toBe('nothing');
  });
});
