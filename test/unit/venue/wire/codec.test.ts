import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  parseFixed,
  parseVenueOrderId,
  WireFormatError,
} from '../../../../src/domain/index.js';
import {
  decodeBatchCanceled,
  decodeBatchIds,
  decodeContracts,
  decodeCreatedOrder,
  decodeFuturesOrder,
  decodeKlines,
  decodeSpotInterval,
  decodeSpotOrder,
  decodeSpotTicker,
  decodeSymbols,
  decodeTrades,
  encodeContracts,
  encodeFuturesAccount,
  encodeFuturesOpenOrders,
  encodeSpotInterval,
  encodeTrades,
  ENDPOINTS,
  formatJson,
  FUTURES_INTERVALS,
  parseAnswer,
  parseJson,
  SPOT_INTERVALS,
} from '../../../../src/venue/wire/index.js';
import { VENUE_INTERVALS } from '../../../../src/domain/index.js';
import type { PublicTrade } from '../../../../src/venue/index.js';

const SPOT = createInstrumentId('spot', 'BTCUSDT');
const HOUR = 3_600_000;
const NOON = Date.UTC(2025, 5, 1, 12);

describe('intervals', () => {
  it('are the same set for both markets', () => {
    expect(VENUE_INTERVALS.map(encodeSpotInterval)).toEqual(SPOT_INTERVALS);
    expect(SPOT_INTERVALS.map(decodeSpotInterval)).toEqual(VENUE_INTERVALS);
    expect(FUTURES_INTERVALS).toEqual(VENUE_INTERVALS);
  });
});

describe('decodeKlines', () => {
  it('sorts rows and keeps the largest volume of rows with one time', () => {
    const answer = parseAnswer(ENDPOINTS['spot.klines'], [
      aKline(NOON, 3),
      aKline(NOON - 2 * HOUR, 1),
      aKline(NOON, 5),
      aKline(NOON - HOUR, 2),
    ]);

    const candles = decodeKlines(answer, { instrumentId: SPOT, interval: '1h', now: NOON + 1 });

    expect(candles.map(({ openTime, volume, closed }) => [openTime, volume, closed])).toEqual([
      [NOON - 2 * HOUR, 1, true],
      [NOON - HOUR, 2, true],
      [NOON, 5, false],
    ]);
    expect(candles.map(({ isDisputed = false }) => isDisputed)).toEqual([false, false, true]);
  });

  it('marks the newest candle as closed once its end has passed', () => {
    const answer = parseAnswer(ENDPOINTS['spot.klines'], [aKline(NOON, 1)]);
    const closedAt = (now: number): boolean | undefined =>
      decodeKlines(answer, { instrumentId: SPOT, interval: '1h', now })[0]?.closed;

    expect(closedAt(NOON + HOUR - 1)).toBe(false);
    expect(closedAt(NOON + HOUR)).toBe(true);
  });

  it.each(['open', 'high', 'low', 'close'])('takes a row with a %s of 0 for no candle', (price) => {
    const answer = parseAnswer(ENDPOINTS['spot.klines'], [
      { ...aKline(NOON, 0), [price]: 0 },
      aKline(NOON - HOUR, 2),
    ]);

    const candles = decodeKlines(answer, { instrumentId: SPOT, interval: '1h', now: NOON - 1 });

    // The row still shows that the candle before it has ended.
    expect(candles).toMatchObject([{ openTime: NOON - HOUR, closed: true }]);
  });

  it.each([
    ['high below its low', { high: 1, low: 2, open: 1.5, close: 1.5 }],
    ['open above its high', { open: 9_999_999 }],
    ['close below its low', { close: 0.000_001 }],
  ])('takes a row with its %s for no candle', (_, numbers) => {
    const answer = parseAnswer(ENDPOINTS['spot.klines'], [
      { ...aKline(NOON, 1), ...numbers },
      aKline(NOON - HOUR, 2),
    ]);

    const candles = decodeKlines(answer, { instrumentId: SPOT, interval: '1h', now: NOON - 1 });

    expect(candles).toMatchObject([{ openTime: NOON - HOUR, closed: true }]);
  });

  it('ends a month at the start of the next month', () => {
    const answer = parseAnswer(ENDPOINTS['futures.klines'], [aKline(Date.UTC(2025, 1, 1), 1)]);

    const [candle] = decodeKlines(answer, { instrumentId: SPOT, interval: '1month', now: NOON });

    expect(candle?.closeTime).toBe(Date.UTC(2025, 2, 1));
  });
});

