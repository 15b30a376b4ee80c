import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { createInstrumentId, DAY_MS, FIXED_ONE, parseFixed } from '../../../src/domain/index.js';
import {
  buildResult,
  hashLists,
  parseResult,
  resultSchema,
  resultPieces,
  writeResult,
  type GapStart,
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

function aGapStart(time: number, price: string): GapStart {
  return { instrumentId: BTC_SPOT.id, time, price: parseFixed(price), worth: FIXED_ONE };
}

/** One day: bought 2 at 100, sold them at 110, one more buy refused and one canceled. */
function busyRecord(overrides: Partial<RunRecord> = {}): RunRecord {
  return aRunRecord({
    ...dailyEquity(['10000', '10019.58']),
    heldCloses: 1,
    intents: 4,
    orders: [
      aRunOrder({ id: 'a1', time: RUN_START + 1, quantity: '2' }),
      aRunOrder({
        id: 'a2',
        label: 'target',
        time: RUN_START + 2,
        quantity: '2',
        side: 'sell',
        limitPrice: '110',
      }),
      aRunOrder({
        id: 'a3',
        time: RUN_START + 4,
        limitPrice: '90.50',
        status: 'canceled',
        reason: { code: 'E_EXPIRED', text: 'not filled within 60 s' },
      }),
    ],
    closingOrders: 1,
    fills: [
      aRunFill({ id: 'a1', time: RUN_START + 1, quantity: '2', fee: '0.2' }),
      aRunFill({
        id: 'a2',
        time: RUN_START + 3,
        side: 'sell',
        quantity: '2',
        price: '110',
        fee: '0.22',
        liquidity: 'maker',
      }),
    ],
    refusals: [
      {
        time: RUN_START + 5,
        lastTime: RUN_START + 9,
        count: 3,
        instrumentId: BTC_SPOT.id,
        refusal: {
          check: 'minOrderMoney',
          limit: '5',
          actual: '3.2',
          unit: 'USDT',
          text: 'the order is too small',
        },
      },
    ],
    protections: [{ name: 'halted', limit: 'maxDailyLoss 200' }],
    halts: [
      {
        reason: 'daily-loss',
        since: RUN_START + 6,
        until: RUN_START + DAY_MS,
        action: 'cancel',
        text: 'lost 201',
      },
      { reason: 'operator', since: RUN_START + 7, until: undefined, action: 'block', text: 'stop' },
    ],
    costs: { fees: parseFixed('0.42'), funding: 0n, interest: 0n, insurance: 0n },
    gaps: {
      count: 2,
      missing: 7,
      starts: [aGapStart(RUN_START + 2, '105.25'), aGapStart(RUN_START + 3, '1')],
    },
    warnings: ['Participation is off.'],
    ...overrides,
  });
}

const EXPECTED_TEXT = `{
  "version": 2,
  "run": {
    "id": "run-hash",
    "strategy": "sma-crossover",
    "parameters": {
      "fast": 10,
      "slow": 30
    },
    "instruments": [
      "spot:BTCUSDT"
    ],
    "from": 1735689600000,
    "to": 1735776000000,
    "candles": 1,
    "configHash": "config-hash",
    "dataHash": "data-hash",
    "engine": "0.1.0"
  },
  "equity": {
    "initial": "10000",
    "final": "10019.58",
    "currency": "USDT"
  },
  "statistics": {
    "totalReturn": 0.001958,
    "cagr": null,
    "volatility": null,
    "sharpe": null,
    "sortino": null,
    "calmar": null,
    "maxDrawdown": 0,
    "maxDrawdownDuration": 0,
    "trades": 1,
    "winRate": 1,
    "profitFactor": null,
    "expectancy": "19.58",
    "exposure": 1,
    "turnover": 0.041917924703430684,
    "fees": "0.42",
    "funding": "0",
    "interest": "0",
    "insurance": "0"
  },
  "bounds": {
    "low": {},
    "high": {},
    "undecidedCandles": 0,
    "undecidedMoney": "0",
    "undecidedShare": 0,
    "exact": true
  },
  "accounting": {
    "residual": "0"
  },
  "otherFees": [],
  "gaps": {
    "count": 2,
    "missing": 7,
    "moneyHeld": "210.5"
  },
  "calls": [],
  "warnings": [
    "Participation is off."
  ],
  "intents": 4,
  "orders": [
    {"id":"a1","intent":1,"label":null,"cause":"signal","time":1735689600001,"instrument":"spot:BTCUSDT","action":"open","side":"buy","type":"market","price":null,"quantity":"2","unit":"base","filled":"2","status":"filled","reason":null,"reasonText":null},
    {"id":"a2","intent":1,"label":"target","cause":"signal","time":1735689600002,"instrument":"spot:BTCUSDT","action":"close","side":"sell","type":"limit","price":"110","quantity":"2","unit":"base","filled":"2","status":"filled","reason":null,"reasonText":null},
    {"id":"a3","intent":1,"label":null,"cause":"end","time":1735689600004,"instrument":"spot:BTCUSDT","action":"open","side":"buy","type":"limit","price":"90.5","quantity":"1","unit":"base","filled":"0","status":"canceled","reason":"E_EXPIRED","reasonText":"not filled within 60 s"}
  ],
  "fills": [
    {"time":1735689600001,"orderId":"a1","instrument":"spot:BTCUSDT","action":"open","side":"buy","price":"100","quantity":"2","fee":"0.2","feeAsset":"USDT","liquidity":"taker","intent":1,"label":null,"cause":"signal"},
    {"time":1735689600003,"orderId":"a2","instrument":"spot:BTCUSDT","action":"close","side":"sell","price":"110","quantity":"2","fee":"0.22","feeAsset":"USDT","liquidity":"maker","intent":1,"label":"target","cause":"signal"}
  ],
  "refusals": [
    {"time":1735689600005,"last":1735689600009,"count":3,"instrument":"spot:BTCUSDT","check":"minOrderMoney","limit":"5","actual":"3.2","unit":"USDT","text":"the order is too small"}
  ],
  "protections": [
    {"check":"halted","limit":"maxDailyLoss 200"}
  ],
  "halts": [
    {"time":1735689600006,"reason":"daily-loss","until":1735776000000,"action":"cancel","text":"lost 201"},
    {"time":1735689600007,"reason":"operator","until":null,"action":"block","text":"stop"}
  ],
  "curve": "daily",
  "equityCurve": [
    [1735689600000,"10000"],
    [1735776000000,"10019.58"]
  ],
  "hash": {
    "orders": "@orders",
    "fills": "@fills"
  }
}
`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const ORDER_LINES = `1735689600001,spot:BTCUSDT,open,buy,,2
1735689600002,spot:BTCUSDT,close,sell,110,2
1735689600004,spot:BTCUSDT,open,buy,90.5,1
`;
const FILL_LINES = `1735689600001,spot:BTCUSDT,open,buy,100,2
1735689600003,spot:BTCUSDT,close,sell,110,2
`;

describe('buildResult', () => {
  it('writes the whole result, key by key', () => {
    // turnover = (2 × 100 + 2 × 110) ÷ 10,019.58 = 420 ÷ 10,019.58 = 0.0419179247…
    const text = writeResult(buildResult(busyRecord()));

    expect(text).toBe(
      EXPECTED_TEXT.replace('@orders', sha256(ORDER_LINES)).replace('@fills', sha256(FILL_LINES)),
    );
  });

  it('gives the same text twice', () => {
    expect(writeResult(buildResult(busyRecord()))).toBe(writeResult(buildResult(busyRecord())));
  });

  it('sorts the parameters, so that their order in a configuration does not matter', () => {
    const { run } = busyRecord();
    const turned = busyRecord({ run: { ...run, parameters: { slow: 30, fast: 10 } } });

    expect(writeResult(buildResult(turned))).toBe(writeResult(buildResult(busyRecord())));
  });

  it('satisfies its schema, and has no other keys', () => {
    const result = buildResult(busyRecord());

    expect(resultSchema.parse(result)).toEqual(result);
  });

  it('keeps every close of the execution interval on request', () => {
    const record = busyRecord({
      candleEquity: {
        time: Float64Array.of(RUN_START + DAY_MS / 2, RUN_START + DAY_MS),
        value: [parseFixed('10000.1'), parseFixed('10019.6')],
      },
    });

    const { curve, equityCurve } = buildResult(record, { curve: 'candle' });

    // Bookings after the last close count at the end.
    expect(curve).toBe('candle');
    expect(equityCurve).toEqual([
      [RUN_START, '10000'],
      [RUN_START + DAY_MS / 2, '10000.1'],
      [RUN_START + DAY_MS, '10019.58'],
    ]);
  });

  it('lists fees in third assets, with the instrument that values them if there is one', () => {
    const bnb = { ...BTC_SPOT, id: createInstrumentId('spot', 'BNBUSDT'), base: 'BNB' };
    const { otherFees } = buildResult(
      busyRecord({
        instruments: [BTC_SPOT, bnb],
        fills: [
          aRunFill({ fee: '0.01', feeAsset: 'BNB', feeRate: '600' }),
          aRunFill({ fee: '0.02', feeAsset: 'BNB', feeRate: '500' }),
          aRunFill({ fee: '7', feeAsset: 'XYZ' }),
          aRunFill({ fee: '0.1', feeAsset: 'USDT' }),
          aRunFill({ fee: '0.0001', feeAsset: 'BTC' }),
        ],
      }),
    );

    expect(otherFees).toEqual([
      { asset: 'BNB', amount: '0.03', value: '16', valuedBy: 'spot:BNBUSDT' },
      { asset: 'XYZ', amount: '7', value: null, valuedBy: null },
    ]);
  });

  it('is not exact while a candle is undecided', () => {
    const { bounds } = buildResult(
      busyRecord({
        undecidedCandles: 3,
        undecidedMoney: parseFixed('2100'),
        undecidedSpans: new Map([[BTC_SPOT.id, { opens: [RUN_START], closes: [RUN_START + 3] }]]),
        isPathAsked: true,
      }),
    );

    // 200 are traded inside, and 220 at the close.
    expect(bounds).toEqual({
      low: {},
      high: {},
      undecidedCandles: 3,
      undecidedMoney: '2100',
      undecidedShare: 200 / 420,
      exact: false,
    });
  });

  it('hashes empty lists as the empty text', () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

    expect(buildResult(aRunRecord()).hash).toEqual({ orders: empty, fills: empty });
  });

  it('does not hash ids', () => {
    const [first, ...rest] = busyRecord().orders;
    const renamed =
      first === undefined ? [] : [aRunOrder({ id: 'zz', time: RUN_START + 1, quantity: '2' })];

    const result = buildResult(busyRecord({ orders: [...renamed, ...rest] }));

    expect(result.orders[0]?.id).toBe('zz');
    expect(result.hash).toEqual(buildResult(busyRecord()).hash);
  });

  it.each([
    ['time', { time: RUN_START + 9 }],
    ['instrument', { instrument: 'spot:ETHUSDT' }],
    ['action', { action: 'close' as const }],
    ['side', { side: 'sell' as const }],
    ['price', { price: '100.01' }],
    ['quantity', { quantity: '2.001' }],
  ])('hashes the %s of a fill', (_, change) => {
    const { orders, fills, hash } = buildResult(busyRecord());
    const changed = fills.map((fill, index) => (index === 0 ? { ...fill, ...change } : fill));

    expect(hashLists({ orders, fills })).toEqual(hash);
    expect(hashLists({ orders, fills: changed }).fills).not.toBe(hash.fills);
  });

  it('hashes the order of the fills', () => {
    const { orders, fills, hash } = buildResult(busyRecord());

    expect(hashLists({ orders, fills: fills.toReversed() }).fills).not.toBe(hash.fills);
  });
});

