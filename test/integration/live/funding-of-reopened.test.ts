import { describe, expect, it } from 'vitest';

import { HOUR_MS, MINUTE_MS, type Fill } from '../../../src/domain/index.js';
import type { ListedSource } from '../../../src/local-exchange/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { futuresMoney } from '../../support/live/futures-money.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { MARKET_START, testInstruments } from '../../support/local-exchange/test-exchange.js';

const FUNDED = MARKET_START + HOUR_MS;

/** Holds contracts, sells them at the settlement, and buys at once if `again` is set. */
class Reopener extends CandleStrategy({}) {
  static again = true;
  override readonly warmup = 3;

  readonly sale = this.every('@hourly', () => {
    if (this.now === FUNDED) this.exit();
  });

  override onCandle(): void {
    if (this.now < FUNDED && this.position.quantity.eq(0)) this.enterLong({ quantity: '1000' });
  }

  override onFill(fill: Fill): void {
    if (fill.action === 'close' && Reopener.again) this.enterLong({ quantity: '500' });
  }
}

/** The contract pays 0.1 % funding an hour after the start, and again an hour later. */
function market(): readonly ListedSource[] {
  return testInstruments().map((source) =>
    source.instrument.kind === 'futures'
      ? {
          ...source,
          funding: {
            stored: {
              time: Float64Array.of(FUNDED, FUNDED + HOUR_MS),
              rate: Float64Array.of(0.001, 0.002),
            },
          },
        }
      : source,
  );
}

async function holder(): Promise<LiveRig> {
  const rig = new LiveRig('futures', { futures: { USDT: '100000' } }, 'live', {
    instruments: market(),
  });
  // A reading of the account waits for its turn behind the sale.
  rig.isLimited = true;
  await rig.sleep(50 * MINUTE_MS);
  const bot = await rig.start({ strategyClass: Reopener });
  await rig.until(() => bot.status().positions.length > 0);
  return rig;
}

describe('funding of contracts that are sold at a settlement', () => {
  it('is booked if contracts were bought again before it was read', async () => {
    Reopener.again = true;
    const rig = await holder();
    await rig.pass(FUNDED + 10_000 - rig.now());

    expect(rig.bot?.status().positions).toHaveLength(1);
    expect(futuresMoney(rig).bot).toBe(futuresMoney(rig).venue);

    await rig.pass(HOUR_MS);
    expect(futuresMoney(rig).bot).toBe(futuresMoney(rig).venue);
  });

  it('is booked if the bot is killed before it was read', async () => {
    Reopener.again = false;
    const rig = await holder();
    await rig.pass(FUNDED - MINUTE_MS - rig.now());
    const holds = (): boolean => rig.bot?.status().positions.length !== 0;
    while (holds()) await rig.pass(100);
    rig.kill();
    await rig.sleep(MINUTE_MS);
    await rig.restart();
    await rig.pass(2 * MINUTE_MS);

    expect(rig.bot?.status().positions).toEqual([]);
    expect(futuresMoney(rig).bot).toBe(futuresMoney(rig).venue);
  });
});
