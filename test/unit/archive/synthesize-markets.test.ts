import { describe, expect, it } from 'vitest';
import {
  checkCandles,
  hashColumns,
  hashFunding,
  synthesizeMarkets,
  type SynthInstrument,
  type SynthMarket,
  type SynthOptions,
} from '../../../src/archive/index.js';
import { parseInstrumentId, present, type CandleColumns } from '../../../src/domain/index.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2025, 0, 1);
const SPOT = parseInstrumentId('spot:BTCUSDT');

const anInstrument = (id: string, options: Partial<SynthInstrument> = {}): SynthInstrument => ({
  instrumentId: parseInstrumentId(id),
  startPrice: 62_000,
  volatility: 0.5,
  dailyVolume: 1_000_000,
  pricePrecision: 1,
  quantityPrecision: 0,
  ...options,
});
const PERP = anInstrument('futures:E-BTC-USDT', { like: SPOT });

const marketsOf = (options: Partial<SynthOptions> = {}): readonly SynthMarket[] =>
  synthesizeMarkets({
    seed: 7,
    interval: '1h',
    from: START,
    to: START + 20 * DAY,
    correlation: 0.7,
    instruments: [PERP],
    ...options,
  });
const marketOf = (options: Partial<SynthOptions> = {}): SynthMarket =>
  present(marketsOf(options)[0], 'a market');
const contractOf = (
  options: Partial<SynthOptions> = {},
): {
  readonly last: CandleColumns;
  readonly mark: CandleColumns;
  readonly funding: NonNullable<SynthMarket['funding']>;
} => {
  const { candles, marks, funding } = marketOf(options);
  return {
    last: candles.columns,
    mark: present(marks, 'marks').columns,
    funding: present(funding, 'funding'),
  };
};

describe('synthesizeMarkets', () => {
  it('makes mark prices near the last price, without volume and without defects', () => {
    const { last, mark } = contractOf();

    expect(mark.openTime).toEqual(last.openTime);
    const deviations = mark.close.map((price, row) => (last.close[row] ?? 0) / price - 1);
    expect(Math.max(...deviations.map(Math.abs))).toBeLessThan(0.0025);
    expect(deviations.filter((deviation) => deviation !== 0).length).toBeGreaterThan(400);
    expect(mark.volume.every((volume) => volume === 0)).toBe(true);
    const { findings } = checkCandles(mark, '1h');
    expect(findings.map(({ kind }) => kind)).toEqual(['zero-volume']);
    expect(checkCandles(last, '1h').findings).toEqual([]);
  });

  it('settles funding every eight hours from midnight within the range', () => {
    const { funding } = contractOf({ from: START + HOUR, to: START + 2 * DAY });

    // From 01:00 of the first day to the midnight after the second: 08:00, 16:00, 00:00, 08:00, 16:00.
    expect([...funding.time]).toEqual([8, 16, 24, 32, 40].map((hour) => START + hour * HOUR));
  });

  it('gives rates of eight decimals that follow the premium of last over mark', () => {
    const { funding } = contractOf({ interval: '1min', to: START + 40 * DAY });
    const { last, mark } = contractOf({ interval: '1min', to: START + 40 * DAY });
    const premiums = Array.from(funding.time, (_, period) => {
      const [from, to] = [period * 480, period * 480 + 480];
      const sum = last.close
        .subarray(from, to)
        .reduce((total, price, row) => total + price / (mark.close[from + row] ?? 1) - 1, 0);
      return sum / 480;
    });

    expect(funding.rate.every((rate) => Math.abs(rate) <= 0.003)).toBe(true);
    expect(funding.rate.every((rate) => Math.round(rate * 1e8) / 1e8 === rate)).toBe(true);
    // A rate is the mean premium plus the interest of 0.01 %, up to the rounding to ticks.
    premiums.forEach((premium, period) => {
      expect(funding.rate[period]).toBeCloseTo(premium + 0.0001, 6);
    });
    expect(new Set(funding.rate.map(Math.sign)).size).toBe(2);
  });

  it('gives a contract marks at the price of the instrument that it is like, on its own tick', () => {
    const [spot, perp] = marketsOf({
      instruments: [anInstrument('spot:BTCUSDT', { pricePrecision: 2 }), PERP],
    });

    const marks = present(perp?.marks, 'marks').columns.close;
    const prices = present(spot, 'spot').candles.columns.close;
    expect(marks.every((mark, row) => Math.abs(mark - (prices[row] ?? 0)) < 0.0501)).toBe(true);
    expect(spot).toMatchObject({ marks: undefined, funding: undefined });
    expect(perp?.candles.source).toMatch(/ like=spot:BTCUSDT$/);
  });

  it('gives margin the prices of spot', () => {
    const [spot, margin] = marketsOf({
      instruments: [anInstrument('spot:BTCUSDT'), anInstrument('margin:BTCUSDT')],
    });

    expect(hashColumns(present(margin, 'margin').candles.columns)).toBe(
      hashColumns(present(spot, 'spot').candles.columns),
    );
    expect(margin).toMatchObject({ marks: undefined, funding: undefined });
  });

  it('gives the same market for another interval and range', () => {
    const whole = contractOf({ origin: START });
    const part = contractOf({ origin: START, from: START + 3 * DAY, interval: '1h' });
    const fine = contractOf({ origin: START, interval: '15min', markInterval: '1h' });

    expect(part.mark.close).toEqual(whole.mark.close.subarray(72));
    expect(part.funding.rate).toEqual(whole.funding.rate.subarray(-part.funding.rate.length));
    expect(hashColumns(fine.mark)).toBe(hashColumns(whole.mark));
    expect(hashFunding(fine.funding)).toBe(hashFunding(whole.funding));
  });

  it('makes other deviations for another seed and another contract', () => {
    const rates = [
      contractOf().funding,
      contractOf({ seed: 8 }).funding,
      contractOf({ instruments: [anInstrument('futures:I-BTC-USD', { like: SPOT })] }).funding,
    ].map(hashFunding);

    expect(new Set(rates).size).toBe(3);
    expect(hashFunding(contractOf().funding)).toBe(rates[0]);
  });

  it('refuses a range off the grid of the marks', () => {
    const options = { from: START + HOUR, markInterval: '8h' } as const;

    expect(() => marketOf(options)).toThrow('of the mark interval 8h');
  });
});
