import { describe, expect, it } from 'vitest';

import { formatFixed, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/domain/index.js';
import type { LiveBot } from '../../../src/live/index.js';
import { CandleStrategy, int } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Rests a buy below the market, and after its fill a sell above. Every `every` candles it trades at the market. */
class Rester extends CandleStrategy({ per10k: int(1, 9_000, 3), every: int(2, 1_000, 7) }) {
  override readonly warmup = 3;
  #count = 0;

  override onCandle({ close }: { readonly close: number }): void {
    this.#count += 1;
    const isHolding = this.position.quantity.gt(0);
    if (this.#count % this.parameters.every === 0) {
      this.cancel({ label: 'rest' });
      if (isHolding) this.exit();
      else this.enterLong({ notional: '2000' });
    } else if (this.workingOrders().length === 0) {
      const away = this.parameters.per10k / 10_000;
      const limitPrice = (close * (isHolding ? 1 + away : 1 - away)).toFixed(2);
      if (isHolding) this.exit({ limitPrice, label: 'rest' });
      else this.enterLong({ notional: '1000' }, { limitPrice, label: 'rest' });
    }
  }
}

/** Buys once and holds. */
class Holder extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (!this.position.quantity.gt(0)) this.enterLong({ notional: '5000' });
  }
}

/** Sells short, which borrows the asset, and holds. */
class Shorter extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (this.position.direction !== 'short') this.enterShort({ notional: '5000' });
  }
}

async function aPaperBot(
  strategyClass: typeof Rester | typeof Holder | typeof Shorter,
  product: ConstructorParameters<typeof LiveRig>[0] = 'spot',
  set: readonly string[] = [],
): Promise<LiveRig> {
  const rig = new LiveRig(product, {}, 'paper');
  await rig.start({ strategyClass, set });
  return rig;
}

const botOf = ({ bot }: LiveRig): LiveBot => {
  if (bot === undefined) throw new Error('expected a bot');
  return bot;
};
const fillsOf = (rig: LiveRig): LiveBot['engine']['fills'] => botOf(rig).engine.fills;
/** The orders, positions and balances of a bot. */
function ownedBy(rig: LiveRig): unknown {
  const { orders, positions } = botOf(rig).status();
  return { orders, positions, balances: botOf(rig).engine.portfolio.balances() };
}
/** Funding and interest of the bot. */
const carriesOf = (rig: LiveRig): LiveBot['engine']['financings'] => botOf(rig).engine.financings;

/** Replays each epoch with its simulated venue. Returns the kinds of the outcomes. */
async function replays(rig: LiveRig, start: Parameters<LiveRig['replay']>[1]): Promise<unknown> {
  const kinds = [];
  for (const { id } of await rig.epochs()) kinds.push((await rig.replay(id, start)).kind);
  return kinds;
}

