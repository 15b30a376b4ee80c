import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Buys once, and rests an offer far above the market. */
class Holder extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle({ close }: { readonly close: number }): void {
    if (this.workingOrders().length > 0) return;
    if (this.position.quantity.gt(0)) this.exit({ limitPrice: (2 * close).toFixed(2) });
    else this.enterLong({ quantity: '17' });
  }
}

const REFUSED =
  /journal: this is the journal of the bot "rig", and this bot is "other".*nothing was changed.*live\.continues: "rig"/;

async function aHolder(mode: 'live' | 'paper'): Promise<LiveRig> {
  const rig = new LiveRig('futures', {}, mode);
  await rig.start({ strategyClass: Holder });
  await rig.until(() => rig.bot?.status().orders.length === 1);
  return rig;
}

describe('a bot with another name at a journal', () => {
  it.each(['stop', 'kill'] as const)('is refused after a %s', async (end) => {
    const rig = await aHolder('live');
    if (end === 'stop') await rig.stop();
    else rig.kill();

    await expect(rig.restart({ set: ['name=other'] })).rejects.toMatchObject({
      code: 'E_JOURNAL_BOT',
      message: expect.stringMatching(REFUSED) as string,
    });

    await rig.restart({ set: [] });
    expect(rig.bot?.status()).toMatchObject({ positions: [{}], orders: [{}] });
  });

  it.each(['stop', 'kill'] as const)('continues after a %s if its file says so', async (end) => {
    const rig = await aHolder('live');
    const before = rig.bot?.status();
    if (end === 'stop') await rig.stop();
    else rig.kill();
    await rig.restart({ set: ['name=other', 'live.continues=rig'] });
    await rig.pass(2 * MINUTE_MS);
    const renamed = rig.bot?.status();
    await rig.stop();

    // From then on the journal is its own.
    await rig.restart({ set: ['name=other'] });
    await rig.pass(2 * MINUTE_MS);

    for (const status of [renamed, rig.bot?.status()]) {
      expect(status?.reasons).toEqual([]);
      expect(status?.orders).toMatchObject(
        before?.orders.map(({ clientOrderId }) => ({ clientOrderId })) ?? [],
      );
      expect(status?.positions).toHaveLength(1);
    }
    await rig.stop();
    await expect(rig.restart({ set: [] })).rejects.toMatchObject({ code: 'E_JOURNAL_BOT' });
  });

  it('is refused on paper, too', async () => {
    const rig = await aHolder('paper');
    rig.kill();

    await expect(rig.restart({ set: ['name=other'] })).rejects.toMatchObject({
      code: 'E_JOURNAL_BOT',
    });
  });
});
