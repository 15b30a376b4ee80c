import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  divideFloor,
  FIXED_ONE,
  formatFixed,
  MINUTE_MS,
  minFixed,
  multiplyFixed,
  parseFixed,
  present,
  type Fixed,
} from '../../../src/domain/index.js';
import { completeAccount, type AccountSettings } from '../../../src/local-exchange/index.js';
import {
  createFixedSlippage,
  createSquareRootSlippage,
  type SlippageModel,
} from '../../../src/simulator/index.js';
import {
  FUTURES_ID,
  SPOT_ID,
  startTestExchange,
  type TestExchange,
} from '../../support/local-exchange/test-exchange.js';
import { propertyRuns } from '../../support/runs.js';

const TICK = parseFixed('0.01');
/** The step of orders, and the quantity of base per unit. */
const PRODUCTS = {
  spot: { step: parseFixed('0.00001'), multiplier: FIXED_ONE },
  futures: { step: FIXED_ONE, multiplier: parseFixed('0.0001') },
} as const;
type Product = keyof typeof PRODUCTS;

interface Level {
  readonly price: Fixed;
  readonly quantity: Fixed;
}

/** Quantity, and the sum of price × quantity. */
interface Trade {
  readonly quantity: Fixed;
  readonly value: bigint;
}

/** An account that can pay for every order here. */
function richAccount(name: string, userId: string): AccountSettings {
  const balances = {
    spot: { USDT: '1000000000', BTC: '100000' },
    margin: { USDT: '1000000000', BTC: '100000' },
    futures: { USDT: '1000000000' },
  };
  return completeAccount(
    { name, userId, key: `key-of-${name}`, secret: `secret-of-${name}`, balances },
    { randomText: () => 'unused', taken: [] },
  );
}

const ANN = richAccount('ann', '10001');
const BOB = richAccount('bob', '10002');

interface Terms {
  readonly slippage: SlippageModel;
  readonly spread: string;
  readonly participation: string;
}

function start({ slippage, spread, participation }: Terms, accounts = [ANN]): TestExchange {
  return startTestExchange({
    accounts,
    terms: {
      slippage,
      halfSpread: parseFixed(spread),
      participation: participation === 'off' ? participation : parseFixed(participation),
      fillOnTouch: false,
      hourlyRate: 0n,
      maxFeeRate: 0n,
    },
  });
}

/** The levels that an order walks, read over HTTP with the key of an account or without a key. */
async function levelsOf(
  test: TestExchange,
  { product, isBuy }: { readonly product: Product; readonly isBuy: boolean },
  account?: AccountSettings,
): Promise<readonly Level[]> {
  const path =
    product === 'spot' ? '/sapi/v1/depth?symbol=BTCUSDT' : '/fapi/v1/depth?contractName=E-BTC-USDT';
  const headers: Record<string, string> =
    account === undefined ? {} : { 'x-ch-apikey': account.key };
  const { json } = await test.request(`${path}&limit=100`, { headers });
  const book = json as Readonly<Record<'bids' | 'asks', readonly (readonly unknown[])[]>>;
  return book[isBuy ? 'asks' : 'bids'].map(([price, quantity]) => ({
    price: parseFixed(String(price)),
    quantity: parseFixed(String(quantity)),
  }));
}

function sizeOf(levels: readonly Level[]): Fixed {
  return levels.reduce((sum, { quantity }) => sum + quantity, 0n);
}

function walk(levels: readonly Level[], wanted: Fixed): Trade {
  let [quantity, value] = [0n, 0n];
  for (const level of levels) {
    const part = minFixed(wanted - quantity, level.quantity);
    quantity += part;
    value += part * level.price;
  }
  return { quantity, value };
}

/** Like {@link walk}, for an amount of money, on a book with one price. */
function spend(levels: readonly Level[], money: Fixed, product: Product): Trade {
  const { step, multiplier } = PRODUCTS[product];
  const [level] = levels;
  if (level === undefined) return { quantity: 0n, value: 0n };
  const one = multiplyFixed(multiplyFixed(level.price, multiplier), step);
  return walk(levels, divideFloor(money, one) * step);
}

