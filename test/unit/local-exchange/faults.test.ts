import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/domain/index.js';
import type { FaultKind, FaultRuleInput } from '../../../src/local-exchange/index.js';
import { faultRuleSchema } from '../../../src/local-exchange/faults/fault-rule.js';
import type { ExchangeJournalEntry } from '../../../src/local-exchange/state/journal-entry.js';
import { VirtualTime } from '../../support/virtual-time.js';
import {
  MARKET_START,
  startTestExchange,
  testInstruments,
  type TestAnswer,
  type TestExchange,
} from '../../support/local-exchange/test-exchange.js';

const TICKER = { symbol: 'BTCUSDT' } as const;
const KLINES = { symbol: 'BTCUSDT', interval: '1min', limit: 10 } as const;
const RESTING = {
  symbol: 'BTCUSDT',
  volume: '0.01',
  side: 'BUY',
  type: 'LIMIT',
  price: '30000',
} as const;

let test: TestExchange;
let time: VirtualTime;

beforeEach(() => {
  time = new VirtualTime(MARKET_START);
  test = startTestExchange({ transport: time });
});

async function inject(rule: FaultRuleInput): Promise<number> {
  const { status, json } = await test.control('POST', '/faults', rule);
  expect(status).toBe(200);
  return (json as { readonly id: number }).id;
}

function fired(fault: FaultKind): number {
  return test.exchange.parts.faults.counts()[fault] ?? 0;
}

function opens({ json }: TestAnswer): readonly number[] {
  return (json as readonly { readonly idx: number }[]).map(({ idx }) => idx);
}

async function orderId(answer: Promise<TestAnswer>): Promise<string> {
  return /"orderId":(\d+)/.exec((await answer).text)?.[1] ?? '';
}

const isFalling = (times: readonly number[]): boolean =>
  times.every((idx, row) => row === 0 || idx < (times[row - 1] ?? 0));

