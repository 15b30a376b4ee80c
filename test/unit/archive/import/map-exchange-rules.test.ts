import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapExchangeRules, type MappedRules } from '../../../../src/archive/index.js';
import {
  DataError,
  FIXED_ONE,
  parseFixed,
  present,
  resolveRules,
  type ProductKind,
} from '../../../../src/domain/index.js';
import { futuresInfo, spotInfo } from '../../../support/exchange-rules.js';

const map = (json: unknown, product: ProductKind = 'spot', multiplier?: string): MappedRules =>
  present(
    mapExchangeRules(json, {
      path: 'info.json',
      symbol: 'BTCUSDT',
      product,
      multiplier: multiplier === undefined ? undefined : parseFixed(multiplier),
    }),
    'rules',
  );

describe('mapExchangeRules', () => {
  it('maps the filters of a spot symbol exactly, and lists those without a rule', () => {
    expect(map(spotInfo())).toEqual({
      rules: {
        tradable: true,
        pricePrecision: 2,
        quantityPrecision: 5,
        minOrderQuantity: parseFixed('0.00001'),
        minOrderMoney: parseFixed('5'),
        maxMarketQuantity: parseFixed('129.84957276'),
        maxLimitQuantity: parseFixed('9000'),
        maxWorkingOrders: 200,
      },
      multiplier: undefined,
      unmapped: [
        'minPrice of PRICE_FILTER',
        'maxPrice of PRICE_FILTER',
        'maxNotional of NOTIONAL for limit orders',
        'ICEBERG_PARTS',
      ],
    });
  });

  it('converts quantities of futures from base to whole contracts, minima up and maxima down', () => {
    const { rules, multiplier } = map(futuresInfo(), 'futures', '0.01');

    expect(multiplier).toBe(parseFixed('0.01'));
    expect(rules).toEqual({
      tradable: true,
      pricePrecision: 1,
      quantityPrecision: 0,
      minOrderQuantity: FIXED_ONE, // 0.001 BTC are a tenth of a contract
      minOrderMoney: parseFixed('100'),
      maxMarketQuantity: parseFixed('12050'), // 120.5 BTC
      maxLimitQuantity: parseFixed('100000'),
      maxWorkingOrders: 10_000,
    });
  });

  it('uses one step as one contract without a multiplier', () => {
    const { rules, multiplier } = map(futuresInfo(), 'futures');

    expect(multiplier).toBe(parseFixed('0.001'));
    expect(rules.maxMarketQuantity).toBe(parseFixed('120500'));
  });

  it('keeps quantities that are already contracts', () => {
    const lot = {
      LOT_SIZE: { minQty: '1', maxQty: '1000000', stepSize: '1' },
      MARKET_LOT_SIZE: { minQty: '1', maxQty: '60000', stepSize: '1' },
    };
    const { rules, multiplier } = map(futuresInfo(lot, { contractSize: 100 }), 'futures');

    expect(multiplier).toBeUndefined();
    expect(rules.maxMarketQuantity).toBe(parseFixed('60000'));
  });

  it('marks a symbol that does not trade as not tradable', () => {
    expect(map(spotInfo({}, { status: 'BREAK' })).rules.tradable).toBe(false);
  });

  it('maps a maximum value that applies to market orders', () => {
    const { rules } = map(spotInfo({ NOTIONAL: { applyMaxToMarket: true } }));

    expect(rules.maxMarketMoney).toBe(parseFixed('9000000'));
  });

  it.each<[string, unknown, ProductKind, string | undefined, string]>([
    [
      'a tick that is no power of ten',
      spotInfo({ PRICE_FILTER: { tickSize: '0.25' } }),
      'spot',
      undefined,
      'symbols.1.filters.0.tickSize: expected a power of ten of at most 1',
    ],
    [
      'a tick above 1',
      spotInfo({ PRICE_FILTER: { tickSize: '10' } }),
      'spot',
      undefined,
      'tickSize: expected a power of ten of at most 1, because the venue defines steps by decimals only, received "10"',
    ],
    [
      'a tick of 0',
      spotInfo({ PRICE_FILTER: { tickSize: '0' } }),
      'spot',
      undefined,
      'received "0"',
    ],
    [
      'a step that is no power of ten',
      spotInfo({ LOT_SIZE: { stepSize: '5' } }),
      'spot',
      undefined,
      'filters.1.stepSize: expected a power of ten',
    ],
    [
      'another step for market orders',
      spotInfo({ MARKET_LOT_SIZE: { stepSize: '0.1' } }),
      'spot',
      undefined,
      'filters.2.stepSize: expected 0, or 0.00001 as for limit orders, received "0.1"',
    ],
    [
      'another minimum for market orders',
      spotInfo({ MARKET_LOT_SIZE: { minQty: '0.1' } }),
      'spot',
      undefined,
      'filters.2.minQty: expected 0, or 0.00001',
    ],
    [
      'a step that is no number',
      spotInfo({ LOT_SIZE: { stepSize: 'x' } }),
      'spot',
      undefined,
      'stepSize: expected a decimal of at most 18 places, received "x"',
    ],
    [
      'a minimum above the maximum',
      spotInfo({ LOT_SIZE: { minQty: '9001' } }),
      'spot',
      undefined,
      'BTCUSDT: expected minOrderQuantity <= maxMarketQuantity',
    ],
    [
      'a multiplier beside the step',
      futuresInfo(),
      'futures',
      '0.0015',
      'expected a multiplier that is a multiple of the step 0.001, received 0.0015',
    ],
    [
      'a multiplier that contradicts the file',
      futuresInfo({}, { contractSize: 100 }),
      'futures',
      '10',
      'symbols.1.contractSize: expected the given multiplier 10, received 100',
    ],
    [
      'contracts that are not whole',
      futuresInfo({}, { contractSize: 100 }),
      'futures',
      undefined,
      'stepSize: expected a step of 1, because quantities of the file are in contracts',
    ],
    [
      'a symbol without a price filter',
      {
        symbols: [
          {
            symbol: 'BTCUSDT',
            status: 'TRADING',
            filters: [{ filterType: 'LOT_SIZE', minQty: '1', maxQty: '2', stepSize: '1' }],
          },
        ],
      },
      'spot',
      undefined,
      'symbols.0.filters: expected a filter PRICE_FILTER',
    ],
    [
      'an unknown symbol',
      { symbols: [{ symbol: 'BTC-USDT', status: 'TRADING' }] },
      'spot',
      undefined,
      'info.json: expected one symbol BTCUSDT, received none among 1; did you mean BTC-USDT?',
    ],
    [
      'a symbol that is there twice',
      { symbols: [{ symbol: 'BTCUSDT' }, { symbol: 'BTCUSDT' }] },
      'spot',
      undefined,
      'received 2 of them',
    ],
    [
      'symbols that are no list',
      { symbols: {} },
      'spot',
      undefined,
      'info.json: symbols: expected a list, received {}',
    ],
  ])('refuses %s', (_what, json, product, multiplier, message) => {
    expect(() => map(json, product, multiplier)).toThrow(message);
    expect(() => map(json, product, multiplier)).toThrow(
      expect.objectContaining({ code: 'E_DATA_RECORD' }) as Error,
    );
  });

  it.each([[null], [[]], ['x'], [{}], [{ BTCUSDT: {} }]])('returns undefined for %j', (json) => {
    const options = { path: 'info.json', symbol: 'BTCUSDT', product: 'spot' } as const;

    expect(mapExchangeRules(json, options)).toBeUndefined();
  });

  it('law: any JSON gives consistent rules, undefined, or a DataError', () => {
    const filter = fc.record(
      {
        filterType: fc.constantFrom('PRICE_FILTER', 'LOT_SIZE', 'MARKET_LOT_SIZE', 'NOTIONAL'),
        tickSize: fc.constantFrom('0.1', '1', '3', 0.01, null),
        stepSize: fc.constantFrom('0.1', '1', '0', 0.001, '1e-7'),
        minQty: fc.constantFrom('0', '0.1', '7', 1),
        maxQty: fc.constantFrom('0', '5', '1e9', 100),
      },
      { requiredKeys: ['filterType'] },
    );
    const symbol = fc.record({
      symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT'),
      status: fc.constantFrom<unknown>('TRADING', 'BREAK', 1),
      filters: fc.oneof(fc.array(filter), fc.jsonValue()),
    });
    const document = fc.oneof(
      fc.jsonValue(),
      fc.record({ symbols: fc.oneof(fc.array(symbol, { maxLength: 3 }), fc.jsonValue()) }),
    );
    const products = fc.constantFrom<ProductKind>('spot', 'futures');
    fc.assert(
      fc.property(document, products, (json, product) => {
        try {
          const mapped = mapExchangeRules(json, { path: 'a', symbol: 'BTCUSDT', product });
          if (mapped !== undefined) resolveRules(mapped.rules);
        } catch (error) {
          expect(error).toBeInstanceOf(DataError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
