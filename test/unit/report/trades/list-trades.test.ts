import { describe, expect, it } from 'vitest';

import { createHeldPrices } from '../../../../src/assembly/market/held-prices.js';
import {
  CandleRows,
  DAY_MS,
  formatFixed,
  MINUTE_MS,
  parseFixed,
  type CandleColumns,
  type Instrument,
} from '../../../../src/domain/index.js';
import { buildResult, type RunFill, type RunFinancing } from '../../../../src/report/index.js';
import {
  aFuture,
  aRunFill,
  aRunOrder,
  aRunRecord,
  BTC_SPOT,
  dailyEquity,
  RUN_START,
} from '../../../support/run-records.js';

/** Open, high, low and close of candles of a minute from the start of the run. */
function candles(bars: readonly (readonly [number, number, number, number])[]): CandleColumns {
  const column = (place: 0 | 1 | 2 | 3): Float64Array =>
    Float64Array.from(bars, (bar) => bar[place]);
  return {
    openTime: Float64Array.from(bars, (_, row) => at(row)),
    ...{ open: column(0), high: column(1), low: column(2), close: column(3) },
    volume: Float64Array.from(bars, () => 1),
  };
}

const at = (minute: number): number => RUN_START + minute * MINUTE_MS;

/** Days with more than 30 returns between them. */
const DAYS = Array.from({ length: 32 }, (_, day) => day);
const dayPrice = (day: number): number => 100 + ((day * 37) % 11);

/** Held prices of candles of a day, each at one price. */
function heldPrices(prices: readonly number[]): ReturnType<typeof createHeldPrices> {
  const column = (): Float64Array => Float64Array.from(prices);
  const rows = CandleRows.of({
    openTime: Float64Array.from(prices, (_, day) => RUN_START + day * DAY_MS),
    ...{ open: column(), high: column(), low: column(), close: column() },
    volume: new Float64Array(prices.length),
  });
  return createHeldPrices([{ instrumentId: BTC_SPOT.id, interval: '1day', rows }], {
    dataDelayMs: 0,
  });
}

const BARS = candles([
  [100, 104, 98, 103],
  [103, 110, 101, 108],
  [108, 109, 90, 95],
  [95, 120, 94, 118],
  [118, 119, 111, 112],
]);

function resultOf(fills: readonly RunFill[], instrument: Parameters<typeof aRunRecord>[0] = {}) {
  const record = aRunRecord({ fills, ...instrument });
  const prices = createHeldPrices(
    record.instruments.map(({ id }) => ({
      instrumentId: id,
      interval: '1min',
      rows: CandleRows.of(BARS),
    })),
    { dataDelayMs: 0 },
  );
  return buildResult(record, { prices });
}

