import { describe, expect, it } from 'vitest';
import { CandleMarket } from '../../../src/local-exchange/market/candle-market.js';
import { ListingRules } from '../../../src/local-exchange/market/listing-rules.js';
import {
  closeTimeOf,
  DAY_MS,
  fixedFromNumber,
  MINUTE_MS,
  parseFixed,
  VENUE_INTERVALS,
} from '../../../src/domain/index.js';
import { createFixedSlippage } from '../../../src/simulator/index.js';
import {
  buildTestExchange,
  FIRST_CANDLE,
  FUTURES_ID,
  MARGIN_ID,
  MARKET_START,
  SPOT_ID,
  testCandles,
  testInstruments,
} from '../../support/local-exchange/test-exchange.js';

function testMarket(halfSpread = parseFixed('0.0001')): CandleMarket {
  const rules = new ListingRules();
  for (const { instrument, rules: own } of testInstruments()) rules.list(instrument.id, own);
  return new CandleMarket({
    sources: testInstruments(),
    rules,
    halfSpread,
    slippage: createFixedSlippage(0n),
    seed: 3,
  });
}

const WHOLE = { startTime: undefined, endTime: undefined };
/** Instants in and between candles: opens, corners of the path, odd milliseconds. */
const INSTANTS = [0, 1, 19_999, 20_000, 33_333, 59_999, 60_000, 3 * 3_600_000 + 7].map(
  (ms) => MARKET_START + ms,
);

