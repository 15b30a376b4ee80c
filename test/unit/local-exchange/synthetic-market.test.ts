import { describe, expect, it } from 'vitest';
import {
  hashColumns,
  SynthStream,
  synthesizeMarkets,
  type SynthOptions,
} from '../../../src/archive/index.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, parseFixed, present } from '../../../src/domain/index.js';
import { SyntheticMarket, type SyntheticMarketOptions } from '../../../src/local-exchange/index.js';
import {
  FUTURES_ID,
  SPOT_ID,
  startTestExchange,
  testInstruments,
  type TestExchange,
} from '../../support/local-exchange/test-exchange.js';

const FROM = Date.UTC(2025, 0, 1);

function marketOf(overrides: Partial<SyntheticMarketOptions> = {}): SyntheticMarket {
  const listings = testInstruments().map(({ instrument, rules }) => ({
    instrument,
    rules: present(rules[0], 'rules').rules,
    made: {
      startPrice: 60_000,
      volatility: 0.5,
      dailyVolume: instrument.kind === 'spot' ? 20_000 : 200_000_000,
      like: SPOT_ID,
    },
  }));
  return new SyntheticMarket({ seed: 3, from: FROM, listings, ...overrides });
}

function startSynthetic(overrides: Partial<SyntheticMarketOptions> = {}): {
  readonly test: TestExchange;
  readonly market: SyntheticMarket;
} {
  const market = marketOf(overrides);
  const test = startTestExchange({
    instruments: market.sources,
    growth: market,
    clock: { mode: 'lockstep', start: market.start },
  });
  return { test, market };
}

describe('SynthStream', () => {
  const options: SynthOptions = {
    seed: 5,
    interval: '1min',
    from: FROM,
    to: FROM + 3 * DAY_MS,
    correlation: 0.7,
    instruments: [SPOT_ID, FUTURES_ID].map((instrumentId) => ({
      ...{ instrumentId, startPrice: 60_000, volatility: 0.5, dailyVolume: 20_000 },
      ...{ pricePrecision: 2, quantityPrecision: 0 },
    })),
  };

  it('makes the same rows in blocks as at once', () => {
    const whole = synthesizeMarkets(options);
    const stream = new SynthStream(options);
    const blocks = [1, 9 * 60, 1_440, 4_320].map((minute) =>
      stream.next(FROM + minute * MINUTE_MS),
    );

    expect(stream.end).toBe(options.to);
    whole.forEach((market, index) => {
      const parts = blocks.map((block) => present(block[index], 'a market'));
      const joined = (numbers: readonly (readonly number[])[]): readonly number[] => numbers.flat();
      for (const name of ['openTime', 'open', 'high', 'low', 'close', 'volume'] as const) {
        expect(joined(parts.map(({ candles }) => [...candles.columns[name]]))).toEqual([
          ...market.candles.columns[name],
        ]);
        expect(joined(parts.map(({ marks }) => [...(marks?.columns[name] ?? [])]))).toEqual([
          ...(market.marks?.columns[name] ?? []),
        ]);
      }
      for (const name of ['time', 'rate'] as const) {
        expect(joined(parts.map(({ funding }) => [...(funding?.[name] ?? [])]))).toEqual([
          ...(market.funding?.[name] ?? []),
        ]);
      }
    });
  });

  it('refuses an empty block, and an end off the grid', () => {
    const stream = new SynthStream(options);
    stream.next(FROM + HOUR_MS);

    expect(() => stream.next(FROM + HOUR_MS)).toThrow(/E_SYNTH|expected an end after/);
    expect(() => stream.next(FROM + HOUR_MS + 1)).toThrow('expected to at the start of a candle');
  });
});

