import { describe, expect, it } from 'vitest';

import { fitsBudget, planPolls, type PolledConfig } from '../../../../src/assembly/index.js';
import { loadYaml } from '../../../support/cli/bot-yaml.js';

interface Wanted {
  readonly pairs?: readonly number[];
  readonly contracts?: readonly number[];
  readonly intervals?: string;
  readonly key?: string;
  readonly staleAfterMs?: number;
}

const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

/** The configuration of a bot that trades these pairs and contracts. */
async function aBot({
  pairs = [],
  contracts = [],
  intervals = '1min',
  key = 'KEY',
  staleAfterMs = 30_000,
}: Wanted): Promise<PolledConfig> {
  const instruments = [
    ...pairs.map(
      (id) => `{ product: spot, symbol: C${String(id)}USDT, intervals: [${intervals}] }`,
    ),
    ...contracts.map(
      (id) =>
        `{ product: futures, symbol: E-C${String(id)}-USDT, intervals: [${intervals}], multiplier: "0.01", leverage: 5, marginMode: isolated }`,
    ),
  ];
  const { config } = await loadYaml(`name: bot
strategy: { path: none.strategy.ts }
instruments: [${instruments.join(', ')}]
venue: { spotUrl: "http://127.0.0.1:1", futuresUrl: "http://127.0.0.1:1", keyEnv: ${key}, secretEnv: SECRET }
live: { staleAfterMs: ${String(staleAfterMs)} }
`);
  return config;
}

async function planned(...wanted: readonly Wanted[]) {
  return planPolls(await Promise.all(wanted.map((each) => aBot(each))));
}

describe('planPolls', () => {
  it('sums the calls for candles, marks and the clock of contracts under one limit', async () => {
    const [budget, ...others] = await planned({ contracts: range(0, 10), intervals: '1min, 1h' });

    // 20 series, 10 marks, 1 clock, of 2 calls per second. 2 x (20 + 1) slots of 1001 ms.
    expect(budget).toEqual({
      name: 'futures',
      callsPerMinute: 31,
      mostPerMinute: 60,
      lastCandleMs: 300 + 42 * 1_001,
      staleAfterMs: 30_000,
    });
    expect(others).toEqual([]);
  });

  it('plans spot calls under a limit for each kind, with 20 candles at once', async () => {
    const budgets = await planned({ pairs: range(0, 45) });

    expect(
      budgets.map(({ name, callsPerMinute, lastCandleMs }) => [name, callsPerMinute, lastCandleMs]),
    ).toEqual([
      ['spot.klines', 45, 300 + 4_000],
      ['spot.time', 1, undefined],
    ]);
  });

  it('counts series that bots with the same key share once, with the shortest age limit', async () => {
    const [alone] = await planned({ pairs: range(0, 8) });
    const shared = await planned(
      { pairs: range(0, 8) },
      { pairs: range(0, 8), staleAfterMs: 9_000 },
    );
    const apart = await planned({ pairs: range(0, 8) }, { pairs: range(0, 8), key: 'OTHER' });

    expect([alone, shared[0], apart[0]].map((budget) => budget?.callsPerMinute)).toEqual([
      8, 8, 16,
    ]);
    expect(shared[0]?.staleAfterMs).toBe(9_000);
  });

  it.each([
    [{ contracts: range(0, 13) }, true],
    [{ contracts: range(0, 14) }, false],
    [{ contracts: range(0, 21), staleAfterMs: 45_000 }, true],
    [{ contracts: range(0, 22), staleAfterMs: 45_000 }, false],
    [{ contracts: range(0, 29), staleAfterMs: 600_000 }, true],
    [{ contracts: range(0, 30), staleAfterMs: 600_000 }, false],
    [{ pairs: range(0, 300) }, true],
    [{ pairs: range(0, 301) }, false],
  ] as const)('decides whether polls of %o fit: %s', async (wanted, fits) => {
    expect((await planned(wanted)).every(fitsBudget)).toBe(fits);
  });

  it('counts last prices on paper, against whole limits, and ignores keys', async () => {
    const bot = { pairs: range(0, 2), contracts: range(0, 3) };
    const bots = [await aBot(bot), await aBot({ ...bot, key: 'OTHER' })];

    const budgets = planPolls(bots, 'paper');

    expect(
      budgets.map((budget) => [
        budget.name,
        budget.callsPerMinute,
        budget.mostPerMinute,
        budget.lastCandleMs,
      ]),
    ).toEqual([
      ['spot.klines', 2, 600, 300 + 50],
      ['spot.ticker', 120, 600, undefined],
      // 3 candles, 3 marks, 1 clock, and 3 prices every 2 s; 3 + 3 + 1 slots of 500.5 ms.
      ['futures', 97, 120, 300 + Math.round(7 * 500.5)],
      ['spot.time', 1, 600, undefined],
    ]);
  });

  it.each([
    [{ contracts: range(0, 3) }, true],
    [{ contracts: range(0, 4) }, false],
    [{ pairs: range(0, 10) }, true],
    [{ pairs: range(0, 11) }, false],
  ] as const)('decides whether polls of %o on paper fit: %s', async (wanted, fits) => {
    expect(planPolls([await aBot(wanted)], 'paper').every(fitsBudget)).toBe(fits);
  });

  it('checks all bots together against the limits', async () => {
    const [one, two, three] = [range(0, 7), range(7, 7), range(14, 6)];

    const alone = await planned({ contracts: one });
    const together = await planned({ contracts: one }, { contracts: two }, { contracts: three });

    expect(alone.every(fitsBudget)).toBe(true);
    expect(together.every(fitsBudget)).toBe(false);
    expect(together[0]).toMatchObject({ callsPerMinute: 41, lastCandleMs: 300 + 42 * 1_001 });
  });
});
