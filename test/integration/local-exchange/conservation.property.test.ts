import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MINUTE_MS,
  multiplyFixed,
  parseFixed,
  type Asset,
  type Fixed,
} from '../../../src/domain/index.js';
import type { AccountSettings } from '../../../src/local-exchange/index.js';
import type { VenueOrder, VenueTrade } from '../../../src/venue/index.js';
import type { TestExchange } from '../../support/local-exchange/test-exchange.js';
import {
  FUTURES_ID,
  SPOT_ID,
  startTestExchange,
  testAccount,
} from '../../support/local-exchange/test-exchange.js';

const REQUESTS = process.env['EVENKEEL_LONG'] === '1' ? 20_000 : 2_000;
const CASES = 4;
const ACCOUNTS = Array.from({ length: 8 }, (_, index) =>
  testAccount(`trader-${String(index)}`, String(10_001 + index)),
);

/** One thing somebody does. Prices are percent of the last, quantities in steps. */
type Step =
  | { readonly kind: 'advance'; readonly ms: number }
  | {
      readonly kind: 'order';
      readonly who: number;
      readonly market: 'spot' | 'futures';
      readonly isBuy: boolean;
      readonly isMarket: boolean;
      readonly isOpen: boolean;
      readonly percent: number;
      readonly steps: number;
    }
  | { readonly kind: 'cancel'; readonly who: number; readonly pick: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.nat(10 * MINUTE_MS) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      who: fc.nat(7),
      market: fc.constantFrom('spot' as const, 'futures' as const),
      isBuy: fc.boolean(),
      isMarket: fc.boolean(),
      isOpen: fc.boolean(),
      percent: fc.integer({ min: 98, max: 102 }),
      steps: fc.integer({ min: 1, max: 5_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), who: fc.nat(7), pick: fc.nat() }),
  },
);

/** What this test knows of one account: the ids it was given. */
interface Book {
  readonly settings: AccountSettings;
  readonly spot: string[];
  readonly futures: string[];
}

async function carryOut(test: TestExchange, books: readonly Book[], step: Step): Promise<void> {
  if (step.kind === 'advance') {
    await test.control('POST', '/advance', { byMs: step.ms });
    return;
  }
  const book = books[step.who];
  if (book === undefined) return;
  if (step.kind === 'cancel') {
    const orderId = book.spot[step.pick % Math.max(1, book.spot.length)];
    if (orderId === undefined) return;
    await test.call('spot.cancel', { symbol: 'BTCUSDT', orderId }, book.settings);
    return;
  }
  const { market, marketTime } = test.exchange.parts;
  const last = Number(market.ticker(SPOT_ID, marketTime.now())?.last ?? 0n) / 1e18;
  const price = ((last * step.percent) / 100).toFixed(2);
  const side = step.isBuy ? 'BUY' : 'SELL';
  const type = step.isMarket ? 'MARKET' : 'LIMIT';
  const limit = step.isMarket ? {} : { price };
  if (step.market === 'spot') {
    const volume = step.isMarket && step.isBuy ? String(step.steps) : (step.steps / 1e5).toFixed(5);
    const order = { symbol: 'BTCUSDT', volume, side, type, ...limit } as const;
    note(book.spot, (await test.call('spot.order', order, book.settings)).text);
    return;
  }
  const terms = { contractName: 'E-BTC-USDT', side, type, ...limit, positionType: 2 } as const;
  const open = step.isOpen ? 'OPEN' : 'CLOSE';
  const order = { ...terms, open, volume: String(step.steps) } as const;
  note(book.futures, (await test.call('futures.order', order, book.settings)).text);
}

function note(ids: string[], answer: string): void {
  const id = /"orderId":(\d+)/.exec(answer)?.[1];
  if (id !== undefined) ids.push(id);
}

function sum<T>(rows: readonly T[], amount: (row: T) => Fixed): Fixed {
  return rows.reduce((total, row) => total + amount(row), 0n);
}

/** Starting balance and everything the executions moved: what the exchange must say. */
function expectedSpot(trades: readonly VenueTrade[], asset: Asset): Fixed {
  const start = parseFixed(asset === 'USDT' ? '1000000' : '10');
  return trades.reduce((total, { side, price, quantity, fee, feeAsset }) => {
    const sign = side === 'buy' ? 1n : -1n;
    const moved = asset === 'BTC' ? quantity * sign : -multiplyFixed(price, quantity) * sign;
    return total + moved - (feeAsset === asset ? fee : 0n);
  }, start);
}

