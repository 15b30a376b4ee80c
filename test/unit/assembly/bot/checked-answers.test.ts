import { describe, expect, it } from 'vitest';
import { checkedAnswers } from '../../../../src/assembly/bot/checked-answers.js';
import { createInstrumentId, parseFixed, type VenueOrderId } from '../../../../src/domain/index.js';
import type { Venue } from '../../../../src/venue/index.js';

const OPTIONS = { signal: new AbortController().signal };
const ID = createInstrumentId('spot', 'BTCUSDT');
const OTHER = createInstrumentId('spot', 'ETHUSDT');
const HOUR = 3_600_000;
const PRICE = parseFixed('100');
const UNREADABLE = { code: 'E_WIRE_FORMAT' };

const CANDLE = {
  ...{ instrumentId: ID, interval: '1h' as const, openTime: 0, closeTime: HOUR, closed: false },
  ...{ open: 2, high: 3, low: 1, close: 2, volume: 1 },
};

/** A venue that answers all readings of a kind with one value. */
function answering(readings: {
  readonly market?: unknown;
  readonly account?: unknown;
  readonly rows?: readonly unknown[];
}): Venue {
  const say = (value: unknown) => () => Promise.resolve(value);
  const market = say(readings.market);
  const account = say(readings.account);
  const trades = async function* (): AsyncGenerator {
    yield* await Promise.resolve(readings.rows ?? []);
  };
  return checkedAnswers({
    marketData: {
      ...{ candles: market, ticker: market, markPrice: market, depth: market, trades: market },
    },
    execution: {},
    account: {
      ...{ order: account, openOrders: account, triggers: account },
      ...{ trades, orderHistory: trades },
    },
  } as unknown as Venue);
}

describe('checkedAnswers', () => {
  it.each([
    ['a price of 0', { low: 0 }],
    ['a high below its low', { high: 0.5 }],
    ['an open beyond its high', { open: 4 }],
    ['a close that is no number', { close: Number.NaN }],
    ['a volume below 0', { volume: -1 }],
  ])('lets no candle through that has %s', async (_, numbers) => {
    const broken = { ...CANDLE, openTime: HOUR, closeTime: 2 * HOUR, ...numbers };
    const { marketData } = answering({ market: [CANDLE, broken] });

    const candles = await marketData.candles(ID, '1h', { ...OPTIONS, limit: 2 });

    // The broken one still shows that the candle before it has ended.
    expect(candles).toEqual([{ ...CANDLE, closed: true }]);
  });

  it('takes a last or mark price of 0, and readings of another instrument, for no answer', async () => {
    const at = (last: bigint, instrumentId = ID) =>
      answering({ market: { instrumentId, last, markPrice: last } }).marketData;

    expect(await at(PRICE).ticker(ID, OPTIONS)).toMatchObject({ last: PRICE });
    expect(await at(PRICE).markPrice(ID, OPTIONS)).toMatchObject({ markPrice: PRICE });
    for (const source of [at(0n), at(-1n), at(PRICE, OTHER)]) {
      await expect(source.ticker(ID, OPTIONS)).rejects.toMatchObject(UNREADABLE);
      await expect(source.markPrice(ID, OPTIONS)).rejects.toMatchObject(UNREADABLE);
    }
    const foreign = answering({ market: [{ ...CANDLE, instrumentId: OTHER }] }).marketData;
    await expect(foreign.candles(ID, '1h', OPTIONS)).rejects.toMatchObject(UNREADABLE);
  });

  it('takes orders and executions of another instrument, and the record of another order, for no answer', async () => {
    const target = { instrumentId: ID, venueOrderId: '7' as VenueOrderId };
    const trade = { instrumentId: ID, price: PRICE };
    const read = async (rows: readonly unknown[]): Promise<unknown[]> => {
      const read = [];
      const { account } = answering({ rows });
      for await (const row of account.trades(ID, OPTIONS)) read.push(row);
      return read;
    };
    const asked = (order: unknown) => answering({ account: order }).account.order(target, OPTIONS);

    expect(await asked(undefined)).toBeUndefined();
    expect(await asked({ ...target, status: 'open' })).toMatchObject(target);
    await expect(asked({ ...target, venueOrderId: '8' })).rejects.toMatchObject(UNREADABLE);
    const { account } = answering({ account: [{ ...target, instrumentId: OTHER }] });
    await expect(account.openOrders(ID, OPTIONS)).rejects.toMatchObject(UNREADABLE);
    expect(await read([trade])).toEqual([trade]);
    await expect(read([{ ...trade, instrumentId: OTHER }])).rejects.toMatchObject(UNREADABLE);
    await expect(read([{ ...trade, price: 0n }])).rejects.toMatchObject(UNREADABLE);
  });

  it('takes a book, public trades, triggers and a history of another instrument for no answer', async () => {
    const [own, foreign] = [ID, OTHER].map((instrumentId) => {
      const row = { instrumentId, price: PRICE };
      const { account, marketData } = answering({ market: [row], account: [row], rows: [row] });
      const book = answering({ market: { instrumentId, bids: [row], asks: [] } }).marketData;
      return [
        () => book.depth(ID, OPTIONS),
        () => marketData.trades(ID, OPTIONS),
        () => account.triggers?.(ID, OPTIONS),
        () => account.orderHistory(ID, OPTIONS)[Symbol.asyncIterator]().next(),
      ];
    });

    for (const read of own ?? []) expect(await read()).toBeDefined();
    for (const read of foreign ?? []) await expect(read()).rejects.toMatchObject(UNREADABLE);
    const { marketData } = answering({ market: [{ instrumentId: ID, price: 0n }] });
    await expect(marketData.trades(ID, OPTIONS)).rejects.toMatchObject(UNREADABLE);
    const level = { price: 0n, quantity: PRICE };
    const book = answering({ market: { instrumentId: ID, bids: [], asks: [level] } }).marketData;
    await expect(book.depth(ID, OPTIONS)).rejects.toMatchObject(UNREADABLE);
  });
});