describe('decodeSpotTicker', () => {
  it('computes the change from open and last, and ignores the change in the answer', () => {
    const answer = parseAnswer(ENDPOINTS['spot.ticker'], {
      ...{ time: NOON, high: 12, low: 9, vol: 1, rose: '-3.31' },
      open: 10,
      last: 10.5,
    });

    // (10.5 - 10) / 10 = 0.05
    expect(decodeSpotTicker(answer, SPOT).change).toBe(parseFixed('0.05'));
  });

  it.each([undefined, null, 0, ''])('has no change if the open is %j', (open) => {
    const answer = parseAnswer(ENDPOINTS['spot.ticker'], {
      ...{ time: NOON, high: 12, low: 9, last: 10.5, vol: 1 },
      open,
    });

    expect(decodeSpotTicker(answer, SPOT)).toMatchObject({ open: undefined, change: undefined });
  });
});

describe('decodeTrades', () => {
  const trades = [1, 2, 3, 4].map((quantity) => ({
    instrumentId: SPOT,
    time: quantity < 3 ? NOON : NOON + 5,
    price: parseFixed('100'),
    quantity: parseFixed(String(quantity)),
    takerSide: 'buy' as const,
  }));
  const newestFirst = formatJson(encodeTrades(trades, 'interface'));
  const read = (rows: unknown): readonly PublicTrade[] =>
    decodeTrades(parseAnswer(ENDPOINTS['spot.trades'], rows), SPOT);

  it('keeps the order of prints of one time, whichever end of the list is the newest', () => {
    const rows = parseJson(newestFirst) as readonly unknown[];

    expect(read(rows)).toEqual(trades);
    expect(read(rows.toReversed())).toEqual(trades);
    expect(read(rows.slice(0, 2))).toEqual(trades.slice(2));
  });

  it('sorts prints of any order', () => {
    const [d, c, b, a] = parseJson(newestFirst) as readonly unknown[];

    expect(read([a, c, d, b]).map(({ time }) => time - NOON)).toEqual([0, 0, 5, 5]);
  });
});

describe('decodeSymbols', () => {
  it('writes instrument names in upper case, and skips an impossible precision', () => {
    const answer = parseAnswer(ENDPOINTS['spot.symbols'], {
      symbols: [
        { ...A_SYMBOL, symbol: 'btcusdt' },
        { ...A_SYMBOL, symbol: 'XUSDT', pricePrecision: 19 },
      ],
    });

    const { listings, skipped } = decodeSymbols(answer);

    expect(listings.map(({ instrumentId }) => instrumentId)).toEqual(['spot:BTCUSDT']);
    expect(skipped).toMatchObject([{ symbol: 'XUSDT' }]);
  });

  it('keeps the other symbols if a record cannot be read', () => {
    const answer = parseAnswer(ENDPOINTS['spot.symbols'], [
      { ...A_SYMBOL, symbol: 'XUSDT', quantityPrecision: 30 },
      { ...A_SYMBOL, symbol: 'YUSDT', limitVolumeMin: -1 },
      { ...A_SYMBOL, symbol: 'ZUSDT', pricePrecision: undefined },
      A_SYMBOL,
    ]);

    const { listings, skipped } = decodeSymbols(answer);

    expect(listings.map(({ symbol }) => symbol)).toEqual([A_SYMBOL.symbol]);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'expected a precision from 0 to 18 decimals, received 30',
      'limitVolumeMin: expected a decimal number >= 0, received -1',
      'pricePrecision: expected a whole number >= 0, received nothing',
    ]);
  });
});