describe('CandleMarket', () => {
  it.each(INSTANTS)('shows the same price in every answer at %d', (time) => {
    const market = testMarket();
    const ticker = market.ticker(SPOT_ID, time);
    const depth = market.depth(SPOT_ID, time, {});

    for (const interval of VENUE_INTERVALS) {
      const open = market.candles(SPOT_ID, interval, time, { limit: 1, ...WHOLE })?.at(-1);
      const last = ticker?.last ?? 0n;
      expect(open && fixedFromNumber(open.close)).toBe(last);
      expect(open && fixedFromNumber(open.low) <= last && last <= fixedFromNumber(open.high)).toBe(
        true,
      );
    }
    expect(ticker && ticker.low <= ticker.last && ticker.last <= ticker.high).toBe(true);
    expect(depth?.bids[0]?.price).toBe(ticker?.bestBid);
    expect((depth?.bids[0]?.price ?? 0n) < (ticker?.last ?? 0n)).toBe(true);
    expect((depth?.asks[0]?.price ?? 0n) > (ticker?.last ?? 0n)).toBe(true);
  });

  it('returns candles in two parts, and reuses the closed part for a repeated query', () => {
    const [kept, plain] = [testMarket(), testMarket()];
    const times = INSTANTS.flatMap((time) => [time, time + 1_000, time]);
    for (const interval of ['1min', '15min', '1day'] as const) {
      for (const limit of [1, 2, 50]) {
        for (const time of times) {
          const span = { startTime: time - 40 * MINUTE_MS, endTime: time - 5 * MINUTE_MS };
          for (const query of [
            { limit, ...WHOLE },
            { limit, ...span },
          ]) {
            const parts = kept.candleParts(SPOT_ID, interval, time, query);
            const whole = [...(parts?.closed ?? []), parts?.open].filter(
              (one) => one !== undefined,
            );

            expect(whole).toEqual(plain.candles(SPOT_ID, interval, time, query));
            expect(kept.candleParts(SPOT_ID, interval, time, query)?.closed).toBe(parts?.closed);
          }
        }
      }
    }
  });

  it('prints trades that sum to the volume of their candle, from its open to its close', () => {
    const market = testMarket();
    const columns = testCandles();
    for (let row = 100; row < 130; row += 1) {
      const openTime = FIRST_CANDLE + row * MINUTE_MS;
      const prints = (market.trades(SPOT_ID, openTime + MINUTE_MS - 1, 1_000) ?? []).filter(
        ({ time }) => time >= openTime,
      );

      const sum = prints.reduce((total, { quantity }) => total + quantity, 0n);
      expect(sum).toBe(fixedFromNumber(columns.volume[row] ?? 0));
      expect(prints[0]?.price).toBe(fixedFromNumber(columns.open[row] ?? 0));
      expect(prints.at(-1)?.price).toBe(fixedFromNumber(columns.close[row] ?? 0));
      const prices = prints.map(({ price }) => price);
      expect(prices).toContain(fixedFromNumber(columns.high[row] ?? 0));
      expect(prices).toContain(fixedFromNumber(columns.low[row] ?? 0));
    }
  });

  it('prints trades of an open candle that sum to the volume of its kline', () => {
    const market = testMarket();
    for (const time of INSTANTS) {
      const kline = market.candles(SPOT_ID, '1min', time, { limit: 1, ...WHOLE })?.at(-1);
      const prints = (market.trades(SPOT_ID, time, 1_000) ?? []).filter(
        (print) => print.time >= (kline?.openTime ?? 0),
      );

      const sum = prints.reduce((total, { quantity }) => total + quantity, 0n);
      expect(kline && fixedFromNumber(kline.volume)).toBe(sum);
    }
  });

  it('shows nothing of the future', () => {
    const market = testMarket();
    const time = MARKET_START + 12_345;

    for (const interval of VENUE_INTERVALS) {
      const candles = market.candles(SPOT_ID, interval, time, { limit: 300, ...WHOLE }) ?? [];
      expect(candles.every(({ openTime }) => openTime <= time)).toBe(true);
    }
    const stored = testCandles();
    const row = (MARKET_START - FIRST_CANDLE) / MINUTE_MS;
    const open = market.candles(SPOT_ID, '1min', time, { limit: 1, ...WHOLE })?.at(-1);
    expect(open?.volume).toBeLessThan(stored.volume[row] ?? 0);
  });

  it('returns klines within the limit and the span of the query', () => {
    const market = testMarket();
    const query = { limit: 5, startTime: MARKET_START - DAY_MS, endTime: MARKET_START - 1 };
    const candles = market.candles(SPOT_ID, '1h', MARKET_START, query) ?? [];

    expect(candles).toHaveLength(5);
    expect(candles.at(-1)?.openTime).toBe(MARKET_START - 3_600_000);
    expect(candles.every((one) => one.closeTime === closeTimeOf(one.openTime, '1h'))).toBe(true);
  });

  it('shows margin pairs at the price of spot, and returns undefined without data', () => {
    const market = testMarket();

    expect(market.ticker(MARGIN_ID, MARKET_START)?.last).toBe(
      market.ticker(SPOT_ID, MARKET_START)?.last,
    );
    expect(market.isListed(MARGIN_ID)).toBe(true);
    expect(market.ticker(FUTURES_ID, FIRST_CANDLE - 1)).toBeUndefined();
    expect(market.mark(SPOT_ID, MARKET_START)).toBeUndefined();
  });

  it('derives mark and index of a contract from its last price if no marks are stored', () => {
    const market = testMarket();
    const mark = market.mark(FUTURES_ID, MARKET_START + 5_000);

    expect(mark?.markPrice).toBe(market.ticker(FUTURES_ID, MARKET_START + 5_000)?.last);
    expect(mark?.instrumentId).toBe(FUTURES_ID);
  });

  it.each([
    [undefined, '-0.0003'],
    ['current', '-0.0003'],
    ['settled', '0.0002'],
  ] as const)(
    'shows in its index the funding rate that the setting %s makes known',
    (known, rate) => {
      const time = Float64Array.of(MARKET_START - DAY_MS, MARKET_START + DAY_MS);
      const funding = { stored: { time, rate: Float64Array.of(0.0002, -0.0003) } };
      const { market } = buildTestExchange({
        instruments: testInstruments().map((each) => ({ ...each, funding })),
        fundingRateKnown: known,
      }).parts;

      expect(market.mark(FUTURES_ID, MARKET_START)?.fundingRate).toBe(parseFixed(rate));
    },
  );
});
