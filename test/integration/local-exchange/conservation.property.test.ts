import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandleRows, HOUR_MS, parseFixed, type CandleColumns } from '../../../src/domain/index.js';
import { createFixedSlippage } from '../../../src/simulator/index.js';
import { findFlaws, nothingMet } from '../../support/local-exchange/book-laws.js';
import {
  takeStep,
  traderBooks,
  traderSteps,
  type TraderBook,
} from '../../support/local-exchange/random-traders.js';
import {
  startTestExchange,
  testInstruments,
  type TestExchange,
} from '../../support/local-exchange/test-exchange.js';

const REQUESTS = process.env['EVENKEEL_LONG'] === '1' ? 20_000 : 2_000;
const CASES = 4;

/** The test candles with moves four times as large, so that positions are liquidated and debts are called. */
function wilder(columns: CandleColumns): CandleColumns {
  const first = columns.open[0] ?? 1;
  const stretch = (prices: Float64Array): Float64Array =>
    prices.map((price) => Number((first * (price / first) ** 4).toFixed(2)));
  const { open, high, low, close } = columns;
  return {
    ...columns,
    ...{ open: stretch(open), high: stretch(high), low: stretch(low), close: stretch(close) },
  };
}

/** Volume is limited, takers pay for the spread, contracts have funding, and half of the time debts cost interest. */
function startMarket(books: readonly TraderBook[], isFree: boolean): TestExchange {
  return startTestExchange({
    accounts: books.map(({ settings }) => settings),
    instruments: testInstruments().map((source) => ({
      ...source,
      rows: CandleRows.of(wilder(source.rows.whole())),
      ...(source.instrument.kind === 'futures'
        ? { funding: { constant: { rate: parseFixed('0.0003'), intervalMs: 8 * HOUR_MS } } }
        : {}),
    })),
    terms: {
      slippage: createFixedSlippage(parseFixed('0.0002')),
      halfSpread: parseFixed('0.00005'),
      participation: parseFixed('0.01'),
      fillOnTouch: false,
      hourlyRate: isFree ? 0n : parseFixed('0.0001'),
      maxFeeRate: parseFixed('0.0006'),
    },
  });
}

describe('conservation on the local exchange', () => {
  it('the books of eight traders balance to the last decimal, and no order or condition is lost or doubled', async () => {
    const met = nothingMet();
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(traderSteps, {
          ...{ minLength: REQUESTS / CASES, maxLength: REQUESTS / CASES, size: 'max' },
        }),
        async (isFree, steps) => {
          const books = traderBooks();
          const test = startMarket(books, isFree);
          for (const step of steps) await takeStep(test, books, step);

          const flaws = books.flatMap((book) => findFlaws(test, book, { isFree, met }));
          expect(flaws).toEqual([]);
        },
      ),
      { numRuns: CASES, endOnFailure: true },
    );
    // Without such cases the laws would be untested.
    expect(met.orders).toBeGreaterThan(REQUESTS / 3);
    for (const count of [met.trades, met.fired, met.waiting, met.ended]) {
      expect(count).toBeGreaterThan(REQUESTS / 200);
    }
    expect(met.liquidated + met.called).toBeGreaterThan(5);
  });

  it('the same requests give the same bytes, in lockstep', async () => {
    const drawn = fc.sample(traderSteps, { numRuns: 200, seed: 11 });
    const run = async (): Promise<string> => {
      const books = traderBooks();
      const test = startMarket(books, false);
      for (const step of drawn) await takeStep(test, books, step);
      const page = { fromId: '0', limit: 1_000 };
      const texts = await Promise.all(
        books.flatMap(({ settings }) => [
          test.call('spot.account', {}, settings),
          test.call('futures.account', {}, settings),
          test.call('spot.myTrades', { ...page, symbol: 'BTCUSDT' }, settings),
          test.call('margin.myTrades', { ...page, symbol: 'BTCUSDT' }, settings),
          test.call('futures.myTrades', { ...page, contractName: 'E-BTC-USDT' }, settings),
        ]),
      );
      return JSON.stringify(texts.map(({ text }) => text));
    };

    const first = await run();
    expect(first.length).toBeGreaterThan(1_000);
    expect(await run()).toBe(first);
  });
});
