import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  FIXED_ONE,
  HOUR_MS,
  parseFixed,
  type Halt,
  type RecordedRefusal,
} from '../../../src/domain/index.js';
import {
  buildFigures,
  buildResult,
  headlineOf,
  rangeOfRuns,
  renderSummary,
  withBounds,
  type RunRecord,
} from '../../../src/report/index.js';
import {
  aRunFill,
  aRunOrder,
  aRunRecord,
  BTC_SPOT,
  dailyEquity,
  RUN_START,
} from '../../support/run-records.js';

function aRefusal(check: string, time: number): RecordedRefusal {
  const refusal = { check, limit: '5', actual: '3.2', unit: 'USDT', text: 'too small' };
  return { time, lastTime: time, count: 1, instrumentId: BTC_SPOT.id, refusal };
}

function aHalt(reason: Halt['reason'], since: number, until: number | undefined): Halt {
  return { reason, since, until, action: 'cancel', text: 'lost 201, allowed are 200' };
}

/** 30 days of +2 % and −1 % by turns on 1,000 USDT, one trade, and a value for each line of a summary. */
function busyRecord(overrides: Partial<RunRecord> = {}): RunRecord {
  let amount = parseFixed('1000');
  const amounts = Array.from({ length: 30 }, (_, day) => {
    amount = (amount * (day % 2 === 0 ? 102n : 99n)) / 100n;
    return String(Number(amount) / 1e18);
  });
  return aRunRecord({
    ...dailyEquity(['1000', ...amounts]),
    heldCloses: 12,
    intents: 1_234,
    orders: [
      aRunOrder({ id: 'a' }),
      aRunOrder({ id: 'b', side: 'sell', limitPrice: '110' }),
      aRunOrder({ id: 'c', limitPrice: '90', status: 'canceled' }),
    ],
    fills: [
      aRunFill({ id: 'a', time: RUN_START + HOUR_MS, fee: '0.1' }),
      aRunFill({ id: 'b', time: RUN_START + 2 * HOUR_MS, side: 'sell', price: '110', fee: '0.11' }),
    ],
    refusals: [
      aRefusal('priceBand', RUN_START + 3 * HOUR_MS),
      aRefusal('minOrderMoney', RUN_START + 4 * HOUR_MS),
      aRefusal('minOrderMoney', RUN_START + 5 * HOUR_MS),
    ],
    protections: [
      { name: 'halted', limit: 'maxDailyLoss 200' },
      { name: 'max-position-notional', limit: '5000 per position' },
    ],
    halts: [
      aHalt('drawdown', RUN_START + 6 * HOUR_MS, undefined),
      aHalt('daily-loss', RUN_START + 7 * HOUR_MS, RUN_START + 24 * HOUR_MS),
      aHalt('daily-loss', RUN_START + 31 * HOUR_MS, RUN_START + 48 * HOUR_MS),
    ],
    costs: { fees: parseFixed('0.21'), funding: 0n, interest: 0n, insurance: 0n },
    gaps: {
      count: 2,
      missing: 1_100,
      starts: [
        {
          instrumentId: BTC_SPOT.id,
          time: RUN_START + HOUR_MS,
          price: parseFixed('12345.678'),
          worth: FIXED_ONE,
        },
      ],
    },
    warnings: ['Participation is off: the volume of a candle does not limit what it fills.'],
    undecidedCandles: 12,
    undecidedMoney: parseFixed('21'),
    undecidedSpans: new Map([
      [BTC_SPOT.id, { opens: [RUN_START], closes: [RUN_START + 2 * HOUR_MS] }],
    ]),
    ...overrides,
  });
}

const plain = { color: false, width: 80 };

