import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  MINUTE_MS,
  parseFixed,
  type ClientOrderId,
  type LimitOrderRequest,
  type OrderRequest,
} from '../../../src/domain/index.js';
import { isRefusal } from '../../../src/local-exchange/refusal.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { FUTURES_ID, SPOT_ID } from '../../support/local-exchange/test-exchange.js';
import { aLimitRequest } from '../../support/order-requests.js';
import { aBalance } from '../../support/live/beliefs.js';

/** Opens 100 contracts, or buys for 1000, once while `wants` is true. Notes the ids of its order updates. */
class Opener extends CandleStrategy({}, { state: { candles: 0 } }) {
  static wants = true;
  static orders: string[] = [];
  override readonly warmup = 3;

  override onCandle(): void {
    this.state.candles += 1;
    const isFutures = this.instruments[0]?.instrumentId.startsWith('futures') === true;
    if (!Opener.wants || this.position.quantity.gt(0)) return;
    Opener.wants = false;
    this.enterLong(isFutures ? { quantity: '100' } : { notional: '1000' });
  }

  override onOrder({ clientOrderId }: { readonly clientOrderId: string }): void {
    Opener.orders.push(clientOrderId);
  }
}

/** Sets its stop with each candle, 15 % below the entry price. */
class Protecting extends Opener {
  override onCandle(): void {
    if (this.position.quantity.gt(0)) this.protect({ stopLoss: { ratio: '0.15' } });
  }
}

/** Places an order that is not from the bot. */
function externalTrades(rig: LiveRig, order: Partial<LimitOrderRequest>): void {
  const isContract = order.instrumentId === FUTURES_ID;
  const request: OrderRequest = {
    ...aLimitRequest({}),
    unit: isContract ? 'contracts' : 'base',
    ...(isContract && { marginMode: 'isolated' }),
    ...order,
  };
  const placed = rig.account.place(
    { ...request, action: isContract ? request.action : undefined },
    rig.now(),
    {},
  );
  if (isRefusal(placed)) throw new Error(placed.message);
}

const HIGH = parseFixed('200000');
const LOW = parseFixed('10000');

const OPEN = { instrumentId: FUTURES_ID, side: 'buy', action: 'open', limitPrice: HIGH } as const;
const BUY = { instrumentId: SPOT_ID, side: 'buy' } as const;
const CLOSE = { instrumentId: FUTURES_ID, side: 'sell', action: 'close', limitPrice: LOW } as const;

/** An external order while the bot is away, and the position of the bot at that time. */
const CASES = [
  {
    kind: 'order-unknown-foreign',
    product: 'spot',
    wants: false,
    order: {
      instrumentId: SPOT_ID,
      side: 'buy',
      limitPrice: LOW,
      quantity: parseFixed('0.01'),
      clientOrderId: 'by-hand' as ClientOrderId,
    },
  },
  {
    kind: 'position-foreign',
    product: 'futures',
    wants: false,
    order: { ...OPEN, quantity: parseFixed('40') },
  },
  {
    kind: 'position-larger',
    product: 'futures',
    wants: true,
    order: { ...OPEN, quantity: parseFixed('40') },
  },
  {
    kind: 'position-smaller',
    product: 'futures',
    wants: true,
    order: { ...CLOSE, quantity: parseFixed('40') },
  },
  {
    kind: 'position-absent',
    product: 'futures',
    wants: true,
    order: { ...CLOSE, quantity: parseFixed('100') },
  },
  {
    kind: 'balance-short',
    product: 'spot',
    wants: true,
    order: {
      instrumentId: SPOT_ID,
      side: 'buy',
      limitPrice: HIGH,
      quantity: parseFixed('0.2'),
    },
  },
] as const;
type Case = (typeof CASES)[number];

/** A bot that has stopped, and an account on which an external order has traded since. */
async function afterExternal({ product, wants, order }: Case): Promise<LiveRig> {
  Opener.wants = wants;
  Opener.orders = [];
  const rig = new LiveRig(product, {
    spot: { USDT: '100000' },
    futures: { USDT: '1000000' },
  });
  const bot = await rig.start({ strategyClass: Opener });
  await rig.pass(3 * MINUTE_MS);
  expect(bot.engine.portfolio.isExposed).toBe(wants);
  Opener.wants = false;
  await rig.stop();
  externalTrades(rig, order);
  await rig.pass(2 * MINUTE_MS);
  return rig;
}

/** The long contracts, or the BTC, that the exchange reports. */
function heldThere(rig: LiveRig, { product }: Case): string {
  if (product === 'spot') {
    const found = rig.account.spot(rig.now()).balances.find(({ asset }) => asset === 'BTC');
    return formatFixed((found?.exact.free ?? 0n) + (found?.exact.locked ?? 0n));
  }
  const { accounts } = rig.account.futures(rig.now());
  const positions = accounts.flatMap((account) => account.positions);
  const long = positions.filter(({ isValid, direction }) => isValid && direction === 'long');
  return formatFixed(long.reduce((sum, { quantity }) => sum + quantity, 0n));
}

