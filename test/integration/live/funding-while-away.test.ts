import { describe, expect, it } from 'vitest';

import { CandleRows, HOUR_MS, MINUTE_MS, type EpochMs } from '../../../src/domain/index.js';
import type { ListedSource } from '../../../src/local-exchange/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { futuresMoney } from '../../support/live/futures-money.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { MARKET_START, testInstruments } from '../../support/local-exchange/test-exchange.js';

/** Opens contracts once. If `offer` is set, it offers them at once at that multiple of their entry price. */
class Holder extends CandleStrategy({}, { state: { entered: false } }) {
  static offer: number | undefined;
  override readonly warmup = 3;

  override onCandle(): void {
    if (this.position.quantity.gt(0)) {
      const { entryPrice } = this.position;
      if (Holder.offer === undefined || entryPrice === undefined) return;
      if (this.workingOrders().length === 0)
        this.exit({ limitPrice: entryPrice.times(Holder.offer).toFixed(2) });
    } else if (!this.state.entered) {
      this.state.entered = true;
      this.enterLong({ quantity: '1000' });
    }
  }
}

const FUNDED = MARKET_START + HOUR_MS;

/** The market of the tests. Its contract pays 0.1 % funding an hour after the start. From `from` on, its prices are multiplied by `factor`. */
function market(factor = 1, from: EpochMs = Number.POSITIVE_INFINITY): readonly ListedSource[] {
  return testInstruments().map((source) => {
    if (source.instrument.kind !== 'futures') return source;
    const columns = source.rows.whole();
    const scaled = (prices: ArrayLike<number>): Float64Array =>
      Float64Array.from(prices, (price, index) =>
        (columns.openTime[index] ?? 0) < from ? price : Math.round(price * factor * 100) / 100,
      );
    const { open, high, low, close } = columns;
    const rows = CandleRows.of({
      ...columns,
      open: scaled(open),
      high: scaled(high),
      low: scaled(low),
      close: scaled(close),
    });
    return {
      ...source,
      rows,
      funding: { stored: { time: Float64Array.of(FUNDED), rate: Float64Array.of(0.001) } },
    };
  });
}

/** A bot that holds contracts. It is killed some minutes before the settlement. */
async function killedHolder(instruments: readonly ListedSource[]): Promise<LiveRig> {
  const rig = new LiveRig('futures', { futures: { USDT: '100000' } }, 'live', { instruments });
  await rig.sleep(50 * MINUTE_MS);
  const bot = await rig.start({ strategyClass: Holder });
  await rig.until(() => bot.status().positions.length > 0);
  await rig.pass(2 * MINUTE_MS);
  rig.kill();
  return rig;
}

describe('funding of contracts while their bot is away', () => {
  it('is booked when the bot is back, not at the next full hour', async () => {
    Holder.offer = undefined;
    const rig = await killedHolder(market());
    await rig.sleep(20 * MINUTE_MS);

    await rig.restart();
    await rig.pass(5_000);

    const { venue, bot } = futuresMoney(rig);
    expect(bot).toBe(venue);
  });

  it('is booked also if the contracts were sold before the bot is back', async () => {
    Holder.offer = 1.05;
    const rig = await killedHolder(market(1.1, FUNDED + 5 * MINUTE_MS));
    await rig.sleep(20 * MINUTE_MS);

    await rig.restart();

    expect(rig.bot?.status().positions).toEqual([]);
    expect(futuresMoney(rig).bot).toBe(futuresMoney(rig).venue);
  });

  it('is booked also if the contracts were liquidated before the bot is back', async () => {
    Holder.offer = undefined;
    const rig = await killedHolder(market(0.75, FUNDED + 5 * MINUTE_MS));
    await rig.sleep(20 * MINUTE_MS);

    await rig.restart();

    expect(rig.bot?.status().positions).toEqual([]);
    expect(futuresMoney(rig).bot).toBe(futuresMoney(rig).venue);
  });
});