describe('a bot on paper', () => {
  it('trades at polled prices without a private call, and replays', async () => {
    const rig = await aPaperBot(Rester);

    await rig.until(() => fillsOf(rig).length >= 12);

    const liquidity = new Set(Array.from(fillsOf(rig), ({ record }) => record.liquidity));
    expect(liquidity).toEqual(new Set(['maker', 'taker']));
    expect(botOf(rig).status()).toMatchObject({ mode: 'paper', state: 'running', reasons: [] });
    expect(formatFixed(botOf(rig).engine.portfolio.residual())).toBe('0');
    await rig.stop();
    expect(await replays(rig, { strategyClass: Rester })).toEqual(['identical']);
    // The exchange received no order.
    expect(rig.account.orders('spot:BTCUSDT' as never, rig.now())).toEqual([]);
  });

  it('fills an order at the first price after it', async () => {
    const rig = await aPaperBot(Holder);

    await rig.until(() => fillsOf(rig).length > 0);

    const [order] = botOf(rig).engine.orders;
    const [fill] = fillsOf(rig);
    const waited = (fill?.record.eventTime ?? 0) - (order?.createdTime ?? 0);
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThanOrEqual(2 * SECOND_MS);
  });

  it('continues after kills with its orders, positions and balances', async () => {
    const rig = await aPaperBot(Rester);
    await rig.until(() => fillsOf(rig).length >= 3);

    for (const after of [0, 1, 2, 3, 4, 5].map((count) => 37_000 + count * 61_700)) {
      await rig.pass(after);
      const owned = ownedBy(rig);
      rig.kill();
      await rig.restart();

      expect(ownedBy(rig)).toEqual(owned);
    }
    await rig.pass(2 * MINUTE_MS);

    expect(botOf(rig).status().reasons).toEqual([]);
    const ids = Array.from(botOf(rig).engine.orders, ({ request }) => request.clientOrderId);
    expect(new Set(ids).size).toBe(ids.length);
    await rig.stop();
    expect(await replays(rig, { strategyClass: Rester })).toEqual(['identical']);
  });

  it('keeps its position when it is stopped and restarted', async () => {
    const rig = await aPaperBot(Holder);
    await rig.until(() => fillsOf(rig).length > 0);
    const owned = ownedBy(rig);

    await rig.stop('keep');
    await rig.restart();

    expect(ownedBy(rig)).toEqual(owned);
    expect(await rig.epochs()).toHaveLength(1);
  });

  it('closes its position at a stop with flatten', async () => {
    const rig = await aPaperBot(Holder);
    await rig.until(() => fillsOf(rig).length > 0);

    await rig.stop('flatten');

    expect(botOf(rig).status()).toMatchObject({ state: 'stopped', orders: [] });
    // Only a rest below one step of base may remain.
    expect(botOf(rig).engine.portfolio.isExposed).toBe(false);
  });

  it('fills a resting order from the candles that it missed', async () => {
    const rig = await aPaperBot(Rester, 'spot', ['strategy.parameters.every=1000']);
    await rig.until(() => botOf(rig).status().orders[0]?.status === 'open');
    const fills = fillsOf(rig).length;

    rig.kill();
    await rig.sleep(4 * HOUR_MS);
    await rig.restart();
    await rig.pass(5 * SECOND_MS);

    expect(fillsOf(rig).length).toBe(fills + 1);
    expect([...fillsOf(rig)].at(-1)?.record.liquidity).toBe('maker');
  });

  it('has no taker fill and is degraded while there is no price', async () => {
    const rig = await aPaperBot(Rester);
    await rig.until(() => fillsOf(rig).length >= 1);

    rig.broken.add('ticker');
    await rig.pass(MINUTE_MS);
    const since = fillsOf(rig).length;
    const { state, reasons } = botOf(rig).status();
    await rig.pass(20 * MINUTE_MS);
    const takers = [...fillsOf(rig)]
      .slice(since)
      .filter(({ record }) => record.liquidity === 'taker');
    rig.broken.clear();
    await rig.until(() => botOf(rig).status().state === 'running');

    expect(state).toBe('degraded');
    expect(reasons.join()).toContain('the last price of spot:BTCUSDT is down');
    // Resting orders may still fill by candles, as maker.
    expect(takers).toEqual([]);
    await rig.until(() => fillsOf(rig).length >= since + 3);
  });

  it('pays funding at its time, also if it was away then', async () => {
    const rig = await aPaperBot(Holder, 'futures', ['simulation.futures.fundingInterval=1h']);
    await rig.until(() => fillsOf(rig).length > 0);

    await rig.until(() => carriesOf(rig).length === 1);
    expect((carriesOf(rig)[0]?.time ?? 0) % HOUR_MS).toBeLessThan(5 * SECOND_MS);
    rig.kill();
    await rig.sleep(2 * HOUR_MS);
    await rig.restart();
    await rig.pass(5 * SECOND_MS);

    expect(carriesOf(rig).map(({ kind }) => kind)).toEqual(['funding', 'funding', 'funding']);
    expect(botOf(rig).status().reasons).toEqual([]);
    await rig.stop();
    expect(
      await replays(rig, { strategyClass: Holder, set: ['simulation.futures.fundingInterval=1h'] }),
    ).toEqual(['identical']);
  });

  it('borrows on margin, and owes interest every hour', async () => {
    const rig = await aPaperBot(Shorter, 'margin', ['simulation.margin.hourlyRate="0.0001"']);
    await rig.until(() => fillsOf(rig).length > 0);

    await rig.pass(2 * HOUR_MS);

    const kinds = carriesOf(rig).map(({ kind }) => kind);
    expect(kinds.length).toBeGreaterThanOrEqual(2);
    expect(new Set(kinds)).toEqual(new Set(['interest']));
    expect(botOf(rig).status().positions).toMatchObject([{ direction: 'short' }]);
    await rig.stop();
    expect(
      await replays(rig, {
        strategyClass: Shorter,
        set: ['simulation.margin.hourlyRate="0.0001"'],
      }),
    ).toEqual(['identical']);
  });

  it('refuses to continue with another plugin', async () => {
    const rig = await aPaperBot(Holder);
    await rig.until(() => fillsOf(rig).length > 0);
    await rig.stop();

    await expect(rig.restart({ sourceHash: 'another' })).rejects.toMatchObject({
      code: 'E_REPLAY_INPUTS',
    });
  });
});