describe('a bot whose account has external trades', () => {
  it.each(CASES)('does not start if they are to be refused: $kind', async (given) => {
    const rig = await afterExternal(given);

    const bot = await rig.restart();

    expect(await bot.ended).toMatchObject({
      kind: 'failed',
      error: { code: 'E_DISAGREEMENT', message: expect.stringContaining(given.kind) as string },
    });
  });

  it.each(CASES)('starts if they are to be ignored and can be: $kind', async (given) => {
    const rig = await afterExternal(given);

    const bot = await rig.restart({ set: ['live.externalOrders=ignore'] });

    if (given.kind === 'order-unknown-foreign') {
      await rig.pass(2 * MINUTE_MS);
      expect(bot.status()).toMatchObject({ state: 'running', orders: [] });
      await rig.stop();
    } else {
      expect(await bot.ended).toMatchObject({ error: { code: 'E_DISAGREEMENT' } });
    }
  });

  it.each(CASES)('claims them and continues with them: $kind', async (given) => {
    const rig = await afterExternal(given);

    const bot = await rig.restart({ set: ['live.externalOrders=claim'] });
    await rig.pass(3 * MINUTE_MS);

    const status = bot.status();
    expect([status.state, status.reasons]).toEqual(['running', []]);
    expect(formatFixed(bot.engine.portfolio.residual())).toBe('0');
    if (given.kind === 'order-unknown-foreign') {
      expect(status.orders).toMatchObject([{ clientOrderId: 'by-hand', quantity: '0.01' }]);
      expect(Opener.orders).toContain('by-hand');
    } else if (given.product === 'futures') {
      const held = status.positions.map(({ quantity }) => quantity);
      const there = heldThere(rig, given);
      expect(held).toEqual(there === '0' ? [] : [there]);
    } else {
      const { USDT } = Object.fromEntries(bot.engine.portfolio.balances().spot ?? []);
      const there = rig.account.spot(rig.now()).balances.find(({ asset }) => asset === 'USDT');
      expect(USDT).toBe((there?.exact.free ?? 0n) + (there?.exact.locked ?? 0n));
    }
    await rig.stop();
    const epochs = await rig.epochs();
    const kinds = [];
    for (const { id } of epochs.slice(1))
      kinds.push(
        (
          await rig.replay(id, {
            strategyClass: Opener,
            set: ['live.externalOrders=claim'],
          })
        ).kind,
      );
    expect(kinds).toEqual(['identical', 'identical']);
    const kept = epochs.map(({ header, ending }) => [header.checkpoint.state, ending?.state]);
    expect(kept[2]?.[0]).toMatchObject({ json: expect.stringMatching(/:[1-9]/) as unknown });
    expect(kept.slice(1).map(([began]) => began)).toEqual(
      kept.slice(0, -1).map(([, ended]) => ended),
    );
  });

  it('protects claimed contracts relative to the price paid for them', async () => {
    const [, given] = CASES;
    const rig = await afterExternal(given);

    const claim = { set: ['live.externalOrders=claim'] };
    const bot = await rig.restart({ ...claim, strategyClass: Protecting });
    await rig.pass(2 * MINUTE_MS);

    const { positions, guards } = bot.status();
    const { accounts } = rig.account.futures(rig.now());
    const [{ averagePrice } = {}] = accounts.flatMap((account) => account.positions);
    expect(positions).toMatchObject([{ quantity: '40' }]);
    const paid = Number(formatFixed(averagePrice ?? 0n));
    expect(Number(guards[0]?.stop) / paid).toBeCloseTo(0.85, 4);
  });

  it.each([
    {
      product: 'futures',
      funds: { futures: { USDT: '100000' } },
      traded: { ...OPEN, quantity: parseFixed('4000') },
      resting: { ...CLOSE, quantity: parseFixed('4000'), limitPrice: HIGH },
      positions: [{ direction: 'long', quantity: '4000' }],
    },
    {
      product: 'spot',
      funds: { spot: { USDT: '100000' } },
      traded: { ...BUY, limitPrice: HIGH, quantity: parseFixed('0.2') },
      resting: { ...BUY, limitPrice: LOW, quantity: parseFixed('0.01') },
      positions: [],
    },
  ] as const)(
    'claims the orders, the positions and the money at one start of a new bot: $product',
    async ({ product, funds, traded, resting, positions }) => {
      Opener.wants = false;
      const rig = new LiveRig(product, funds);
      externalTrades(rig, { ...traded, clientOrderId: 'traded' as ClientOrderId });
      externalTrades(rig, { ...resting, clientOrderId: 'by-hand' as ClientOrderId });

      const bot = await rig.start({
        strategyClass: Opener,
        set: ['live.externalOrders=claim'],
      });
      await rig.pass(3 * MINUTE_MS);

      const quantity = formatFixed(resting.quantity);
      expect(bot.status()).toMatchObject({
        ...{ state: 'running', reasons: [], positions },
        orders: [{ clientOrderId: 'by-hand', quantity }],
      });
      expect(formatFixed(bot.engine.portfolio.residual())).toBe('0');
    },
  );

  it('claims nothing a second time', async () => {
    const [, given] = CASES;
    const rig = await afterExternal(given);
    const claim = { set: ['live.externalOrders=claim'] };
    await rig.restart(claim);
    await rig.stop();

    const bot = await rig.restart(claim);
    await rig.pass(2 * MINUTE_MS);

    expect(bot.status()).toMatchObject({ state: 'running', positions: [{ quantity: '40' }] });
    expect(await rig.epochs()).toHaveLength(4);
  });

  it('enters nothing while the venue holds more than the bot expects, and continues afterwards', async () => {
    Opener.wants = true;
    const rig = new LiveRig('futures', { futures: { USDT: '1000000' } });
    const bot = await rig.start({
      strategyClass: Opener,
      set: ['live.externalOrders=ignore'],
    });
    await rig.pass(3 * MINUTE_MS);
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });

    externalTrades(rig, { ...OPEN, quantity: parseFixed('40') });
    await rig.pass(2 * MINUTE_MS);
    const during = bot.status();
    externalTrades(rig, { ...CLOSE, quantity: parseFixed('40') });
    await rig.pass(2 * MINUTE_MS);

    expect(during).toMatchObject({
      state: 'degraded',
      reasons: [expect.stringContaining('position-larger') as string],
    });
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
    await rig.stop();
  });
});