describe('renderSummary', () => {
  it('shows fees in third assets, with and without a value', () => {
    const bnb = { ...BTC_SPOT, id: createInstrumentId('spot', 'BNBUSDT'), base: 'BNB' };
    const record = busyRecord({
      instruments: [BTC_SPOT, bnb],
      fills: [
        aRunFill({ fee: '0.01', feeAsset: 'BNB', feeRate: '600' }),
        aRunFill({ fee: '7', feeAsset: 'XYZ' }),
      ],
    });

    const text = renderSummary(buildResult(record), plain).replaceAll(/\s+/g, ' ');

    expect(text).toContain(
      'Fees 0.01 BNB, 6.00 USDT of all fees, at the last closes of spot:BNBUSDT',
    );
    expect(text).toContain('7 XYZ are in no figure: no instrument of the run values XYZ in USDT');
  });

  it('shows forced trades and the amount that the venue paid', () => {
    const forced = aRunFill({ side: 'sell', time: RUN_START + 5_000, cause: 'liquidation' });
    const record = busyRecord({
      fills: [aRunFill(), forced],
      costs: { fees: 0n, funding: 0n, interest: 0n, insurance: parseFixed('12') },
    });

    const text = renderSummary(buildResult(record), plain);

    expect(text).toContain(
      '  Forced    1 × liquidation; first at 2025-01-01T00:00:05Z on spot:BTCUSDT\n            12.00 USDT paid by the venue',
    );
  });

  it('shows figures, costs and every other section of a busy run', () => {
    const result = buildResult(busyRecord());
    const [orders, fills] = [result.hash.orders.slice(0, 12), result.hash.fills.slice(0, 12)];

    const text = renderSummary(result, plain);

    // sharpe, sortino, volatility, CAGR: as in return-figures.test.ts; win 110 − 100 − 0.21 = 9.79
    expect(`\n${text}\n`).toBe(`
sma-crossover on spot:BTCUSDT
2025-01-01 to 2025-01-31, 30 candles
fast 10, slow 30

  Initial equity          1,000.00 USDT    Trades                              1
  Final equity            1,157.53 USDT    Win rate                     100.00 %
  Total return                  15.75 %    Profit factor                     n/a
  CAGR                         492.86 %    Expectancy                  9.79 USDT
  Max drawdown                   1.00 %    Exposure                      40.00 %
  Longest drawdown                  2 d    Turnover                         0.19
  Volatility                    29.15 %    Fees                        0.21 USDT
  Sharpe                           6.26    Funding                     0.00 USDT
  Sortino                         13.51    Interest                    0.00 USDT
  Calmar                         492.86

  Orders    1,234 intents, 3 refusals, 3 orders (2 filled, 1 canceled), 2 fills
  Protected halted maxDailyLoss 200; max-position-notional 5000 per position
  Refused   2 × minOrderMoney; first at 2025-01-01T04:00:00Z on spot:BTCUSDT:
            too small
            1 × priceBand; first at 2025-01-01T03:00:00Z on spot:BTCUSDT: too
            small
  Halted    2 × daily-loss; first at 2025-01-01T07:00:00Z until 2025-01-02
            (cancel): lost 201, allowed are 200
            1 × drawdown; first at 2025-01-01T06:00:00Z until resumed (cancel):
            lost 201, allowed are 200
  Range     12 undecided candles, carrying 47.62 % of the traded money: their
            hidden path may change the figures; bounds give the range
  Gaps      2, 1,100 candles missing, 12,345.68 USDT held across them
  Warnings  Participation is off: the volume of a candle does not limit what it
            fills.
  Residual  0 USDT
  Hashes    run run-hash, orders ${orders}, fills ${fills}
`);
  });

  it('says that each try counts if there are more refusals than intents', () => {
    const record = { ...busyRecord(), intents: 2 };

    const text = renderSummary(buildResult(record), plain);

    expect(text).toContain('Orders    2 intents, 3 refusals (each try counts), 3 orders');
  });

  it('omits sections without content, and puts the figures into one column if it is narrow', () => {
    const text = renderSummary(buildResult(aRunRecord()), { color: false, width: 50 });

    expect(`\n${text}\n`).toBe(`
sma-crossover on spot:BTCUSDT
2025-01-01 to 2025-01-03, 2 candles
fast 10, slow 30

  Initial equity          10,000.00 USDT
  Final equity            10,000.00 USDT
  Total return                    0.00 %
  CAGR                               n/a
  Max drawdown                    0.00 %
  Longest drawdown                 0 min
  Volatility                         n/a
  Sharpe                             n/a
  Sortino                            n/a
  Calmar                             n/a
  Trades                               0
  Win rate                           n/a
  Profit factor                      n/a
  Expectancy                         n/a
  Exposure                        0.00 %
  Turnover                          0.00
  Fees                         0.00 USDT
  Funding                      0.00 USDT
  Interest                     0.00 USDT

  Orders    0 intents, 0 refusals, 0 orders, 0
            fills
  No trades The strategy asked for nothing in 2
            candles.
  Residual  0 USDT
  Hashes    run run-hash, orders e3b0c44298fc,
            fills e3b0c44298fc
`);
  });

  const found = {
    ...rangeOfRuns(
      ['1100', '950'].map((final) => headlineOf(aRunRecord(dailyEquity(['1000', final])))),
    ),
    exact: true,
    search: { runs: 9, joined: 5, cut: null },
  };

  it('says that a negative cost was received', () => {
    const record = aRunRecord({
      ...dailyEquity(['1000', '1100']),
      costs: { fees: -1n, funding: -parseFixed('7.5'), interest: 0n, insurance: 0n },
    });

    const text = renderSummary(buildResult(record), plain);

    expect(text).toContain('Costs     received, not paid: fees, funding');
    expect(renderSummary(buildResult(aRunRecord()), plain)).not.toContain('received');
  });

  it('counts one undecided candle as one', () => {
    const record = aRunRecord({ ...dailyEquity(['1000', '1100']), undecidedCandles: 1 });
    const result = buildResult(record);

    expect(renderSummary(result, plain)).toMatch(
      /Range {5}1 undecided candle: its hidden path may change/,
    );
    expect(renderSummary(withBounds(result, found), plain)).toContain(
      '  Range     1 undecided candle over all paths, in 9 runs',
    );
  });

  it('shows the range of the figures over the candle paths', () => {
    const result = buildResult(
      aRunRecord({ ...dailyEquity(['1000', '1100']), undecidedCandles: 4 }),
    );

    const text = renderSummary(withBounds(result, found), plain);

    expect(text).toContain(
      [
        '  Range     4 undecided candles over all paths, in 9 runs',
        '            final equity 950.00 … 1,100.00 USDT',
        '            total return -5.00 % … 10.00 %',
        '            CAGR n/a',
        '            Sharpe n/a',
        '            max drawdown 0.00 % … 5.00 %',
        '            trades 0',
        '            win rate n/a',
        '            profit factor n/a',
        '',
      ].join('\n'),
    );
  });

  it('names the candles that a search left out', () => {
    const result = buildResult(aRunRecord(dailyEquity(['1000', '1100'])));
    const cut = { candles: 12, from: Date.UTC(2025, 0, 2), to: Date.UTC(2025, 0, 3, 4, 5) };
    const bounds = { ...found, exact: false, search: { runs: 4_096, joined: 0, cut } };

    // Long lines are broken between words.
    const text = renderSummary(withBounds(result, bounds), plain).replace(/\s+/g, ' ');

    expect(text).toContain(
      'over a part of the paths, in 4,096 runs: of 12 candles from 2025-01-02 to 2025-01-03T04:05:00Z one order was not tried everywhere',
    );
  });

  it('differs from its plain form only in colors', () => {
    const result = buildResult(busyRecord());

    const colored = renderSummary(result, { ...plain, color: true });

    expect(stripVTControlCharacters(colored)).toBe(renderSummary(result, plain));
    expect(colored).toContain('\u001b[32m15.75 %\u001b[39m');
    expect(colored).toContain('\u001b[33mParticipation is off');
  });

  it.each([
    { what: 'all that there is', overrides: {} },
    {
      what: 'trades that the venue made',
      overrides: {
        orders: [aRunOrder({ id: 'a' }), aRunOrder({ id: 'b', side: 'sell', cause: 'netting' })],
        fills: [
          aRunFill({ id: 'a' }),
          aRunFill({ id: 'b', side: 'sell', time: RUN_START + 5_000 }),
          aRunFill({ id: 'c', time: RUN_START + 6_000 }),
          aRunFill({ id: 'd', side: 'sell', time: RUN_START + 7_000, cause: 'liquidation' }),
        ],
      },
    },
    {
      what: 'orders of which none was filled',
      overrides: {
        orders: ['a', 'b', 'c'].map((id) =>
          aRunOrder({ id, status: id === 'a' ? 'rejected' : 'canceled' }),
        ),
        fills: [],
      },
    },
  ] as const)('is the same without lists of orders and fills: $what', ({ overrides }) => {
    const record = busyRecord(overrides);
    const result = buildResult(record);

    const figures = buildFigures(record);

    expect(renderSummary(figures, plain)).toBe(renderSummary(result, plain));
    expect(figures.hash).toEqual(result.hash);
  });

  it('marks a loss and a residual in red', () => {
    const record = aRunRecord({ ...dailyEquity(['1000', '900']), residual: parseFixed('-0.5') });

    const colored = renderSummary(buildResult(record), { ...plain, color: true });

    expect(colored).toContain('\u001b[31m-10.00 %\u001b[39m');
    expect(colored).toContain('\u001b[31m-0.5 USDT\u001b[39m');
  });

  it.each([66, 80, 120])('has its figures in straight columns, %i wide', (width) => {
    for (const initial of ['1000', '1234567890123']) {
      const record = busyRecord();
      const rich = { ...buildResult(record), equity: { ...buildResult(record).equity, initial } };
      const [, figures = ''] = renderSummary(rich, { color: false, width }).split('\n\n');

      const ends = figures.split('\n').map((line) => / {4}[A-Z]/.exec(line)?.index ?? line.length);
      expect(new Set(ends).size).toBe(1);
    }
  });

  it('stays within the width', () => {
    for (const width of [50, 66, 80, 120]) {
      const lines = renderSummary(buildResult(busyRecord()), { color: false, width }).split('\n');

      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    }
  });
});

