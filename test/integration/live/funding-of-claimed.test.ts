import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  type Fixed,
  type OrderRequest,
} from '../../../src/domain/index.js';
import { isRefusal } from '../../../src/local-exchange/refusal.js';
import type { ListedSource } from '../../../src/local-exchange/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import {
  FUTURES_ID,
  MARKET_START,
  testInstruments,
} from '../../support/local-exchange/test-exchange.js';
import { aLimitRequest } from '../../support/order-requests.js';

const FUNDED = MARKET_START + HOUR_MS;

/** Sells half of its contracts once, when told to. */
class Halver extends CandleStrategy({}) {
  static sells = false;
  override readonly warmup = 3;

  override onCandle(): void {
    if (!Halver.sells || this.position.quantity.eq(0)) return;
    Halver.sells = false;
    this.exit({ size: { quantity: '500' } });
  }
}

/** The contract pays 0.1 % funding with each hour. */
function market(): readonly ListedSource[] {
  const time = Float64Array.of(FUNDED, FUNDED + HOUR_MS, FUNDED + 2 * HOUR_MS);
  const funding = { stored: { time, rate: new Float64Array(time.length).fill(0.001) } };
  return testInstruments().map((source) =>
    source.instrument.kind === 'futures' ? { ...source, funding } : source,
  );
}

/** A bot that claims 1,000 contracts, which others bought before the first settlement. */
async function claimer(): Promise<LiveRig> {
  const rig = new LiveRig('futures', { futures: { USDT: '100000' } }, 'live', {
    instruments: market(),
  });
  await rig.sleep(50 * MINUTE_MS);
  const request: OrderRequest = {
    ...aLimitRequest({ instrumentId: FUTURES_ID, side: 'buy' }),
    ...{ action: 'open', unit: 'contracts', marginMode: 'isolated' },
    ...{ quantity: parseFixed('1000'), limitPrice: parseFixed('200000') },
  };
  const placed = rig.account.place(request, rig.now(), {});
  if (isRefusal(placed)) throw new Error(placed.message);
  await rig.sleep(20 * MINUTE_MS);
  await rig.start({ strategyClass: Halver, set: ['live.externalOrders=claim'] });
  await rig.pass(3 * MINUTE_MS);
  return rig;
}

/** Money of the account by the venue, less that by the bot. They differ by what others did before the claim. */
function difference(rig: LiveRig): Fixed {
  const [account] = rig.account.futures(rig.now()).accounts;
  const { available = 0n, locked = 0n, isolatedMargin = 0n, realizedProfit = 0n } = account ?? {};
  const bot = rig.bot?.engine.portfolio.total('USDT', 'futures') ?? 0n;
  return available + locked + isolatedMargin + realizedProfit - bot;
}

/** Money of contracts when the bot claimed them. */
async function claimedMoney(rig: LiveRig): Promise<string> {
  const { balances } = (await rig.epochs()).at(-1)?.header.checkpoint ?? {};
  return formatFixed(balances?.find(({ account }) => account === 'futures')?.total ?? 0n);
}

describe('funding of claimed contracts', () => {
  it('counts from the claim on, also after a part was sold and the bot was started again', async () => {
    const rig = await claimer();
    const bot = (): string => formatFixed(rig.bot?.engine.portfolio.total('USDT', 'futures') ?? 0n);

    expect(rig.bot?.status().positions).toMatchObject([{ quantity: '1000' }]);
    const claimed = await claimedMoney(rig);
    expect(bot()).toBe(claimed);

    const before = formatFixed(difference(rig));
    await rig.pass(FUNDED + HOUR_MS + 2 * MINUTE_MS - rig.now());
    expect(bot()).not.toBe(claimed);
    expect(formatFixed(difference(rig))).toBe(before);

    Halver.sells = true;
    await rig.pass(3 * MINUTE_MS);
    expect(rig.bot?.status().positions).toMatchObject([{ quantity: '500' }]);
    await rig.stop();
    await rig.restart({ set: [] });
    await rig.pass(FUNDED + 2 * HOUR_MS + 2 * MINUTE_MS - rig.now());
    expect(formatFixed(difference(rig))).toBe(before);
  });
});