describe('resultPieces', () => {
  it('gives the text of writeResult in pieces, also with a list of thousands', () => {
    const { refusals } = busyRecord();
    const result = buildResult(
      busyRecord({ refusals: Array.from({ length: 2_500 }, () => refusals).flat() }),
    );

    const pieces = [...resultPieces(result)];

    expect(result.refusals.length).toBeGreaterThanOrEqual(2_500);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(500_000);
    expect(JSON.parse(pieces.join(''))).toEqual(result);
    expect(writeResult(result)).toBe(pieces.join(''));
  });
});

describe('parseResult', () => {
  it('reads back the text of writeResult', () => {
    const result = buildResult(busyRecord());

    expect(parseResult(writeResult(result), 'result.json')).toEqual(result);
  });

  it('reads a file with a byte order mark', () => {
    const result = buildResult(busyRecord());

    expect(parseResult(`\uFEFF${writeResult(result)}`, 'result.json')).toEqual(result);
  });

  it('ignores keys of a later minor version', () => {
    const result = buildResult(busyRecord());

    const parsed = parseResult(JSON.stringify({ ...result, later: 1 }), 'result.json');

    expect(parsed).toEqual(result);
  });

  it.each([
    [
      '{"version": 1,',
      'E_RESULT_FORMAT',
      /^result\.json: expected a result written by backtest --json, received invalid or truncated JSON: .+ \(E_RESULT_FORMAT\)$/,
    ],
    [
      '\n',
      'E_RESULT_FORMAT',
      /^result\.json: expected a result written by backtest --json, received an empty file \(E_RESULT_FORMAT\)$/,
    ],
    [
      '{"version": "1.0.0", "name": "other"}',
      'E_RESULT_FORMAT',
      /^result\.json: version: .*expected 2, received "1\.0\.0"; the file should be a result written by backtest --json /,
    ],
    ['[]', 'E_RESULT_FORMAT', /^result\.json: expected object, received \[\];/],
    [
      '{"version": 3}',
      'E_RESULT_VERSION',
      /^result\.json: version: expected 2, received 3 \(E_RESULT_VERSION\)$/,
    ],
    ['{"run": {}}', 'E_RESULT_FORMAT', /^result\.json: version: /],
  ])('refuses %s', (json, code, message) => {
    const parse = () => parseResult(json, 'result.json');

    expect(parse).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
    );
  });

  it.each([
    [
      'fills.1.price',
      { fills: [{}, { price: 'ten' }] },
      'expected a plain decimal such as "-12.5"',
    ],
    ['statistics.sharpe', { statistics: { sharpe: '1.5' } }, 'expected number, received "1.5"'],
    ['hash.orders', { hash: { orders: 'ABC' } }, 'expected 64 lower-case hexadecimal digits'],
    ['run.from', { run: { from: 1.5 } }, 'expected int, received 1.5'],
  ])('names the key %s', (key, change, expected) => {
    const damaged = merge(JSON.parse(JSON.stringify(buildResult(busyRecord()))), change);

    const parse = () => parseResult(JSON.stringify(damaged), 'result.json');

    expect(parse).toThrow(`result.json: ${key}: `);
    expect(parse).toThrow(expected);
  });
});