/** The fills of a MARKET order. */
async function order(
  test: TestExchange,
  {
    product,
    isBuy,
    volume,
    open = 'OPEN',
  }: {
    readonly product: Product;
    readonly isBuy: boolean;
    readonly volume: Fixed;
    readonly open?: 'OPEN' | 'CLOSE';
  },
  account = ANN,
): Promise<Trade> {
  const { accounts, marketTime } = test.exchange.parts;
  const own = present(accounts.byUser(account.userId), 'an account').account;
  const id = product === 'spot' ? SPOT_ID : FUTURES_ID;
  const before = own.trades(id, marketTime.now()).length;
  const side = isBuy ? 'BUY' : 'SELL';
  const terms = { side, type: 'MARKET', volume: formatFixed(volume) } as const;
  const answer =
    product === 'spot'
      ? await test.call('spot.order', { ...terms, symbol: 'BTCUSDT' }, account)
      : await test.call(
          'futures.order',
          { ...terms, contractName: 'E-BTC-USDT', open, positionType: 2 },
          account,
        );
  expect(answer.text).toContain('orderId');
  const trades = own.trades(id, marketTime.now()).slice(before);
  return {
    quantity: trades.reduce((sum, trade) => sum + trade.quantity, 0n),
    value: trades.reduce((sum, trade) => sum + trade.quantity * trade.price, 0n),
  };
}

/** If a candle opens at the end of the step, the second call opens it. */
async function advance(test: TestExchange, byMs: number): Promise<void> {
  await test.control('POST', '/advance', { byMs });
  await test.control('POST', '/advance', { byMs: 0 });
}

/** Contracts held long. */
function heldLong({ exchange }: TestExchange): Fixed {
  const { accounts, marketTime } = exchange.parts;
  const own = present(accounts.byUser(ANN.userId), 'an account').account;
  const positions = own.futures(marketTime.now()).accounts.flatMap((each) => each.positions);
  return positions.find(({ direction }) => direction === 'long')?.quantity ?? 0n;
}

const terms = (slippage: fc.Arbitrary<SlippageModel>): fc.Arbitrary<Terms> =>
  fc.record({
    slippage,
    spread: fc.constantFrom('0', '0.0001', '0.003'),
    participation: fc.constantFrom('0.1', '0.37', 'off'),
  });

/** `percent`: the order as percent of the shown depth, sometimes above 100, so that the book is empty afterwards. */
const steps = fc.array(
  fc.record({
    byMs: fc.oneof(fc.nat(2 * MINUTE_MS), fc.nat(5), fc.constant(MINUTE_MS)),
    product: fc.constantFrom<Product>('spot', 'futures'),
    isBuy: fc.boolean(),
    percent: fc.integer({ min: 1, max: 140 }),
  }),
  { minLength: 6, maxLength: 10 },
);

