import fc from 'fast-check';
import {
  FIXED_ONE,
  MINUTE_MS,
  type Direction,
  type EpochMs,
  type Fixed,
} from '../../../src/domain/index.js';
import { completeAccount, type AccountSettings } from '../../../src/local-exchange/index.js';
import { SPOT_ID, type TestExchange } from './test-exchange.js';

const MARKETS = ['spot', 'margin', 'futures'] as const;
export type TradedMarket = (typeof MARKETS)[number];

interface OrderDraw {
  readonly who: number;
  readonly market: TradedMarket;
  readonly isBuy: boolean;
  readonly isMarket: boolean;
  readonly isOpen: boolean;
  /** Limit, in percent of the last price. */
  readonly percent: number;
  /** Quantity, in steps. */
  readonly steps: number;
  /** Whether a closing order closes the full position. */
  readonly isAll: boolean;
}

/** One action of a trader, or time that passes. */
export type TraderStep =
  | { readonly kind: 'advance'; readonly ms: number }
  | ({ readonly kind: 'order' } & OrderDraw)
  | { readonly kind: 'batch'; readonly who: number; readonly orders: readonly OrderDraw[] }
  | ({ readonly kind: 'condition'; readonly trigger: number; readonly offset: number } & OrderDraw)
  | {
      readonly kind: 'cancel';
      readonly who: number;
      readonly market: TradedMarket;
      readonly pick: number;
    };

const WHO = fc.nat(7);
const orderDraw: fc.Arbitrary<OrderDraw> = fc.record({
  who: WHO,
  market: fc.constantFrom(...MARKETS),
  isBuy: fc.boolean(),
  isMarket: fc.boolean(),
  isOpen: fc.boolean(),
  percent: fc.integer({ min: 98, max: 102 }),
  steps: fc.integer({ min: 1, max: 8_000 }),
  isAll: fc.boolean(),
});

/** Actions of eight traders: orders of all markets, conditions, batches, cancels. Minutes pass between them, sometimes hours. */
export const traderSteps: fc.Arbitrary<TraderStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.nat(10 * MINUTE_MS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.nat(60 * MINUTE_MS) }),
  },
  { weight: 40, arbitrary: orderDraw.map((draw) => ({ ...draw, kind: 'order' as const })) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      who: WHO,
      orders: fc.array(orderDraw, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc
      .tuple(orderDraw, fc.nat(3), fc.integer({ min: -150, max: 150 }))
      .map(([draw, trigger, offset]) => ({ ...draw, kind: 'condition' as const, trigger, offset })),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('cancel' as const),
      who: WHO,
      market: fc.constantFrom(...MARKETS),
      pick: fc.nat(),
    }),
  },
);

/** A condition the exchange took. */
export interface TakenCondition {
  readonly clientOrderId: string;
  readonly time: EpochMs;
  readonly fires: 'below' | 'above';
  readonly level: number;
}

/** A trader's knowledge of its account: the acknowledged orders and conditions. */
export interface TraderBook {
  readonly settings: AccountSettings;
  readonly orders: Readonly<Record<TradedMarket, string[]>>;
  readonly conditions: TakenCondition[];
  /** Requests sent so far. */
  requests: number;
}

/** Eight accounts, alternately careful and reckless. With little money and high leverage, positions are liquidated and debts called. */
export function traderBooks(): readonly TraderBook[] {
  return Array.from({ length: 8 }, (_, index) => {
    const isReckless = index % 2 === 1;
    const settings = completeAccount(
      {
        name: `trader-${String(index)}`,
        userId: String(10_001 + index),
        key: `key-of-trader-${String(index)}`,
        secret: `secret-of-trader-${String(index)}`,
        balances: {
          spot: { USDT: '100000', BTC: '3' },
          margin: isReckless ? { USDT: '3000' } : { USDT: '50000', BTC: '0.5' },
          futures: { USDT: isReckless ? '3000' : '200000' },
        },
        leverage: isReckless ? '20' : '3',
        marginMode: index < 4 ? 'isolated' : 'cross',
      },
      { randomText: () => 'unused', taken: [] },
    );
    return { settings, orders: { spot: [], margin: [], futures: [] }, conditions: [], requests: 0 };
  });
}

/** Does one step over HTTP, signed, and notes acknowledged orders and conditions in the book. */
export async function takeStep(
  test: TestExchange,
  books: readonly TraderBook[],
  step: TraderStep,
): Promise<void> {
  if (step.kind === 'advance') {
    await test.control('POST', '/advance', { byMs: step.ms });
    return;
  }
  const book = books[step.who];
  if (book === undefined) return;
  book.requests += 1;
  if (step.kind === 'cancel') await cancel(test, book, step);
  else if (step.kind === 'batch') await placeBatch(test, book, step.orders);
  else if (step.kind === 'condition') await placeCondition(test, book, step);
  else await placeOrder(test, book, step);
}

function lastOf({ exchange }: TestExchange): number {
  const { market, marketTime } = exchange.parts;
  const last: Fixed = market.ticker(SPOT_ID, marketTime.now())?.last ?? 0n;
  return Number(last) / 1e18;
}