describe('the JSON Schema of a result', () => {
  it('describes every key and requires all of them', () => {
    const schema = z.toJSONSchema(resultSchema, { io: 'input' });
    const result = buildResult(busyRecord());

    expect(schema['required']).toEqual(Object.keys(result));
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: {
        version: { const: 2 },
        statistics: { properties: { sharpe: { type: ['number', 'null'] } } },
      },
    });
  });
});

/** Merges the members of a change into a value, at any depth. */
function merge(value: unknown, change: unknown): unknown {
  if (typeof change !== 'object' || change === null) return change;
  const base = value as Record<string, unknown>;
  const merged: Record<string, unknown> = Array.isArray(value)
    ? (value.slice() as unknown as Record<string, unknown>)
    : { ...base };
  for (const [key, member] of Object.entries(change)) merged[key] = merge(base[key], member);
  return merged;
}

describe('an order that was still working when positions were closed', () => {
  it('is written with its present state, and with the end of the run as its cause', () => {
    const { state, ...order } = aRunOrder({ id: 'a1', time: RUN_START + 1, status: 'open' });
    const prototype: unknown = Object.defineProperty({}, 'state', { get: () => state });
    const working = Object.assign(
      Object.create(prototype as object) as { state: typeof state },
      order,
    );

    const { orders } = buildResult(aRunRecord({ orders: [working], closingOrders: 1 }));

    expect(orders).toMatchObject([{ id: 'a1', time: RUN_START + 1, status: 'open', cause: 'end' }]);
  });
});
