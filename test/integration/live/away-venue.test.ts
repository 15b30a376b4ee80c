import { describe, expect, it } from 'vitest';

import { formatFixed, MINUTE_MS, SECOND_MS } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { createDirectVenue } from '../../support/local-exchange/direct-venue.js';
import { FUTURES_ID, SPOT_ID } from '../../support/local-exchange/test-exchange.js';
import { LiveRig } from '../../support/live/live-rig.js';

const AWAY_MS = 10 * MINUTE_MS;
/** All that a bot calls. */
const ALL = [
  ...['ticker', 'candles', 'markPrice', 'listings', 'serverTime', 'account', 'openOrders', 'order'],
  ...['trades', 'orderHistory', 'profits', 'submit', 'submitBatch', 'cancel', 'cancelBatch'],
];

/** Buys once, with a stop a twentieth of a percent below. */
class Guarded extends CandleStrategy({}) {
  static entered = 0;
  override readonly warmup = 3;

  override onCandle(): void {
    if (Guarded.entered > 0) return;
    Guarded.entered += 1;
    const protection = { stopLoss: { ratio: '0.0005' } };
    const quantity = this.position.instrumentId.startsWith('futures') ? '17' : '0.01';
    this.enterLong({ quantity }, { protection });
  }
}

function stopOf(rig: LiveRig): number | undefined {
  const stop = rig.bot?.status().guards[0]?.stop;
  return stop === undefined ? undefined : Number(stop);
}

describe('a venue that is away for ten minutes while a stop is passed', () => {
  it.each(['spot', 'futures'] as const)('%s: the stop fires once it is back', async (product) => {
    Guarded.entered = 0;
    const rig = new LiveRig(product);
    await rig.start({ strategyClass: Guarded });
    while (stopOf(rig) === undefined) await rig.pass(SECOND_MS);
    const stop = stopOf(rig) ?? 0;
    const { marketData } = createDirectVenue(rig.exchange);
    const id = product === 'spot' ? SPOT_ID : FUTURES_ID;
    const { signal } = new AbortController();
    const last = async (): Promise<number> =>
      Number(formatFixed((await marketData.ticker(id, { signal })).last));
    for (const name of ALL) rig.broken.add(name);
    await rig.pass(AWAY_MS);
    while ((await last()) > stop) await rig.pass(MINUTE_MS);
    const away = rig.bot?.status();
    rig.broken.clear();

    const back = rig.now();
    while (rig.bot?.status().positions.length !== 0 && rig.now() - back < 2 * MINUTE_MS)
      await rig.pass(SECOND_MS);
    const tookMs = rig.now() - back;
    await rig.pass(3 * MINUTE_MS);
    const after = rig.bot?.status();

    expect(away).toMatchObject({ state: 'degraded', positions: [{}] });
    expect(tookMs).toBeLessThanOrEqual(10 * SECOND_MS);
    expect(after).toMatchObject({ positions: [], orders: [], reasons: [] });
  });
});