describe('the cause of no trades', () => {
  const causeOf = (overrides: Partial<RunRecord>): string | undefined =>
    renderSummary(buildResult(aRunRecord(overrides)), { color: false, width: 200 })
      .split('\n')
      .find((line) => line.startsWith('  No trades '))
      ?.slice(12);

  it('says that the strategy asked for nothing', () => {
    expect(causeOf({})).toBe('The strategy asked for nothing in 2 candles.');
  });

  it('names the check that refused most', () => {
    const refusals = ['a', 'b', 'b'].map((check, index) => aRefusal(check, RUN_START + index));

    expect(causeOf({ intents: 3, refusals })).toBe(
      'No intent became an order: risk refused 3 times, most often by b (2).',
    );
  });

  it('says that there was nothing to exit', () => {
    expect(causeOf({ intents: 2 })).toBe(
      "The strategy's 2 intents led to no order: there was nothing to exit, cancel or guard.",
    );
  });

  it('names the most frequent end of the orders', () => {
    const reason = { code: '-2010', text: 'insufficient balance' };
    const orders = [
      aRunOrder({ status: 'open', limitPrice: '1' }),
      aRunOrder({ status: 'rejected', reason }),
      aRunOrder({ status: 'rejected', reason }),
    ];

    expect(causeOf({ intents: 3, orders })).toBe(
      'None of 3 orders was filled; most often: rejected, insufficient balance (2).',
    );
  });

  it('is not shown after a fill', () => {
    expect(causeOf({ intents: 1, fills: [aRunFill()] })).toBeUndefined();
  });
});
