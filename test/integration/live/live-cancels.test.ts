import { describe, expect, it } from 'vitest';
import { MINUTE_MS, type Candle } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { FUTURES_ID, SPOT_ID } from '../../support/local-exchange/test-exchange.js';

const ORDERS = 25;

/** Rests 25 bids far below the market once. */
class Ladder extends CandleStrategy({}, { state: { isPlaced: false } }) {
  override readonly warmup = 3;

  override onCandle({ close }: Candle): void {
    if (this.state.isPlaced) return;
    this.state.isPlaced = true;
    const isFutures = this.instruments[0]?.instrumentId.startsWith('futures') === true;
    for (let step = 1; step <= ORDERS; step += 1)
      this.enterLong(
        { quantity: isFutures ? '10' : '0.01' },
        {
          limitPrice: (close * (1 - step / 100)).toFixed(1),
          label: `bid ${String(step)}`,
          add: true,
        },
      );
  }
}

async function aLadder(product: 'spot' | 'futures'): Promise<LiveRig> {
  const rig = new LiveRig(product);
  await rig.start({ strategyClass: Ladder });
  const id = product === 'spot' ? SPOT_ID : FUTURES_ID;
  await rig.until(() => rig.account.openOrders(id, rig.now()).length === ORDERS);
  await rig.pass(MINUTE_MS);
  return rig;
}

function works(rig: LiveRig): number {
  return rig.bot?.status().orders.length ?? -1;
}

describe('many cancels of a live bot', () => {
  it.each(['halt', 'flatten'] as const)(
    '%s cancels 25 spot orders in three calls',
    async (action) => {
      const rig = await aLadder('spot');
      if (action === 'halt') rig.bot?.halt('enough');
      else rig.bot?.flatten();
      await rig.until(() => works(rig) === 0);
      expect([rig.calls.get('cancelBatch'), rig.calls.get('cancel')]).toEqual([3, undefined]);
      expect(rig.account.openOrders(SPOT_ID, rig.now())).toEqual([]);
    },
  );

  it('end all orders at a stop in three calls, even if the answer to the first is lost', async () => {
    const rig = await aLadder('spot');
    rig.lost.add('cancelBatch');
    await rig.stop('cancel');
    expect([rig.calls.get('cancelBatch'), rig.calls.get('cancel')]).toEqual([3, undefined]);
    expect(rig.account.openOrders(SPOT_ID, rig.now())).toEqual([]);
  });

  it('are sent one by one for a contract', async () => {
    const rig = await aLadder('futures');
    rig.bot?.halt('enough');
    await rig.until(() => works(rig) === 0);
    expect([rig.calls.get('cancelBatch'), rig.calls.get('cancel')]).toEqual([undefined, ORDERS]);
  });

  it.each([
    ['spot', 'while the bot runs'],
    ['futures', 'while the bot runs'],
    ['spot', 'also by its next process'],
  ] as const)('of %s are repeated after minutes of failures, %s', async (product, when) => {
    const rig = await aLadder(product);
    for (const call of ['cancel', 'cancelBatch']) rig.broken.add(call);
    rig.bot?.halt('enough');
    await rig.pass(2 * MINUTE_MS);
    const during = works(rig);
    if (when !== 'while the bot runs') await rig.stop();
    rig.broken.clear();
    if (when !== 'while the bot runs') await rig.restart();
    await rig.pass(MINUTE_MS);

    expect(during).toBe(ORDERS);
    expect(works(rig)).toBe(0);
    const id = product === 'spot' ? SPOT_ID : FUTURES_ID;
    expect(rig.account.openOrders(id, rig.now())).toEqual([]);
    expect(rig.bot?.status().state).toBe('halted');
    await rig.stop();
    expect((await rig.replay(1, { strategyClass: Ladder })).kind).toBe('identical');
  });

  it('are counted in status until the venue answers', async () => {
    const rig = await aLadder('spot');
    rig.broken.add('cancelBatch');
    rig.bot?.halt('enough');
    await rig.pass(1_000);
    expect(rig.bot?.status().cancels).toEqual([{ instrumentId: SPOT_ID, count: ORDERS }]);
    rig.broken.clear();
    await rig.until(() => works(rig) === 0);
    expect(rig.bot?.status().cancels).toEqual([]);
  });
});