/** Injects each fault and checks its effect within the process. Faults of connections are in connection-faults.test.ts. */
const SEEN: Partial<Record<FaultKind, () => Promise<void>>> = {
  latency: async () => {
    await inject({ fault: 'latency', delayMs: 100, jitterMs: 50 });
    const answer = test.call('spot.ticker', TICKER);
    const began = time.now();
    let at = 0;
    void answer.then(() => (at = time.now()));
    await time.advance(200);
    expect((await answer).status).toBe(200);
    expect(at - began).toBeGreaterThanOrEqual(100);
    expect(at - began).toBeLessThanOrEqual(150);
  },
  'server-error': async () => {
    await inject({ fault: 'server-error', status: 502 });
    const answer = await test.call('spot.order', RESTING);
    expect([answer.status, answer.json]).toEqual([502, { code: -1001, msg: 'internal error' }]);
    await test.control('DELETE', '/faults');
    expect((await test.call('spot.openOrders', TICKER)).json).toEqual([]);
  },
  'timeout-after': async () => {
    await inject({ fault: 'timeout-after', endpoints: ['spot.order'] });
    const answer = await test.call('spot.order', RESTING);
    expect([answer.status, answer.json]).toMatchObject([504, { code: -1007 }]);
    expect((await test.call('spot.openOrders', TICKER)).json).toHaveLength(1);
  },
  'rate-limited': async () => {
    await inject({ fault: 'rate-limited', count: 2 });
    const statuses = [];
    for (let call = 0; call < 3; call += 1) {
      statuses.push((await test.call('spot.ticker', TICKER)).status);
    }
    expect(statuses).toEqual([429, 429, 200]);
  },
  banned: async () => {
    await inject({ fault: 'banned' });
    expect((await test.call('spot.ticker', TICKER)).status).toBe(418);
  },
  'truncated-json': async () => {
    const whole = await test.call('spot.ticker', TICKER);
    await inject({ fault: 'truncated-json' });
    const { text, json } = await test.call('spot.ticker', TICKER);
    expect(whole.text.startsWith(text)).toBe(true);
    expect(json).toBeUndefined();
  },
  'malformed-json': async () => {
    await inject({ fault: 'malformed-json' });
    const { status, json } = await test.call('spot.ticker', TICKER);
    expect([status, json]).toEqual([200, undefined]);
  },
  html: async () => {
    await inject({ fault: 'html' });
    const { status, text, headers } = await test.call('spot.ticker', TICKER);
    expect([status, headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(text).toContain('<html>');
  },
  'frozen-ticker': async () => {
    await inject({ fault: 'frozen-ticker' });
    const first = await test.call('spot.ticker', TICKER);
    await test.control('POST', '/advance', { byMs: 5 * MINUTE_MS });
    expect((await test.call('spot.ticker', TICKER)).text).toBe(first.text);
  },
  'repeated-kline': async () => {
    await inject({ fault: 'repeated-kline' });
    const first = await test.call('spot.klines', KLINES);
    await test.control('POST', '/advance', { byMs: 5 * MINUTE_MS });
    expect((await test.call('spot.klines', KLINES)).text).toBe(first.text);
  },
  'missing-kline': async () => {
    await inject({ fault: 'missing-kline' });
    const times = opens(await test.call('spot.klines', KLINES));
    expect(times).toHaveLength(9);
    expect((times[0] ?? 0) - (times.at(-1) ?? 0)).toBe(9 * MINUTE_MS);
  },
  'duplicate-kline': async () => {
    await inject({ fault: 'duplicate-kline' });
    const times = opens(await test.call('spot.klines', KLINES));
    expect([times.length, new Set(times).size]).toEqual([11, 10]);
  },
  'unordered-klines': async () => {
    expect(isFalling(opens(await test.call('spot.klines', KLINES)))).toBe(true);
    await inject({ fault: 'unordered-klines' });
    const times = opens(await test.call('spot.klines', KLINES));
    expect(isFalling(times)).toBe(false);
    expect(times.toSorted((a, b) => b - a)).toHaveLength(10);
  },
  'clock-skew': async () => {
    await inject({ fault: 'clock-skew', offsetMs: 60_000 });
    const { json } = await test.call('spot.time', {});
    expect(json).toMatchObject({ serverTime: MARKET_START + 60_000 });
    // A client that signs with the right clock is off by the skew.
    expect((await test.call('spot.account', {})).json).toMatchObject({ code: -1021 });
  },
  'clock-drift': async () => {
    await inject({ fault: 'clock-drift', ppm: 100_000 });
    await time.advance(10_000);
    const { json } = await test.call('spot.time', {});
    expect(json).toMatchObject({ serverTime: MARKET_START + 1_000 });
  },
  'many-fills': async () => {
    await inject({ fault: 'many-fills', pieces: 7 });
    await test.call('spot.order', { ...RESTING, price: '90000' });
    const { json } = await test.call('spot.myTrades', { ...TICKER, fromId: '0' });
    const trades = json as readonly { readonly qty: number; readonly fee: number }[];
    expect(trades).toHaveLength(7);
    expect(trades.reduce((sum, { qty }) => sum + Math.round(qty * 1e5), 0)).toBe(1_000);
  },
  'hidden-order': async () => {
    await inject({ fault: 'hidden-order', hiddenMs: 2_000 });
    const id = await orderId(test.call('spot.order', RESTING));
    const query = { ...TICKER, orderId: id };
    expect((await test.call('spot.openOrders', TICKER)).json).toEqual([]);
    expect((await test.call('spot.queryOrder', query)).json).toMatchObject({ code: -2013 });
    await test.control('POST', '/advance', { byMs: 2_000 });
    expect((await test.call('spot.openOrders', TICKER)).json).toHaveLength(1);
  },
  'cancel-fills': async () => {
    const id = await orderId(test.call('spot.order', RESTING));
    await inject({ fault: 'cancel-fills' });
    expect((await test.call('spot.cancel', { ...TICKER, orderId: id })).status).toBe(200);
    const { json } = await test.call('spot.queryOrder', { ...TICKER, orderId: id });
    expect(json).toMatchObject({ status: 'FILLED', executedQty: 0.01, avgPrice: 30_000 });
  },
  maintenance: async () => {
    await inject({ fault: 'maintenance', durationMs: 1_000 });
    expect((await test.call('spot.ping', {})).json).toMatchObject({ code: -1016 });
    await time.advance(1_000);
    expect((await test.call('spot.ping', {})).status).toBe(200);
  },
  untradable: async () => {
    const id = await inject({ fault: 'untradable', instrument: 'futures:E-BTC-USDT' });
    const status = async (): Promise<unknown> => (await test.call('futures.contracts', {})).json;
    expect(await status()).toMatchObject([{ status: 0 }]);
    const order = { contractName: 'E-BTC-USDT', volume: '1', side: 'BUY', type: 'LIMIT' } as const;
    const terms = { ...order, price: '50000', open: 'OPEN', positionType: 2 } as const;
    expect((await test.call('futures.order', terms)).json).toMatchObject({ code: -1146 });
    await test.control('DELETE', `/faults/${String(id)}`);
    expect(await status()).toMatchObject([{ status: 1 }]);
    expect((await test.call('futures.order', terms)).status).toBe(200);
  },
  precision: async () => {
    await inject({ fault: 'precision', instrument: 'spot:BTCUSDT', pricePrecision: 0 });
    expect((await test.call('spot.symbols', {})).json).toMatchObject([{ pricePrecision: 0 }]);
    const order = { ...RESTING, price: '30000.5' };
    expect((await test.call('spot.order', order)).json).toMatchObject({ code: -1111 });
  },
};

/** Faults that only a real connection shows. */
const ON_THE_WIRE: readonly FaultKind[] = [
  'connection-refused',
  'reset-before',
  'reset-after',
  'answer-lost',
];

describe('faults', () => {
  it('are all covered by a test', () => {
    const all = faultRuleSchema.options.map(({ shape }) => shape.fault.value);

    expect([...Object.keys(SEEN), ...ON_THE_WIRE].sort()).toEqual([...all].sort());
  });

  it.each(Object.entries(SEEN))('%s has its effect and is counted', async (fault, see) => {
    await see();

    expect(fired(fault as FaultKind)).toBeGreaterThan(0);
  });

  it('affect the same calls for the same seed, and each rule draws on its own', async () => {
    const draws = async (rules: readonly FaultRuleInput[], seed = 5): Promise<string> => {
      const own = startTestExchange({ faults: { seed, rules: [] } });
      for (const rule of rules) await own.control('POST', '/faults', rule);
      const statuses: number[] = [];
      for (let call = 0; call < 60; call += 1) {
        statuses.push((await own.call('spot.ticker', TICKER)).status);
      }
      return statuses.join();
    };
    const half = { fault: 'server-error', probability: 0.5 } as const;

    expect(await draws([half])).toBe(await draws([half]));
    expect(await draws([half])).not.toBe(await draws([half], 6));
    expect(await draws([half, { fault: 'latency', probability: 0.3 }])).toBe(await draws([half]));
  });

  it('of rules stay in force when another one of the instrument is removed', async () => {
    const price = { fault: 'precision', instrument: 'spot:BTCUSDT', pricePrecision: 0 } as const;
    const quantity = { fault: 'precision', instrument: price.instrument, quantityPrecision: 1 };
    const first = await inject(price);
    await inject(quantity as FaultRuleInput);
    await inject({ fault: 'untradable', instrument: 'futures:E-BTC-USDT' });
    const second = await inject({ fault: 'untradable', instrument: 'futures:E-BTC-USDT' });

    await test.control('DELETE', `/faults/${String(first)}`);
    await test.control('DELETE', `/faults/${String(second)}`);

    const symbols = [{ pricePrecision: 2, quantityPrecision: 1 }];
    expect((await test.call('spot.symbols', {})).json).toMatchObject(symbols);
    expect((await test.call('futures.contracts', {})).json).toMatchObject([{ status: 0 }]);
    await test.control('DELETE', '/faults');
    expect((await test.call('futures.contracts', {})).json).toMatchObject([{ status: 1 }]);
  });

  it('of rules leave those with a later date as they were, and so does their journal', async () => {
    const [pair] = testInstruments();
    const listed = pair?.rules[0]?.rules;
    if (pair === undefined || listed === undefined) throw new Error('expected a pair');
    const finer = { from: MARKET_START + MINUTE_MS, rules: { ...listed, pricePrecision: 3 } };
    const closed = { from: finer.from + MINUTE_MS, rules: { ...listed, tradable: false } };
    const entries: ExchangeJournalEntry[] = [];
    const journal = {
      entries: () => [...entries],
      append: (entry: ExchangeJournalEntry) => entries.push(entry),
      close: () => undefined,
    };
    const instruments = [{ ...pair, rules: [...pair.rules, finer, closed] }];
    const started = startTestExchange({ instruments, journal });
    const instrument = pair.instrument.id;
    const faults = [
      { fault: 'precision', instrument, pricePrecision: 0 },
      { fault: 'untradable', instrument },
    ];
    for (const fault of faults) await started.control('POST', '/faults', fault);
    const rulesAt = ({ exchange }: TestExchange): unknown =>
      [MARKET_START, finer.from, closed.from].map((at) => {
        const rules = exchange.parts.rules.inForce(instrument, at);
        return [rules?.pricePrecision, rules?.tradable];
      });
    expect(rulesAt(started)).toEqual(Array.from({ length: 3 }, () => [0, false]));

    await started.control('DELETE', '/faults');

    const asListed = [
      [2, true],
      [3, true],
      [2, false],
    ];
    expect(rulesAt(started)).toEqual(asListed);
    expect(rulesAt(startTestExchange({ instruments, journal }))).toEqual(asListed);
  });

  it.each<[unknown, string]>([
    [{ fault: 'nothing' }, 'untradable, precision, received "nothing"'],
    [{ fault: 'latency', delay: 5 }, 'fault: expected known keys, received "delay"'],
    [{ fault: 'latency', delayMs: '5' }, 'fault delayMs: expected a number, received "5"'],
    [{ fault: 'latency', delayMs: -1 }, 'fault delayMs: expected at least 0, received -1'],
    [{ fault: 'html', probability: 0 }, 'fault probability: expected more than 0, received 0'],
    [
      { fault: 'html', endpoints: ['spot order'] },
      'fault endpoints[0]: expected the id of an endpoint such as spot.order, or an area such as futures.* or *, received "spot order"',
    ],
    [
      { fault: 'frozen-ticker', endpoints: ['spot.order'] },
      'fault frozen-ticker: expected endpoints of spot.ticker, futures.ticker, received spot.order',
    ],
    [
      { fault: 'clock-skew', offsetMs: 5, endpoints: ['*'] },
      'fault clock-skew: expected no endpoints, because it concerns the whole exchange, received *',
    ],
    [{ fault: 'untradable', instrument: 'spot:NONEUSDT' }, 'spot:NONEUSDT'],
    [
      { fault: 'untradable' },
      'fault instrument: expected an instrument such as spot:BTCUSDT, received nothing',
    ],
    [{ fault: 'connection-refused' }, 'fault connection-refused needs a durationMs'],
    ['x', 'fault: expected an object, received "x"'],
  ])('are refused if invalid: %j', async (rule, message) => {
    const { status, json } = await test.control('POST', '/faults', rule);

    expect([status, json]).toMatchObject([
      400,
      { error: { code: 'E_FAULT', message: expect.stringContaining(message) as string } },
    ]);
  });
});

afterEach(() => {
  expect(time.pending).toBe(0);
});