describe('decodeContracts', () => {
  it('reads linear and inverse contracts with their margin asset', () => {
    const { listings } = contracts([
      A_CONTRACT,
      { ...A_CONTRACT, symbol: 'E-BTC-USD', side: 0, multiplier: 10, multiplierCoin: 'USD' },
    ]);

    expect(
      listings.map(({ contract, marginAsset, base, quote }) => [
        contract,
        marginAsset,
        base,
        quote,
      ]),
    ).toEqual([
      ['linear', 'USDT', 'BTC', 'USDT'],
      ['inverse', 'BTC', 'BTC', 'USD'],
    ]);
  });

  it('omits a minimum of 0 and a missing limit', () => {
    const zeros = { minOrderVolume: 0, minOrderMoney: '0' };
    const gaps = { maxMarketVolume: null, maxMarketMoney: '', maxLimitVolume: undefined };
    const { listings } = contracts([{ ...A_CONTRACT, ...zeros, ...gaps }]);

    expect(listings[0]?.rules).toEqual({
      tradable: true,
      pricePrecision: 1,
      quantityPrecision: 0,
    });
  });

  it('reads back contracts without limits', () => {
    const { listings } = contracts([A_CONTRACT]);

    const written = (['interface', 'family'] as const).map((profile) =>
      contracts(JSON.parse(formatJson(encodeContracts(listings, profile))) as object[]),
    );

    expect(written.map(({ skipped }) => skipped)).toEqual([[], []]);
    expect(written.map((each) => each.listings[0]?.rules)).toEqual([
      listings[0]?.rules,
      listings[0]?.rules,
    ]);
  });

  it('keeps the other contracts if a record cannot be read', () => {
    const { listings, skipped } = contracts([
      { ...A_CONTRACT, symbol: 'E-ETH-USDT', minOrderVolume: -1 },
      A_CONTRACT,
      { symbol: 'E-XRP-USDT', status: 1 },
    ]);

    expect(listings.map(({ symbol }) => symbol)).toEqual(['E-BTC-USDT']);
    expect(skipped).toEqual([
      {
        symbol: 'E-ETH-USDT',
        reason: 'minOrderVolume: expected a decimal number >= 0, received -1',
      },
      { symbol: 'E-XRP-USDT', reason: 'type: expected text, received nothing' },
    ]);
  });

  it.each([[null], [7], [{}], [{ symbol: '' }], [{ symbol: 3 }]])(
    'throws if a record has no name: %j',
    (record) => {
      expect(() => decodeContracts(parseAnswer(ENDPOINTS['futures.contracts'], [record]))).toThrow(
        WireFormatError,
      );
    },
  );

  it.each([
    ['a face value in quote', { multiplierCoin: 'USDT' }, 'expected a face value in base'],
    [
      'an inverse face value in base',
      { side: 0 },
      'expected a face value in quote, received one in BTC',
    ],
    ['a name without base and quote', { symbol: 'BTCUSDT' }, 'of the form E-BASE-QUOTE'],
    ['an unknown side', { side: 2 }, 'expected side 0 or 1, received 2'],
    ['no face value', { multiplier: 0 }, 'expected a face value > 0'],
    ['a face value that is none', { multiplier: 'NaN' }, 'multiplier: expected a decimal number'],
    ['a negative face value', { multiplier: -1 }, 'multiplier: expected a decimal number >= 0'],
    ['no face value at all', { multiplier: undefined }, 'multiplier: expected'],
    ['a precision of 30', { pricePrecision: 30 }, 'expected a precision from 0 to 18 decimals'],
    ['a precision below 0', { pricePrecision: -1 }, 'expected a whole number >= 0, received -1'],
    ['a largest quantity of 0', { maxMarketVolume: 0 }, 'expected maxMarketQuantity > 0'],
    ['a largest money of 0', { maxMarketMoney: '0' }, 'expected maxMarketMoney > 0, received 0'],
    ['a largest limit order of 0', { maxLimitVolume: 0 }, 'expected maxLimitQuantity > 0'],
    ['no working orders', { maxValidOrder: 0 }, 'maxWorkingOrders to be a whole number > 0'],
    ['an infinite limit', { maxLimitVolume: 'Infinity' }, 'maxLimitVolume: expected a decimal'],
    [
      'a smallest money above the largest',
      { minOrderMoney: 9, maxMarketMoney: 3 },
      'expected minOrderMoney <= maxMarketMoney, received 9 and 3',
    ],
    ['limits that contradict', { minOrderVolume: 9, maxLimitVolume: 3 }, 'minOrderQuantity'],
  ])('skips a contract with %s and says why', (_what, change, reason) => {
    const { listings, skipped } = contracts([{ ...A_CONTRACT, ...change }]);

    expect(listings).toEqual([]);
    expect(skipped[0]?.reason).toContain(reason);
  });

  function contracts(records: readonly object[]): ReturnType<typeof decodeContracts> {
    return decodeContracts(parseAnswer(ENDPOINTS['futures.contracts'], records));
  }
});

describe('decodeCreatedOrder', () => {
  it('reads REJECTED as a refusal', () => {
    const answer = parseAnswer(ENDPOINTS['spot.order'], { orderId: '7', status: 'REJECTED' });

    expect(decodeCreatedOrder(answer)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'REJECTED' },
    });
  });
});