/** A client order id that no other order has, so that a duplicate is noticed. */
function ownId({ settings, requests }: TraderBook): string {
  return `${settings.userId}-${String(requests)}`;
}

function termsOf(test: TestExchange, { isBuy, isMarket, percent }: OrderDraw) {
  const price = ((lastOf(test) * percent) / 100).toFixed(2);
  return {
    side: isBuy ? 'BUY' : 'SELL',
    type: isMarket ? 'MARKET' : 'LIMIT',
    ...(isMarket ? {} : { price }),
  } as const;
}

function pairVolume({ isBuy, isMarket, steps }: OrderDraw): string {
  return isMarket && isBuy ? String(steps) : (steps / 1e5).toFixed(5);
}

async function placeOrder(test: TestExchange, book: TraderBook, draw: OrderDraw): Promise<void> {
  const { market, isAll, isBuy, isOpen, steps } = draw;
  const terms = termsOf(test, draw);
  const pair = {
    ...terms,
    symbol: 'BTCUSDT',
    volume: pairVolume(draw),
    newClientOrderId: ownId(book),
  };
  const contract = {
    ...terms,
    contractName: 'E-BTC-USDT',
    volume: String(isAll && !isOpen ? heldBy(test, book, isBuy ? 'short' : 'long') : steps),
    open: isOpen ? 'OPEN' : 'CLOSE',
    positionType: 2,
    clientOrderId: ownId(book),
  } as const;
  const answer =
    market === 'futures'
      ? await test.call('futures.order', contract, book.settings)
      : await test.call(`${market}.order`, pair, book.settings);
  note(book.orders[market], answer.text);
}

/** Contracts held on a side; 1 if there is no position. */
function heldBy({ exchange }: TestExchange, { settings }: TraderBook, side: Direction): bigint {
  const { accounts, marketTime } = exchange.parts;
  const snapshot = accounts.byUser(settings.userId)?.account.futures(marketTime.now());
  const positions = snapshot?.accounts.flatMap((entry) => entry.positions) ?? [];
  const held = positions.find(({ direction }) => direction === side)?.quantity ?? FIXED_ONE;
  return held / FIXED_ONE;
}

async function placeBatch(
  test: TestExchange,
  book: TraderBook,
  draws: readonly OrderDraw[],
): Promise<void> {
  const orders = draws.map((draw) => {
    const { type, ...terms } = termsOf(test, draw);
    return { ...terms, volume: pairVolume(draw), batchType: type };
  });
  const { text } = await test.call(
    'spot.batchOrders',
    { symbol: 'BTCUSDT', orders },
    book.settings,
  );
  for (const [id] of text.matchAll(/\d{19}/g)) book.orders.spot.push(id);
}

async function placeCondition(
  test: TestExchange,
  book: TraderBook,
  draw: Extract<TraderStep, { kind: 'condition' }>,
): Promise<void> {
  const triggerType = (['1', '2', '3', '4'] as const)[draw.trigger] ?? '1';
  // Types 3 and 4 open, a buy and a sale; types 1 and 2 close.
  const isOpen = triggerType > '2';
  const isBuy = isOpen ? triggerType === '3' : draw.isBuy;
  const level = lastOf(test) * (1 + draw.offset / 10_000);
  const clientOrderId = ownId(book);
  const triggerPrice = level.toFixed(2);
  const { status } = await test.call(
    'futures.conditionOrder',
    {
      ...termsOf(test, { ...draw, isBuy }),
      contractName: 'E-BTC-USDT',
      volume: String(draw.steps),
      open: isOpen ? 'OPEN' : 'CLOSE',
      ...{ positionType: 2, clientOrderId, triggerType, triggerPrice },
    },
    book.settings,
  );
  if (status !== 200) return;
  const firesBelow = triggerType === '4' || (triggerType === '1') === !isBuy;
  book.conditions.push({
    clientOrderId,
    time: test.exchange.parts.marketTime.now(),
    fires: triggerType !== '3' && firesBelow ? 'below' : 'above',
    level: Number(triggerPrice),
  });
}

async function cancel(
  test: TestExchange,
  { orders, settings }: TraderBook,
  { market, pick }: Extract<TraderStep, { kind: 'cancel' }>,
): Promise<void> {
  const own = orders[market];
  // Picks one of the latest 20 orders, because older orders have mostly ended.
  const orderId = own.at(-1 - (pick % Math.max(1, Math.min(20, own.length))));
  if (orderId === undefined) return;
  if (market === 'futures')
    await test.call('futures.cancel', { contractName: 'E-BTC-USDT', orderId }, settings);
  else if (pick % 3 === 0 && market === 'spot')
    await test.call('spot.batchCancel', { symbol: 'BTCUSDT', orderIds: [orderId] }, settings);
  else await test.call(`${market}.cancel`, { symbol: 'BTCUSDT', orderId }, settings);
}

function note(ids: string[], answer: string): void {
  const id = /"orderId":(\d+)/.exec(answer)?.[1];
  if (id !== undefined) ids.push(id);
}
