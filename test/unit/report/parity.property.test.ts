import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  compareTraces,
  PARITY_LISTS,
  renderParity,
  renderParityLine,
  type ParityList,
  type ParityTrace,
  type TraceEntry,
} from '../../../src/report/index.js';

/** A list as in a run: times never fall. */
const anyList = fc
  .array(
    fc.record({ step: fc.nat(1_000), price: fc.nat(9), side: fc.constantFrom('buy', 'sell') }),
    {
      maxLength: 12,
    },
  )
  .map((steps) => {
    let time = 0;
    return steps.map(({ step, price, side }): TraceEntry => {
      time += step;
      return { time, fields: { price: String(price), side } };
    });
  });

const anyTrace: fc.Arbitrary<ParityTrace> = fc.record({
  candles: anyList,
  refusals: anyList,
  orders: anyList,
  cancels: anyList,
  fills: anyList,
  worked: anyList,
  balances: anyList,
});

/** A trace with a place in it that can be changed. */
const anyPlace = anyTrace
  .filter((trace) => PARITY_LISTS.some((list) => trace[list].length > 0))
  .chain((trace) => {
    const filled = PARITY_LISTS.filter((list) => trace[list].length > 0);
    return fc.constantFrom(...filled).chain((list) =>
      fc.record({
        trace: fc.constant(trace),
        list: fc.constant(list),
        index: fc.nat(trace[list].length - 1),
        field: fc.constantFrom('price', 'side'),
      }),
    );
  });

function changed(trace: ParityTrace, list: ParityList, index: number, field: string): ParityTrace {
  const entries = trace[list].map((entry, place) =>
    place === index ? { ...entry, fields: { ...entry.fields, [field]: 'other' } } : entry,
  );
  return { ...trace, [list]: entries };
}

function without(trace: ParityTrace, list: ParityList, index: number): ParityTrace {
  return { ...trace, [list]: trace[list].toSpliced(index, 1) };
}

describe('compareTraces', () => {
  it('finds no difference between a run and its copy', () => {
    fc.assert(
      fc.property(anyTrace, (trace) => {
        const report = compareTraces(trace, structuredClone(trace));

        expect(report.difference).toBeUndefined();
        expect(report.equal).toEqual(report.counts);
      }),
    );
  });

  it('names list, index and field of one changed value, on either side', () => {
    fc.assert(
      fc.property(anyPlace, fc.boolean(), ({ trace, list, index, field }, isLive) => {
        const other = changed(trace, list, index, field);
        const [tested, live] = isLive ? [trace, other] : [other, trace];

        const { difference, equal } = compareTraces(tested, live);

        expect(difference).toMatchObject({ list, index, field });
        expect(difference?.before).toEqual(trace[list][index - 1]);
        expect(equal[list]).toBe(index);
      }),
    );
  });

  it('reports the earlier of two changes', () => {
    fc.assert(
      fc.property(anyPlace, fc.constantFrom(...PARITY_LISTS), fc.nat(), (place, other, at) => {
        const { trace, list, index, field } = place;
        const length = trace[other].length;
        fc.pre(length > 0);
        const second = at % length;
        const live = changed(changed(trace, list, index, field), other, second, 'side');

        const { difference } = compareTraces(trace, live);

        const times = [trace[list][index]?.time, trace[other][second]?.time];
        expect(difference?.time).toBe(Math.min(...times.map((time) => time ?? Infinity)));
      }),
    );
  });

  it('never calls two runs equal if one lacks an entry', () => {
    fc.assert(
      fc.property(anyPlace, ({ trace, list, index }) => {
        const shorter = without(trace, list, index);

        expect(compareTraces(trace, shorter).difference).toMatchObject({ list });
        expect(compareTraces(shorter, trace).difference).toMatchObject({ list });
      }),
    );
  });

  it('finds a field that only one side has', () => {
    const entry = { time: 1, fields: { price: '1' } };
    const trace = {
      ...{ candles: [], refusals: [], orders: [], cancels: [], worked: [], balances: [] },
    };

    const { difference } = compareTraces(
      { ...trace, fills: [entry] },
      { ...trace, fills: [{ ...entry, fields: { price: '1', fee: '2' } }] },
    );

    expect(difference).toMatchObject({ list: 'fills', index: 0, field: 'fee' });
  });
});

describe('renderParity', () => {
  const order = (price: string): TraceEntry => ({
    time: Date.UTC(2025, 0, 2),
    fields: { id: 'a', price },
  });
  const trace = (orders: readonly TraceEntry[]): ParityTrace => ({
    candles: [],
    refusals: [],
    orders,
    cancels: [],
    fills: [],
    worked: [],
    balances: [{ time: Number.POSITIVE_INFINITY, fields: { asset: 'BTC', total: '1' } }],
  });
  const run = {
    bot: 'b',
    from: Date.UTC(2025, 0, 1),
    to: Date.UTC(2025, 1, 1),
    requests: 1_200,
    disagreements: [] as readonly string[],
  };

  it('counts the equal entries of each list', () => {
    const report = compareTraces(trace([order('1')]), trace([order('1')]));

    const text = renderParity({ ...run, report, notes: [] });

    expect(text).toBe(
      [
        'b: the backtest, and the same bot over HTTP (1,200 requests)',
        '2025-01-01 to 2025-02-01',
        '',
        '  candles   0 of 0',
        '  refusals  0 of 0',
        '  orders    1 of 1',
        '  cancels   0 of 0',
        '  fills     0 of 0',
        '  balances  1 of 1',
        '',
        'identical',
      ].join('\n'),
    );
    expect(renderParityLine(report)).toBe('orders and fills identical to the backtest: 1 of 1');
  });

  it('shows the first difference with its cause, the entries around it, and notes', () => {
    const report = compareTraces(trace([order('1'), order('2')]), trace([order('1'), order('3')]));
    const notes = [{ time: Date.UTC(2025, 0, 2), text: 'candles are stale' }];

    const text = renderParity({ ...run, report, notes });

    expect(text.split('\n').slice(-6)).toEqual([
      'first difference: orders 2 on 2025-01-02T00:00:00Z: price: expected 2, received 3',
      '  cause     the strategy or risk decided differently on the same updates of the venue',
      '  backtest  id a, price 2',
      '  live      id a, price 3',
      '  before    id a, price 1 (equal)',
      '  noted     2025-01-02T00:00:00Z candles are stale',
    ]);
  });

  it.each([
    [[order('1')], [], 'orders 1 on 2025-01-02T00:00:00Z: expected one, received none'],
    [[], [order('1')], 'orders 1 on 2025-01-02T00:00:00Z: expected none, received one'],
  ])('shows which side lacks an entry', (tested, live, line) => {
    const report = compareTraces(trace(tested), trace(live));

    expect(renderParity({ ...run, report, notes: [] })).toContain(`first difference: ${line}`);
  });

  it('does not report a run as identical if the bot and its venue disagree', () => {
    const report = compareTraces(trace([order('1')]), trace([order('1')]));
    const disagreements = ['order-not-ended: spot:BTCUSDT: order 7'];

    const text = renderParity({ ...run, report, notes: [], disagreements });

    expect(text.split('\n').slice(-2)).toEqual([
      '',
      'at the end order-not-ended: spot:BTCUSDT: order 7',
    ]);
  });

  it('shows no time for a difference at the end', () => {
    const tested = trace([]);
    const report = compareTraces(tested, { ...tested, balances: [] });

    expect(renderParity({ ...run, report, notes: [] })).toContain(
      'balances 1 at the end: expected',
    );
  });
});