describe('SyntheticMarket', () => {
  it('has the same rows if it grows in steps or at once', () => {
    const [steps, once] = [marketOf(), marketOf()];
    const to = steps.start + 5 * DAY_MS;
    for (let time = steps.start; time <= to; time += 7 * HOUR_MS) steps.growTo(time);
    steps.growTo(to);
    once.growTo(to);

    for (const [index, { rows, mark, funding }] of steps.sources.entries()) {
      const other = once.sources[index];
      const hashes = [rows, mark?.rows].map((made) => made && hashColumns(made.whole()));
      expect(hashes).toEqual(
        [other?.rows, other?.mark?.rows].map((made) => made && hashColumns(made.whole())),
      );
      expect(funding).toEqual(other?.funding);
    }
    const times = steps.sources[0]?.rows.whole().openTime ?? new Float64Array();
    expect(times.at(-1)).toBe(to + DAY_MS - MINUTE_MS);
    expect(
      times.every((time, row) => row === 0 || time - (times[row - 1] ?? 0) === MINUTE_MS),
    ).toBe(true);
  });

  it('adds whole days, until at least a day ahead is made', () => {
    const market = marketOf();
    const ends = (): readonly number[] =>
      market.sources
        .flatMap(({ rows, mark }) => [rows, ...(mark === undefined ? [] : [mark.rows])])
        .map((rows) => present(rows.whole().openTime.at(-1), 'a candle') + MINUTE_MS);
    const settled = (): number | undefined =>
      market.sources.find(({ funding }) => funding !== undefined)?.funding?.stored?.time.at(-1);

    for (const [time, days] of [
      [market.start, 8],
      [market.start + 1, 9],
      [market.start + DAY_MS, 9],
      [market.start + DAY_MS + 1, 10],
    ] as const) {
      market.growTo(time);
      const end = FROM + days * DAY_MS;
      expect(ends()).toEqual([end, end, end]);
      expect(settled()).toBe(end - 8 * HOUR_MS);
    }
  });

  it('orders, positions and klines continue over the borders of blocks', async () => {
    const { test, market } = startSynthetic();
    const last =
      Number(test.exchange.parts.market.ticker(SPOT_ID, market.start)?.last ?? 0n) / 1e18;
    const placed = await test.call('spot.order', {
      ...({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', volume: '0.01' } as const),
      price: (last * 0.9995).toFixed(2),
    });
    expect(placed.status).toBe(200);
    await test.call('futures.order', {
      ...({ contractName: 'E-BTC-USDT', side: 'BUY', type: 'LIMIT', volume: '100' } as const),
      price: (last * 1.01).toFixed(2),
      ...({ open: 'OPEN', positionType: 2 } as const),
    });
    // Asked before the rows of the next days exist, so that a cache of them would be out of date.
    const klines = async (
      interval: '1min' | '60min' | '1day',
    ): Promise<readonly { idx: number }[]> =>
      (await test.call('spot.klines', { symbol: 'BTCUSDT', interval, limit: 300 })).json as never;
    await klines('60min');
    for (let day = 0; day < 4; day += 1) await test.control('POST', '/advance', { byMs: DAY_MS });

    const now = market.start + 4 * DAY_MS;
    for (const [interval, step] of [
      ['1min', MINUTE_MS],
      ['60min', HOUR_MS],
      ['1day', DAY_MS],
    ] as const) {
      const rows = (await klines(interval)).map(({ idx }) => idx).sort((a, b) => a - b);
      expect(rows.at(-1)).toBe(now);
      expect(rows.every((time, row) => row === 0 || time - (rows[row - 1] ?? 0) === step)).toBe(
        true,
      );
    }
    const account = present(test.exchange.parts.accounts.byUser('10001'), 'an account').account;
    expect(account.trades(SPOT_ID, now)).toHaveLength(1);
    const [position] = account.futures(now).accounts[0]?.positions ?? [];
    expect(position?.quantity).toBe(parseFixed('100'));
    // Three settlements a day. Those after the border of the last block are paid like the first.
    expect(position?.fundingFee).not.toBe(0n);
    expect(test.exchange.parts.market.ticker(FUTURES_ID, now)?.volume).toBeGreaterThan(0n);
  });

  it('the same steps give the same bytes', async () => {
    const run = async (): Promise<string> => {
      const { test } = startSynthetic();
      await test.control('POST', '/advance', { byMs: 2 * DAY_MS + 12_345 });
      const answers = [
        await test.call('spot.ticker', { symbol: 'BTCUSDT' }),
        await test.call('futures.klines', { contractName: 'E-BTC-USDT', interval: '1min' }),
        await test.call('futures.index', { contractName: 'E-BTC-USDT' }),
      ];
      return JSON.stringify(answers.map(({ text }) => text));
    };

    expect(await run()).toBe(await run());
  });

  it('reports its end, and keeps the last price after it', async () => {
    const { test, market } = startSynthetic({ maxDays: 9 });
    const state = async (): Promise<unknown> => (await test.control('GET', '/state')).json;

    expect(await state()).toMatchObject({ marketEnd: market.limit, marketEnded: false });
    await test.control('POST', '/advance', { to: market.limit });
    expect(await state()).toMatchObject({ marketEnded: true });
    const before = (await test.call('spot.ticker', { symbol: 'BTCUSDT' })).json;
    await test.control('POST', '/advance', { byMs: 3 * DAY_MS });
    const after = (await test.call('spot.ticker', { symbol: 'BTCUSDT' })).json;
    expect(after).toMatchObject({ last: (before as { last: unknown }).last });
  });
});
