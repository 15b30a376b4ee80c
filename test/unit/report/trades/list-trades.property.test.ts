import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createHeldPrices } from '../../../../src/assembly/market/held-prices.js';
import {
  CandleRows,
  formatFixed,
  parseFixed,
  type InstrumentId,
} from '../../../../src/domain/index.js';
import {
  buildResult,
  FillValuer,
  roundTrips,
  type Breakdown,
  type Trade,
} from '../../../../src/report/index.js';
import { workOutTrades } from '../../../brute-force/trades.js';
import { fillHistories, type FillHistory } from '../../../support/arbitraries/fill-histories.js';
import { asPlainTrades, plainRunOf } from '../../../support/replays/plain-trades.js';
import { lawRuns } from '../../../support/runs.js';

function listed({ record, columns, stepMs }: FillHistory) {
  const series = record.instruments.map(({ id }) => ({
    instrumentId: id,
    interval: '1min' as const,
    rows: CandleRows.of(columns),
  }));
  const prices = createHeldPrices(series, { dataDelayMs: 0 });
  const result = buildResult(record, { prices });
  const byId = new Map(result.orders.map((order) => [order.id, order]));
  const arrivalOf = (id: string): string | undefined => {
    const order = byId.get(id);
    const close = order && prices.get(order.instrument as InstrumentId)?.closeBy(order.time);
    return close === undefined ? undefined : formatFixed(close);
  };
  const bars = new Map(record.instruments.map(({ id }) => [id as string, { ...columns, stepMs }]));
  return { result, plain: workOutTrades(plainRunOf(record, bars, arrivalOf)) };
}

describe('TradeList', () => {
  it('equals a separate plain computation, to the last decimal', () => {
    fc.assert(
      fc.property(fillHistories, (history) => {
        const { result, plain } = listed(history);

        expect(asPlainTrades(result.trades ?? [], history.record)).toEqual(plain.trades);
        expect(result.tradeTotals?.dust).toBe(plain.dust);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('has the closed trades of the statistics, and its totals add up', () => {
    fc.assert(
      fc.property(fillHistories, (history) => {
        const { record } = history;
        const { trades = [], tradeTotals } = listed(history).result;
        const valuer = new FillValuer(record);
        const values = [...record.fills].map((fill) => valuer.of(fill));
        const context = { time: record.run.from, holdings: [], financings: record.financings };
        const closed = trades.filter(({ open }) => !open);
        const sum = (amounts: readonly string[]): bigint =>
          amounts.reduce((total, amount) => total + parseFixed(amount), 0n);

        expect(closed.map(({ profit }) => profit).toSorted()).toEqual(
          roundTrips(values, context)
            .map(({ pnl }) => formatFixed(pnl))
            .toSorted(),
        );
        expect(sum(closed.map(({ profit }) => profit))).toBe(parseFixed(tradeTotals?.closed ?? ''));
        expect(sum(Object.values(tradeTotals ?? {}))).toBe(
          record.finalEquity - record.initialEquity,
        );
        for (const { gross, fees, funding, interest, profit } of trades)
          expect(sum([fees, funding, interest, profit])).toBe(parseFixed(gross));
      }),
      { numRuns: lawRuns() / 10 },
    );
  });

  it('breaks down every closed trade once by each kind, as a plain grouping does', () => {
    fc.assert(
      fc.property(fillHistories, (history) => {
        const { trades = [], breakdowns = [] } = listed(history).result;
        const closed = trades.filter(({ open }) => !open);

        for (const [by, keyOf] of Object.entries(PLAIN_KEYS)) {
          const sorted = new Map<string, PlainGroup>();
          for (const trade of closed) addPlainly(sorted, keyOf(trade), trade);
          const told = breakdowns.filter((one) => one.by === by);
          expect(new Map(told.map((one) => [one.key, asPlainGroup(one)]))).toEqual(sorted);
          expect(told).toHaveLength(sorted.size);
          const keys =
            by === 'weekday' ? DAYS.filter((day) => sorted.has(day)) : [...sorted.keys()].sort();
          expect(told.map(({ key }) => key)).toEqual(keys);
        }
        expect(new Set(breakdowns.map(({ by }) => by)).size).toBe(
          closed.length === 0 ? 0 : Object.keys(PLAIN_KEYS).length,
        );
      }),
      { numRuns: lawRuns() / 10 },
    );
  });
});

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const PLAIN_KEYS: Readonly<Record<string, (trade: Trade) => string>> = {
  instrument: ({ instrument }) => instrument,
  side: ({ side }) => side,
  label: ({ entry }) => entry.label ?? '',
  cause: ({ exit }) => exit?.cause ?? '',
  weekday: ({ entry }) => DAYS[new Date(entry.time).getUTCDay()] ?? '',
  hour: ({ entry }) => new Date(entry.time).toISOString().slice(11, 13),
  month: ({ entry }) => new Date(entry.time).toISOString().slice(0, 7),
};

/** Trades, wins, then amounts. */
type PlainGroup = readonly [number, number, ...bigint[]];

const AMOUNTS = ['gross', 'fees', 'funding', 'interest', 'profit'] as const;

function addPlainly(groups: Map<string, PlainGroup>, key: string, trade: Trade): void {
  const [trades, wins, ...sums] = groups.get(key) ?? [0, 0, ...AMOUNTS.map(() => 0n)];
  const won = trade.profit !== '0' && !trade.profit.startsWith('-') ? 1 : 0;
  const added = AMOUNTS.map((name, place) => (sums[place] ?? 0n) + parseFixed(trade[name]));
  groups.set(key, [trades + 1, wins + won, ...added]);
}

function asPlainGroup(told: Breakdown): PlainGroup {
  return [told.trades, told.wins, ...AMOUNTS.map((name) => parseFixed(told[name]))];
}