describe('TradeList', () => {
  it('takes the excursions of a long from the candles during which it was held', () => {
    // Bought 2 at the open of minute 1 (103), sold at the open of minute 3 (95). Lowest 90, highest 110.
    const [trade] =
      resultOf([
        aRunFill({ time: at(1), quantity: '2', price: '103', fee: '0.2' }),
        aRunFill({ time: at(3), quantity: '2', price: '95', side: 'sell', fee: '0.1' }),
      ]).trades ?? [];

    // 2 × (90 − 103) = −26; 2 × (110 − 103) = 14; 2 × (95 − 103) = −16, less 0.3
    expect(trade).toMatchObject({
      ...{ mae: '-26', mfe: '14', gross: '-16', fees: '0.3', profit: '-16.3', open: false },
      ...{ duration: 2 * MINUTE_MS, return: -16.3 / 206 },
    });
  });

  it('uses only prices that a short certainly saw from candles during which it was held in part', () => {
    // 1,000 contracts of 0.001 BTC: 1 BTC. Sold at 102 in the middle of minute 0, bought back at 100 in the middle of minute 2.
    // Minute 0 counts with its close 103, minute 1 with its range (101 to 110), minute 2 with its open 108: its low of 90 may have come later.
    const instrument = aFuture('linear');
    const contracts = { instrument, quantity: '1000', step: '1' } as const;
    const [trade] =
      resultOf(
        [
          aRunFill({ ...contracts, time: at(0.5), side: 'sell', action: 'open', price: '102' }),
          aRunFill({ ...contracts, time: at(2.5), side: 'buy', action: 'close', price: '100' }),
        ],
        { instruments: [instrument] },
      ).trades ?? [];

    // 102 − 110 = −8; best is its own exit: 102 − 100 = 2
    expect(trade).toMatchObject({ side: 'short', mae: '-8', mfe: '2', gross: '2' });
  });

  it('takes the excursions of an inverse contract in its coin, if equity is in this coin', () => {
    // Sold 10 contracts of 100 USD at 100: 10 BTC. Minute 2 falls to 90: 1,000 ÷ 90 − 10. Minute 1 rises to 110: 1,000 ÷ 110 − 10.
    const instrument = aFuture('inverse');
    const contracts = { instrument, quantity: '10', step: '1', feeAsset: 'BTC' } as const;
    const [trade] =
      resultOf(
        [
          aRunFill({
            ...{ ...contracts, time: at(0), side: 'sell', action: 'open' },
            ...{ price: '100', quoteRate: '0.01' },
          }),
          aRunFill({
            ...{ ...contracts, time: at(3), side: 'buy', action: 'close' },
            ...{ price: '95', quoteRate: '0.010526315789473684' },
          }),
        ],
        { instruments: [instrument], equityCurrency: 'BTC' },
      ).trades ?? [];

    expect(trade).toMatchObject({
      ...{ mae: '-0.909090909090909091', mfe: '1.111111111111111111' },
      gross: '0.526315789473684211',
    });
  });

  it('adds the realized profit to the excursions of the rest', () => {
    // 2 bought at 100 (minute 0), 1 sold at 103 (minute 1): 3 realized. The rest falls to 90: 3 + (90 − 100) = −7. Sold at 118: 3 + 18 = 21.
    // Minute 3 has a high of 120: 3 + 20 = 23.
    const [trade] =
      resultOf([
        aRunFill({ time: at(0), quantity: '2', price: '100' }),
        aRunFill({ time: at(1), side: 'sell', price: '103' }),
        aRunFill({ time: at(4), side: 'sell', price: '118' }),
      ]).trades ?? [];

    expect(trade).toMatchObject({
      ...{ mae: '-7', mfe: '23', gross: '21' },
      entry: { price: '100', quantity: '2', fills: [0] },
      exit: { time: at(4), price: '110.5', quantity: '2', fills: [1, 2] },
    });
  });

  it('counts the shortfall of an inverse contract in the coins that its fills cost', () => {
    const instrument = aFuture('inverse');
    const contracts = { instrument, quantity: '10', step: '1', feeAsset: 'BTC' } as const;
    const [trade] =
      resultOf(
        [
          aRunFill({ ...contracts, id: 'in', time: at(1), price: '104', quoteRate: '0.0096' }),
          aRunFill({
            ...{ ...contracts, id: 'out', time: at(4), side: 'sell' },
            ...{ price: '117', quoteRate: '0.0085' },
          }),
        ],
        {
          instruments: [instrument],
          equityCurrency: 'BTC',
          orders: [
            aRunOrder({ id: 'in', time: at(1) }),
            aRunOrder({ id: 'out', time: at(4), side: 'sell' }),
          ],
        },
      ).trades ?? [];

    // Closes of the candles before: 103 and 118. 1,000 ÷ 103 − 1,000 ÷ 104 coins less at the entry, 1,000 ÷ 117 − 1,000 ÷ 118 more owed at the exit.
    expect(trade).toMatchObject({ arrival: '103', shortfall: '0.165785524515160849' });
  });

  it('shows labels, causes and intents, and the shortfall against the arrival price', () => {
    const order = (id: string, minute: number, more: Parameters<typeof aRunOrder>[0]) =>
      aRunOrder({ id, time: at(minute), ...more });
    const result = resultOf(
      [
        aRunFill({ id: 'in', time: at(1), price: '104' }),
        aRunFill({ id: 'out', time: at(4), price: '117', side: 'sell' }),
      ],
      {
        orders: [
          order('in', 1, { label: 'dip' }),
          order('out', 4, { side: 'sell', label: 'stopped', cause: 'stop-loss' }),
        ],
      },
    );

    // Closes of the candles before: 103 and 118. The entry paid 104 − 103 = 1 more, the exit got 118 − 117 = 1 less.
    expect(result.trades).toMatchObject([
      {
        ...{ arrival: '103', shortfall: '2', intents: [1] },
        entry: { label: 'dip', cause: 'signal' },
        exit: { label: 'stopped', cause: 'stop-loss' },
      },
    ]);
    expect(result.breakdowns?.filter(({ by }) => by === 'label' || by === 'cause')).toMatchObject([
      { by: 'label', key: 'dip', trades: 1, wins: 1, profit: '13' },
      { by: 'cause', key: 'stop-loss', trades: 1, profit: '13' },
    ]);
  });

  it('values an open trade at the end, including its partial closes', () => {
    const result = resultOf(
      [
        aRunFill({ time: at(0), quantity: '3', price: '100' }),
        aRunFill({ time: at(1), side: 'sell', price: '103' }),
      ],
      { finalPrices: new Map([[BTC_SPOT.id, { price: 112n * 10n ** 18n, worth: 10n ** 18n }]]) },
    );

    // 3 + 2 × 12 = 27
    expect(result.trades).toMatchObject([{ open: true, gross: '27', profit: '27' }]);
    expect(result.tradeTotals).toMatchObject({ closed: '0', open: '27' });
    expect(result.statistics.trades).toBe(0);
  });

  it('compares with holding the first instrument', () => {
    const { benchmark } = resultOf([]);

    // First open 100, last close 112; two days have no 30 returns.
    expect(benchmark).toMatchObject({
      ...{ instrument: 'spot:BTCUSDT', totalReturn: 0.12, excessReturn: -0.12 },
      ...{ beta: null, correlation: null },
    });
  });

  it('compares with holding from the last close before the run, as initial holdings are valued', () => {
    const rows = CandleRows.of({
      openTime: Float64Array.of(at(-1), at(0), at(1)),
      ...{ open: Float64Array.of(97, 100, 104), high: Float64Array.of(98, 105, 120) },
      ...{ low: Float64Array.of(96, 99, 103), close: Float64Array.of(98, 104, 112.7) },
      volume: Float64Array.of(1, 1, 1),
    });
    const series = [{ instrumentId: BTC_SPOT.id, interval: '1min' as const, rows }];
    const prices = createHeldPrices(series, { dataDelayMs: 0 });
    const { benchmark } = buildResult(aRunRecord(), { prices });

    // 98 to 112.7, not 100 to 112.7
    expect(benchmark).toMatchObject({ totalReturn: 0.15, curve: [[RUN_START, '98'], {}, {}] });
  });

  it('has no beta if all returns are equal, although their mean is rounded', () => {
    const steady = DAYS.map((day) =>
      formatFixed((parseFixed('10000') * 101n ** BigInt(day)) / 100n ** BigInt(day)),
    );
    const record = aRunRecord(dailyEquity(steady));

    expect(buildResult(record, { prices: heldPrices(DAYS.map(dayPrice)) })).toMatchObject({
      statistics: { sharpe: null },
      benchmark: { beta: null, correlation: null },
    });
  });

  it('has the beta and the correlation of the daily returns', () => {
    // A candle of a day ends at the next midnight, so the first open is the price of the first midnight.
    const prices = [dayPrice(0), ...DAYS.slice(0, -1).map(dayPrice)];
    const equity = prices.map((price, day) => 10_000 + price * 300 + ((day * 53) % 17) * 100);
    const record = aRunRecord(dailyEquity(equity.map(String)));

    const { benchmark } = buildResult(record, { prices: heldPrices(DAYS.map(dayPrice)) });

    const [own, others] = [equity, prices].map((values) =>
      values.slice(1).map((value, day) => value / (values[day] ?? Number.NaN) - 1),
    ) as [number[], number[]];
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, one) => sum + one, 0) / values.length;
    const product = (a: readonly number[], b: readonly number[]): number =>
      mean(a.map((one, day) => one * (b[day] ?? Number.NaN))) - mean(a) * mean(b);
    const together = product(own, others);
    expect(benchmark?.beta).toBeCloseTo(together / product(others, others), 9);
    expect(benchmark?.correlation).toBeCloseTo(
      together / Math.sqrt(product(own, own) * product(others, others)),
      9,
    );
    expect(benchmark?.correlation).toBeGreaterThan(0.5);
  });

  it('is omitted if it is not requested', () => {
    const result = buildResult(aRunRecord());

    expect(Object.keys(result)).not.toContain('trades');
    expect(Object.keys(result)).not.toContain('config');
  });

  it.each([
    ['interest', { ...BTC_SPOT, kind: 'margin', leverage: parseFixed('3') }, '0', '0.75'],
    ['funding', aFuture('linear'), '0.75', '0'],
  ] as const)('has the holding costs as %s', (_name, instrument: Instrument, funding, interest) => {
    const cost = (minute: number, amount: string): RunFinancing => ({
      ...{ time: at(minute), instrumentId: instrument.id, direction: 'long' },
      ...{ cost: parseFixed(amount), accrued: { quantity: 0n, value: 0n } },
    });

    const rows = CandleRows.of(BARS);
    const minutes = { instrumentId: instrument.id, interval: '1min', rows } as const;

    const { trades } = buildResult(
      aRunRecord({
        instruments: [instrument],
        fills: [
          aRunFill({ instrument, side: 'buy', time: at(1) }),
          aRunFill({ instrument, side: 'sell', time: at(4), id: 'order-2' }),
        ],
        financings: [cost(2, '1'), cost(3, '-0.25')],
      }),
      { prices: createHeldPrices([minutes], { dataDelayMs: 0 }) },
    );

    expect(trades).toMatchObject([{ open: false, fees: '0', funding, interest, profit: '-0.75' }]);
  });

  it('assigns the surplus of the buy-back of a short to no trade', () => {
    const margin: Instrument = { ...BTC_SPOT, kind: 'margin', leverage: parseFixed('3') };
    const { trades, tradeTotals } = resultOf(
      [
        aRunFill({ time: at(0), instrument: margin, side: 'sell', action: 'open', price: '100' }),
        aRunFill({
          ...{ time: at(1), instrument: margin, side: 'buy', action: 'close', price: '100' },
          ...{ quantity: '1.002', fee: '0.001002', feeAsset: 'BTC' },
        }),
      ],
      {
        instruments: [margin],
        // 10,000 + 100 − 100.2 USDT, and 1.002 − 0.001002 − 1 = 0.000998 BTC at 110: 0.10978
        ...dailyEquity(['10000', '10000', '9999.90978']),
        finalEquity: parseFixed('9999.90978'),
      },
    );

    // 100 − 100.2; what is left is the BTC: −0.09022 + 0.2 = 0.10978
    expect(trades).toMatchObject([{ profit: '-0.2' }]);
    expect(tradeTotals).toMatchObject({ closed: '-0.2', dust: '0', other: '0.10978' });
  });
});
