import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  MINUTE_MS,
  SECOND_MS,
  type EpochMs,
  type ExitSize,
  type Work,
} from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { SPOT_ID } from '../../support/local-exchange/test-exchange.js';

/** When the position is to be closed, how, and when the exit is canceled. */
const plan: {
  leaveAt: EpochMs;
  stayAt: EpochMs;
  work?: Work | undefined;
  size?: ExitSize | undefined;
} = {
  leaveAt: Number.POSITIVE_INFINITY,
  stayAt: Number.POSITIVE_INFINITY,
};

/** Buys, and exits once at `leaveAt`. */
class Once extends CandleStrategy({}, { state: { hasBought: false, hasLeft: false } }) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (!this.state.hasBought) this.enterLong({ quantity: '0.01' });
    this.state.hasBought = true;
    if (this.now >= plan.leaveAt && !this.state.hasLeft) {
      this.state.hasLeft = true;
      this.exit({ label: 'once', work: plan.work, ...(plan.size && { size: plan.size }) });
    }
    if (this.now >= plan.stayAt) this.cancel({ label: 'once' });
  }
}

/** A bot with a position whose only exit the venue has not accepted. */
async function aFailedExit(leave: (now: EpochMs) => void, work?: Work): Promise<LiveRig> {
  plan.work = work;
  plan.size = undefined;
  plan.leaveAt = Number.POSITIVE_INFINITY;
  plan.stayAt = Number.POSITIVE_INFINITY;
  const rig = new LiveRig('spot');
  const bot = await rig.start({ strategyClass: Once });
  await rig.until(() => bot.engine.portfolio.isExposed);
  rig.broken.add('submit');
  leave(rig.now());
  await rig.pass(3 * MINUTE_MS);
  // The next candle is most of a minute away.
  await rig.pass(MINUTE_MS - (rig.now() % MINUTE_MS) + 5 * SECOND_MS);
  expect(bot.engine.portfolio.isExposed).toBe(true);
  return rig;
}

/** Buys in four parts, a minute apart. */
class Sliced extends CandleStrategy({}, { state: { hasBought: false } }) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (this.state.hasBought) return;
    this.state.hasBought = true;
    this.enterLong({ quantity: '0.04' }, { work: { twap: { over: '4min', slices: 4 } } });
  }
}

function sold(rig: LiveRig): number {
  return rig.account.trades(SPOT_ID, rig.now()).filter(({ side }) => side === 'sell').length;
}

describe('a part of an order that the venue does not accept', () => {
  it('is sent with the next part', async () => {
    const rig = new LiveRig('spot');
    const bot = await rig.start({ strategyClass: Sliced });
    await rig.until(() => bot.engine.portfolio.isExposed);
    rig.broken.add('submit');
    await rig.pass(75 * SECOND_MS);
    rig.broken.clear();
    await rig.pass(4 * MINUTE_MS);

    const bought = rig.account
      .trades(SPOT_ID, rig.now())
      .reduce((sum, { quantity }) => sum + quantity, 0n);
    expect(formatFixed(bought)).toBe('0.04');
    await rig.stop();
    expect((await rig.replay(1, { strategyClass: Sliced })).kind).toBe('identical');
  });
});

describe('an exit that the venue does not accept', () => {
  it.each(['while the bot runs', 'also by its next process'])('is sent again, %s', async (when) => {
    const rig = await aFailedExit((now) => (plan.leaveAt = now));
    expect(rig.bot?.status().waiting).toMatchObject([{ kind: 'exit', label: 'once' }]);
    if (when !== 'while the bot runs') await rig.stop();
    rig.broken.clear();
    if (when !== 'while the bot runs') await rig.restart();
    await rig.pass(35 * SECOND_MS);

    expect(sold(rig)).toBe(1);
    expect(rig.bot?.status().waiting).toEqual([]);
    await rig.stop();
    expect((await rig.replay(1, { strategyClass: Once })).kind).toBe('identical');
  });

  it.each<Work>([{ chase: { every: '5s', maxBps: '500' } }, { limitFor: '10s', then: 'market' }])(
    'starts again if it is worked (%o)',
    async (work) => {
      const rig = await aFailedExit((now) => (plan.leaveAt = now), work);
      const tries = rig.bot?.engine.orders.length ?? 0;
      await rig.pass(30 * SECOND_MS);
      const more = (rig.bot?.engine.orders.length ?? 0) - tries;
      rig.broken.clear();
      await rig.until(() => rig.bot?.engine.portfolio.isExposed === false);

      expect(more).toBeGreaterThan(0);
      expect(rig.bot?.status().waiting).toEqual([]);
      await rig.stop();
      expect((await rig.replay(1, { strategyClass: Once })).kind).toBe('identical');
    },
  );

  it('is sent again before the next candle, and once, if it is a part', async () => {
    plan.work = undefined;
    plan.leaveAt = Number.POSITIVE_INFINITY;
    plan.stayAt = Number.POSITIVE_INFINITY;
    plan.size = { share: '0.5' };
    const rig = new LiveRig('spot');
    const bot = await rig.start({ strategyClass: Once });
    await rig.until(() => bot.engine.portfolio.isExposed);
    rig.broken.add('submit');
    plan.leaveAt = rig.now();
    for (let seconds = 0; seconds < 60 && bot.status().waiting.length === 0; seconds += 1)
      await rig.pass(SECOND_MS);
    const { waiting } = bot.status();
    rig.broken.clear();
    await rig.pass(20 * SECOND_MS);
    const soon = sold(rig);
    await rig.pass(3 * MINUTE_MS);

    expect(waiting).toMatchObject([{ kind: 'exit', label: 'once' }]);
    expect([soon, sold(rig)]).toEqual([1, 1]);
    expect(bot.status()).toMatchObject({ positions: [{ quantity: '0.005' }], waiting: [] });
    await rig.stop();
    expect((await rig.replay(1, { strategyClass: Once })).kind).toBe('identical');
  });

  it('is not sent again if it was canceled meanwhile', async () => {
    const rig = await aFailedExit((now) => {
      plan.leaveAt = now;
      plan.stayAt = now + 2 * MINUTE_MS;
    });
    rig.broken.clear();
    await rig.pass(2 * MINUTE_MS);

    expect(sold(rig)).toBe(0);
    expect(rig.bot?.status().waiting).toEqual([]);
  });
});