describe('a bot with a working external order beside its own', () => {
  const [{ order }] = CASES;

  async function besideOther() {
    Opener.wants = false;
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    const bot = await rig.start({ strategyClass: Opener });
    await rig.pass(MINUTE_MS);
    externalTrades(rig, order);
    await rig.pass(3 * MINUTE_MS);
    return { rig, bot };
  }

  it('continues after the operator resumes', async () => {
    const { rig, bot } = await besideOther();
    const before = bot.status();

    bot.resume();
    await rig.pass(5 * MINUTE_MS);

    expect(before).toMatchObject({
      state: 'degraded',
      reasons: [expect.stringContaining('works there, which this bot did not send') as string],
    });
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
    externalTrades(rig, { ...order, clientOrderId: 'another' as OrderRequest['clientOrderId'] });
    await rig.pass(2 * MINUTE_MS);
    expect(bot.status()).toMatchObject({ state: 'degraded' });
    await rig.stop();
  });

  it('continues by itself when the external order is gone', async () => {
    const { rig, bot } = await besideOther();
    const before = bot.status().state;

    const { instrumentId, clientOrderId } = order;
    rig.account.cancel({ instrumentId, orderId: '0', clientOrderId }, rig.now(), {});
    await rig.pass(2 * MINUTE_MS);

    expect([before, bot.status().state]).toEqual(['degraded', 'running']);
    await rig.stop();
  });
});

describe('a bot that shares its spot account with another one', () => {
  it.each([
    ['runs beside it where there is enough for both', '1000', undefined],
    ['does not start where both count on more than there is', '1001', 'E_ALLOCATION'],
  ])('%s', async (_, amount, code) => {
    Opener.wants = false;
    const rig = new LiveRig('spot', { spot: { USDT: '101000' } });
    rig.claims.enter('other', () => [aBalance(amount)], new AbortController().signal);

    const bot = await rig.start({ strategyClass: Opener });
    await rig.pass(MINUTE_MS);

    expect(bot.status().state === 'stopped').toBe(code !== undefined);
    if (code === undefined) await rig.stop();
    else expect(await bot.ended).toMatchObject({ kind: 'failed', error: { code } });
  });
});

describe('a bot with a read-only instrument', () => {
  it.each(CASES.filter(({ wants }) => !wants))(
    'ignores external trades there, and sends nothing: $kind',
    async ({ product, order }) => {
      Opener.wants = true;
      Opener.orders = [];
      const rig = new LiveRig(product, { spot: { USDT: '100000' }, futures: { USDT: '1000000' } });
      externalTrades(rig, order);
      const set = ['instruments.0.readOnly=true'];

      const bot = await rig.start({ strategyClass: Opener, set });
      await rig.pass(3 * MINUTE_MS);
      externalTrades(rig, order);
      await rig.pass(3 * MINUTE_MS);

      const { state, reasons } = bot.status();
      expect([state, reasons]).toEqual(['running', []]);
      expect(Opener.orders).toEqual([]);
      expect(bot.engine.refusals.map(({ refusal }) => refusal.check)).toEqual(['read-only']);
      await rig.stop();
    },
  );
});
