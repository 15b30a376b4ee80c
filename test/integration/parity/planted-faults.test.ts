import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/domain/index.js';
import type { FaultRule } from '../../../src/local-exchange/index.js';
import type { ParityList } from '../../../src/report/index.js';
import { alteredAnswers, type Alter } from '../../support/parity/altered-answers.js';
import { runConfig, type ParityCase } from '../../support/parity/run-config.js';

const SMA = { config: 'config/sma-crossover.backtest.yaml', to: '2024-07-12' };
const RSI = {
  config: 'backtest/scenarios/rsi-mean-reversion-touch.yaml',
  from: '2025-01-01',
  to: '2025-01-20',
};
const BREAKOUT = { config: 'config/breakout-trail.backtest.yaml', to: '2024-07-25' };
const TIMEOUT_MS = 60_000;

/** Alters answers of one path, from the n-th answer on that the change affects. */
function alterFrom(path: string, first: number, change: (body: string) => string): Alter {
  let seen = 0;
  return (body, asked) => {
    if (!asked.startsWith(path)) return body;
    const told = change(body);
    if (told === body) return body;
    seen += 1;
    return seen < first ? body : told;
  };
}

interface Row {
  readonly idx: number;
  readonly close: number;
}
const HOUR_MS = 3_600_000;

/** Changes the rows of klines, newest first, of requests during the run. The warm-up stays unchanged. */
function alterRows(change: (rows: readonly Row[]) => readonly Row[]): Alter {
  return alterFrom('/sapi/v1/klines', 30, (body) => {
    const rows = JSON.parse(body) as readonly Row[];
    return rows.length > 10 ? body : JSON.stringify(change(rows));
  });
}

const WIRE: readonly (readonly [string, ParityCase, Alter, ParityList])[] = [
  [
    'a candle whose prices belong to the one before',
    SMA,
    alterRows((rows) =>
      rows.map((row, index) => ({ ...row, close: (rows[index + 1] ?? row).close + 1 })),
    ),
    'candles',
  ],
  [
    'a candle that is told of twice, with another close',
    SMA,
    alterRows((rows) =>
      rows.flatMap((row, index) =>
        index === 1 ? [{ ...row, close: row.close + 0.01 }, row] : [row],
      ),
    ),
    'candles',
  ],
  [
    'candles that are an hour late',
    SMA,
    alterRows((rows) => rows.map((row) => ({ ...row, idx: row.idx - HOUR_MS }))),
    'candles',
  ],
  [
    'a fill with twice its fee',
    SMA,
    alterFrom('/sapi/v1/myTrades', 2, (body) =>
      body.replace(/"fee":"?([\d.]+)"?/g, (_, fee: string) => `"fee":${String(Number(fee) * 2)}`),
    ),
    'fills',
  ],
  [
    'a fill at another price',
    SMA,
    alterFrom('/sapi/v1/myTrades', 2, (body) =>
      body.replace(
        /"price":"?([\d.]+)"?/g,
        (_, price: string) => `"price":${String(Number(price) + 1)}`,
      ),
    ),
    'fills',
  ],
  [
    'a fill of the other side of the book',
    SMA,
    alterFrom('/sapi/v1/myTrades', 2, (body) =>
      body.replaceAll('"isMaker":false', '"isMaker":true'),
    ),
    'fills',
  ],
];

const EXCHANGE: readonly (readonly [string, ParityCase, FaultRule])[] = [
  [
    'a last price that stands still',
    BREAKOUT,
    { fault: 'frozen-ticker', count: 50, probability: 1 },
  ],
  ['a cancel that comes too late', RSI, { fault: 'cancel-fills', probability: 1 }],
  ['an order that fills in pieces', SMA, { fault: 'many-fills', pieces: 3, probability: 1 }],
  [
    'a venue that has coarser quantities',
    SMA,
    { fault: 'precision', instrument: 'spot:BTCUSDT', quantityPrecision: 1, probability: 1 },
  ],
  [
    'a venue that does not trade',
    SMA,
    { fault: 'untradable', instrument: 'spot:BTCUSDT', probability: 1 },
  ],
];

/** The list of the first difference, or `unsettled` for a bot that never settles. */
async function findingOf(options: ParityCase): Promise<ParityList | 'unsettled' | 'none'> {
  try {
    const { report, disagreements } = await runConfig(options);
    return report.difference?.list ?? (disagreements.length > 0 ? 'balances' : 'none');
  } catch (error: unknown) {
    if (error instanceof UsageError && error.code === 'E_PARITY_UNSETTLED') return 'unsettled';
    throw error;
  }
}

describe('parity with a planted fault', () => {
  it.each(WIRE)('%s', { timeout: TIMEOUT_MS }, async (_what, options, alter, list) => {
    const dispatcher = alteredAnswers(alter);

    expect(await findingOf({ ...options, dispatcher })).toBe(list);
  });

  it('finds a fill that is never reported', { timeout: TIMEOUT_MS }, async () => {
    const dispatcher = alteredAnswers(alterFrom('/sapi/v1/myTrades', 2, () => '[]'));

    expect(await findingOf({ ...SMA, dispatcher })).not.toBe('none');
  });

  it.each(EXCHANGE)('%s', { timeout: TIMEOUT_MS }, async (_what, options, fault) => {
    expect(await findingOf({ ...options, faults: [fault] })).not.toBe('none');
  });

  it.each(['answer-lost', 'reset-after'] as const)(
    'finds no difference after a lost answer (%s) to an accepted order',
    { timeout: TIMEOUT_MS },
    async (fault) => {
      const faults = [{ fault, endpoints: ['spot.order'], count: 2, probability: 1 }];

      const { report, notes, disagreements } = await runConfig({ ...SMA, faults });

      expect(report.difference).toBeUndefined();
      expect(disagreements).toEqual([]);
      const lost = notes.filter(({ text }) => text.includes('nobody knows yet what became of'));
      expect(lost).toHaveLength(2);
    },
  );

  it('finds an order that never reached the venue', { timeout: TIMEOUT_MS }, async () => {
    const fault = 'reset-before';

    const found = await findingOf({
      ...SMA,
      faults: [{ fault, endpoints: ['spot.order'], count: 1, probability: 1 }],
    });

    expect(found).not.toBe('none');
  });

  it('finds no difference if answers are unchanged', { timeout: TIMEOUT_MS }, async () => {
    const dispatcher = alteredAnswers((body) => body);

    expect(await findingOf({ ...SMA, dispatcher })).toBe('none');
  });
});