function checkOrders(
  orders: readonly VenueOrder[],
  trades: readonly VenueTrade[],
  ids: readonly string[],
): void {
  // None lost, none doubled, none that nobody placed.
  expect(orders.map(({ venueOrderId }) => venueOrderId as string)).toEqual(ids);
  for (const order of orders) {
    const own = trades.filter(({ venueOrderId }) => venueOrderId === order.venueOrderId);
    expect(sum(own, ({ quantity }) => quantity)).toBe(order.filledQuantity);
  }
  expect(new Set(trades.map(({ venueTradeId }) => venueTradeId)).size).toBe(trades.length);
}

function checkBook(test: TestExchange, { settings, spot, futures }: Book): void {
  const { accounts, marketTime } = test.exchange.parts;
  const account = accounts.byUser(settings.userId)?.account;
  if (account === undefined) throw new Error('expected an account');
  const now = marketTime.now();
  const trades = account.trades(SPOT_ID, now);
  checkOrders(account.orders(SPOT_ID, now), trades, spot);
  checkOrders(account.orders(FUTURES_ID, now), account.trades(FUTURES_ID, now), futures);
  for (const { asset, exact } of account.spot(now).balances) {
    expect(exact.free + exact.locked).toBe(expectedSpot(trades, asset));
    expect(exact.free >= 0n && exact.locked >= 0n).toBe(true);
  }
  const working = account.openOrders(SPOT_ID, now);
  expect(working.every(({ status }) => status === 'open' || status === 'partially-filled')).toBe(
    true,
  );
  checkFutures(account, now);
}

/** Money in the futures wallet is what was there, plus results, less fees: to the last decimal. */
function checkFutures(
  account: NonNullable<
    ReturnType<TestExchange['exchange']['parts']['accounts']['byUser']>
  >['account'],
  now: number,
): void {
  const fees = sum(account.trades(FUTURES_ID, now), ({ fee }) => fee);
  const closed = sum(account.profits(FUTURES_ID, now), ({ totalProfit }) => totalProfit);
  for (const entry of account.futures(now).accounts) {
    const running = sum(entry.positions, ({ totalRealizedProfit = 0n }) => totalRealizedProfit);
    const isolated = sum(entry.positions, ({ margin, realizedProfit }) => margin + realizedProfit);
    const wallet = entry.available + entry.locked + isolated;
    expect(wallet).toBe(parseFixed('1000000') + closed + running);
    const paid = sum(account.profits(FUTURES_ID, now), ({ tradeFee }) => tradeFee);
    const pending = sum(entry.positions, ({ tradeFee = 0n }) => tradeFee);
    expect(-(paid + pending)).toBe(fees);
  }
}

describe('conservation', () => {
  it('books balance to the last decimal, no order is lost or doubled', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: REQUESTS / CASES, maxLength: REQUESTS / CASES, size: 'max' }),
        async (list) => {
          const test = startTestExchange({ accounts: ACCOUNTS });
          const books = ACCOUNTS.map((settings) => ({ settings, spot: [], futures: [] }));
          for (const step of list) await carryOut(test, books, step);
          for (const book of books) checkBook(test, book);
          const placed = books.reduce(
            (count, book) => count + book.spot.length + book.futures.length,
            0,
          );
          expect(placed).toBeGreaterThan(list.length / 4);
        },
      ),
      { numRuns: CASES, endOnFailure: true },
    );
  });

  it('the same requests bring the same bytes, in lockstep', async () => {
    const drawn = fc.sample(steps, { numRuns: 150, seed: 11 });
    const run = async (): Promise<string> => {
      const test = startTestExchange({ accounts: ACCOUNTS });
      const books = ACCOUNTS.map((settings) => ({ settings, spot: [], futures: [] }));
      for (const step of drawn) await carryOut(test, books, step);
      const texts = await Promise.all(
        ACCOUNTS.map(async (account) => [
          (await test.call('spot.account', {}, account)).text,
          (await test.call('futures.account', {}, account)).text,
          (
            await test.call(
              'spot.myTrades',
              { symbol: 'BTCUSDT', fromId: '0', limit: 1_000 },
              account,
            )
          ).text,
        ]),
      );
      return JSON.stringify(texts);
    };

    const first = await run();
    expect(first.length).toBeGreaterThan(1_000);
    expect(await run()).toBe(first);
  });
});