describe('orders', () => {
  it('have no price and no client id if the venue writes 0 or nothing', () => {
    const spot = parseAnswer(ENDPOINTS['spot.queryOrder'], {
      ...{ orderId: '7', clientOrderId: '', symbol: 'btcusdt', side: 'buy', status: 'FILLED' },
      ...{ price: 0, origQty: 20, executedQty: 222.09883, avgPrice: 0.09005, type: 'MARKET' },
    });
    const futures = parseAnswer(ENDPOINTS['futures.queryOrder'], {
      ...{ orderId: 8, clientOrderId: '0', contractName: 'E-BTC-USDT', side: 'SELL' },
      ...{ price: '0', origQty: 10, executedQty: 109, avgPrice: null, status: 'FILLED' },
      ...{ action: 'OPEN', transactTime: '1760000000123' },
    });

    expect(decodeSpotOrder(spot, 'margin')).toMatchObject({
      instrumentId: 'margin:BTCUSDT',
      clientOrderId: undefined,
      limitPrice: undefined,
      type: 'market',
      quantity: parseFixed('20'),
      filledQuantity: parseFixed('222.09883'),
      averagePrice: parseFixed('0.09005'),
    });
    expect(decodeFuturesOrder(futures)).toMatchObject({
      clientOrderId: undefined,
      limitPrice: undefined,
      averagePrice: undefined,
      filledQuantity: parseFixed('109'),
    });
  });

  it('are null in an envelope in the profile family if the list is empty', () => {
    expect(formatJson(encodeFuturesOpenOrders([], 'family'))).toBe(
      '{"code":"0","msg":"success","data":null}',
    );
    expect(formatJson(encodeFuturesOpenOrders([], 'interface'))).toBe('[]');
  });
});

describe('batches', () => {
  it('prefer the ids that are written as texts', () => {
    const json = '{"ids":[3221406049627539351],"idsString":["3221406049627539352"]}';
    const answer = parseAnswer(ENDPOINTS['spot.batchOrders'], parseJson(json));

    expect(decodeBatchIds(answer)).toEqual(['3221406049627539352']);
  });

  it('give the outcome of each named cancel, and undefined for an order that is not named', () => {
    const ids = ['1', '2', '3'].map(parseVenueOrderId);
    const answer = parseAnswer(ENDPOINTS['spot.batchCancel'], { success: [1], failed: ['2'] });

    expect(decodeBatchCanceled(answer, ids)).toMatchObject([
      { kind: 'requested' },
      { kind: 'refused' },
      undefined,
    ]);
    expect(
      decodeBatchCanceled(parseAnswer(ENDPOINTS['spot.batchCancel'], { failed: true }), ids),
    ).toEqual([undefined, undefined, undefined]);
  });
});

describe('encodeFuturesAccount', () => {
  it.each(['interface', 'family'] as const)(
    'writes several margin coins as a list in the profile %s',
    (profile) => {
      const account = {
        ...{ available: 1n, locked: 0n, isolatedMargin: 0n, crossMargin: 0n, realizedProfit: 0n },
        ...{ unrealizedProfit: 0n, crossEquity: 0n, isolatedEquity: 0n, crossMarginRate: 0n },
        ...{ crossCost: 0n, accountMarginRate: 0n, positions: [] },
      };
      const accounts = [
        { ...account, marginAsset: 'USDT' },
        { ...account, marginAsset: 'BTC' },
      ];

      const written = formatJson(encodeFuturesAccount({ kind: 'futures', accounts }, profile));

      expect(JSON.parse(written)).toMatchObject({
        account: [{ marginCoin: 'USDT' }, { marginCoin: 'BTC' }],
      });
    },
  );
});

const A_SYMBOL = {
  symbol: 'BTCUSDT',
  baseAsset: 'btc',
  quoteAsset: 'USDT',
  pricePrecision: '2',
  quantityPrecision: 5,
};

const A_CONTRACT = {
  symbol: 'E-BTC-USDT',
  status: 1,
  type: 'E',
  side: 1,
  multiplier: '0.001',
  multiplierCoin: 'BTC',
  pricePrecision: 1,
  minOrderVolume: 1,
};

function aKline(idx: number, vol: number): object {
  return { idx, open: 1, high: 2, low: 1, close: 1.5, vol };
}