describe('the depth of the local exchange', () => {
  it('equals what a MARKET order then receives in quantity and price, to the last digit', async () => {
    let [compared, empty] = [0, 0];
    const fixed = fc
      .constantFrom('0', '0.0005')
      .map((ratio) => createFixedSlippage(parseFixed(ratio)));
    await fc.assert(
      fc.asyncProperty(terms(fixed), steps, async (drawn, list) => {
        const test = start(drawn);
        for (const { byMs, percent, ...what } of list) {
          await advance(test, byMs);
          const levels = await levelsOf(test, what);
          const { step } = PRODUCTS[what.product];
          // Without a limit on participation, more than the shown depth would fill.
          const part = BigInt(drawn.participation === 'off' ? Math.min(percent, 100) : percent);
          const share = ((sizeOf(levels) * part) / (100n * step)) * step;
          const isClose = what.product === 'futures' && !what.isBuy;
          const wanted = isClose ? minFixed(share, heldLong(test)) : share || 200n * step;
          let got: Trade;
          let walked: Trade;
          if (isClose || (what.product === 'spot' && !what.isBuy)) {
            if (wanted === 0n) continue;
            walked = walk(levels, wanted);
            got = await order(test, { ...what, volume: wanted, open: 'CLOSE' });
          } else {
            const price = levels[0]?.price ?? parseFixed('60000');
            const worth = multiplyFixed(wanted, PRODUCTS[what.product].multiplier);
            const money = multiplyFixed(worth, price) + parseFixed('7');
            const volume = money - (money % TICK);
            walked = spend(levels, volume, what.product);
            got = await order(test, { ...what, volume });
            // Without a limit, the last cent may buy beyond the shown book.
            if (drawn.participation === 'off' && percent >= 100) continue;
          }
          expect(got).toEqual(walked);
          compared += 1;
          if (walked.quantity === 0n) empty += 1;
        }
      }),
      { numRuns: propertyRuns() / 10 },
    );
    console.info(`${String(compared)} orders as their walk, ${String(empty)} of an empty book`);
    expect(compared).toBeGreaterThan(25);
    expect(empty).toBeGreaterThan(0);
  });

  it('is within a tick of what a MARKET order receives if slippage grows with the quantity, and dearer between two levels', async () => {
    let [exact, dearer] = [0, 0];
    const slippage = createSquareRootSlippage(parseFixed('0.01'));
    await fc.assert(
      fc.asyncProperty(terms(fc.constant(slippage)), steps, async (drawn, list) => {
        const test = start(drawn);
        for (const { byMs, percent } of list) {
          await advance(test, byMs);
          const what = { product: 'spot', isBuy: false } as const;
          const levels = await levelsOf(test, what);
          const { step } = PRODUCTS.spot;
          const count = Math.ceil((levels.length * Math.min(percent, 100)) / 100);
          const last = levels[count];
          // Every second order ends in the middle of a level.
          const part = percent % 2 === 0 ? ((last?.quantity ?? 0n) / (2n * step)) * step : 0n;
          const wanted = sizeOf(levels.slice(0, count)) + part;
          // Orders worth less than 5 are refused.
          if (wanted < parseFixed('0.001')) continue;
          const walked = walk(levels, wanted);
          const got = await order(test, { ...what, volume: wanted });

          expect(got.quantity).toBe(wanted);
          const away = got.value - walked.value;
          // Within a level, a walk pays at most the price of that level in place of the one before.
          const apart = part === 0n ? 0n : (levels[count - 1]?.price ?? 0n) - (last?.price ?? 0n);
          expect(away < TICK * wanted + apart * part && away > -TICK * wanted).toBe(true);
          if (part === 0n) exact += 1;
          else if (away > 0n) dearer += 1;
        }
      }),
      { numRuns: propertyRuns() / 20 },
    );
    expect(exact).toBeGreaterThan(0);
    expect(dearer).toBeGreaterThan(0);
  });

  it('shows an identified account its own share of the volume, and others the smallest one', async () => {
    const free = { slippage: createFixedSlippage(0n), spread: '0', participation: '0.1' };
    const test = start(free, [ANN, BOB]);
    await advance(test, 1_000);
    const asks = { product: 'spot', isBuy: true } as const;
    const whole = sizeOf(await levelsOf(test, asks));
    const half = (whole / 2n / PRODUCTS.spot.step) * PRODUCTS.spot.step;

    await order(test, { product: 'spot', isBuy: false, volume: half }, ANN);

    expect(sizeOf(await levelsOf(test, asks, ANN))).toBe(whole - half);
    expect(sizeOf(await levelsOf(test, asks, BOB))).toBe(whole);
    expect(sizeOf(await levelsOf(test, asks))).toBe(whole - half);
  });

  it('shows for a pair no more than would fill on margin', async () => {
    const free = { slippage: createFixedSlippage(0n), spread: '0', participation: '0.1' };
    const test = start(free);
    await advance(test, 1_000);
    const bids = { product: 'spot', isBuy: false } as const;
    const whole = sizeOf(await levelsOf(test, bids));

    await test.call(
      'margin.order',
      { symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', volume: formatFixed(whole) },
      ANN,
    );

    expect(await levelsOf(test, bids)).toEqual([]);
  });

  it('is empty at the end of a candle, before the next candle opens', async () => {
    const free = { slippage: createFixedSlippage(0n), spread: '0', participation: '0.1' };
    const test = start(free);
    await test.control('POST', '/advance', { byMs: MINUTE_MS });
    const asks = { product: 'futures', isBuy: true } as const;

    expect(await levelsOf(test, asks)).toEqual([]);
    await test.control('POST', '/advance', { byMs: 0 });
    expect(sizeOf(await levelsOf(test, asks))).toBeGreaterThan(0n);
  });
});
