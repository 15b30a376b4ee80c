import { describe, expect, it } from 'vitest';

import type { BacktestConfig } from '../../../../src/assembly/index.js';
import { readTerms } from '../../../../src/assembly/market/load-terms.js';
import {
  createInstrumentId,
  FIXED_ONE,
  HOUR_MS,
  type CandleColumns,
  type InstrumentRules,
} from '../../../../src/domain/index.js';
import { aBacktestConfig } from '../../../support/backtest-config.js';
import { createMemoryArchive, type MemoryHoldings } from '../../../support/memory-archive.js';

const SPOT = createInstrumentId('spot', 'BTCUSDT');
const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');
const RULES: InstrumentRules = { tradable: true, pricePrecision: 1, quantityPrecision: 0 };
const TIERS = [{ maxValue: undefined, maxLeverage: 20n * FIXED_ONE, keepRate: FIXED_ONE / 100n }];

function marks(times: readonly number[] = [0]): CandleColumns {
  const price = new Float64Array(times.length).fill(100);
  const volume = new Float64Array(times.length);
  return {
    openTime: Float64Array.from(times),
    open: price,
    high: price,
    low: price,
    close: price,
    volume,
  };
}

function futuresConfig(simulation: Partial<BacktestConfig['simulation']> = {}): BacktestConfig {
  const config = aBacktestConfig({ instrumentId: SPOT, interval: '1h' });
  return {
    ...config,
    instruments: [
      {
        kind: 'futures',
        instrumentId: CONTRACT,
        symbol: 'E-BTC-USDT',
        base: 'BTC',
        quote: 'USDT',
        intervals: ['1h'],
        contract: 'linear',
        multiplier: FIXED_ONE / 1_000n,
        leverage: FIXED_ONE,
        marginMode: 'cross',
      },
    ],
    simulation: { ...config.simulation, rules: new Map([[CONTRACT, RULES]]), ...simulation },
  };
}

function terms(config: BacktestConfig, held: MemoryHoldings = {}): ReturnType<typeof readTerms> {
  return readTerms(config, createMemoryArchive([], held));
}

describe('readTerms', () => {
  it('notes each missing kind of data of a contract once, with its substitute', async () => {
    const { notes, hash } = await terms(futuresConfig());

    expect(notes).toEqual([
      'E-BTC-USDT: no mark prices are stored; last stands for mark',
      'E-BTC-USDT: no funding rates are stored; simulation.futures.fundingRate stands for them',
      'E-BTC-USDT: no leverage tiers are known; nothing is kept for maintenance',
    ]);
    expect(hash).toBe('');
  });

  it('prefers stored terms to those of the configuration', async () => {
    const stored = { ...RULES, pricePrecision: 3 };
    const { rules, tiers, notes } = await terms(futuresConfig(), {
      marks: [{ instrumentId: CONTRACT, interval: '1h', columns: marks() }],
      funding: new Map([[CONTRACT, { time: Float64Array.of(0), rate: Float64Array.of(0.0001) }]]),
      rules: new Map([[CONTRACT, [{ from: HOUR_MS, rules: stored }]]]),
      tiers: new Map([[CONTRACT, [{ from: 0, tiers: TIERS }]]]),
    });

    expect(rules.at(CONTRACT, HOUR_MS)?.pricePrecision).toBe(3);
    expect(tiers.at(CONTRACT, 0)).toBe(TIERS);
    expect(notes).toEqual([]);
  });

  it('returns a hash over all stored terms', async () => {
    const held: MemoryHoldings = {
      marks: [{ instrumentId: CONTRACT, interval: '1h', columns: marks() }],
      funding: new Map([[CONTRACT, { time: Float64Array.of(0), rate: Float64Array.of(0.0001) }]]),
      rules: new Map([[CONTRACT, [{ from: 0, rules: RULES }]]]),
      tiers: new Map([[CONTRACT, [{ from: 0, tiers: TIERS }]]]),
    };
    const whole = await terms(futuresConfig(), held);
    const parts = await Promise.all(
      Object.keys(held).map((left) => terms(futuresConfig(), { ...held, [left]: undefined })),
    );

    const hashes = [whole, ...parts].map(({ hash }) => hash);
    expect(new Set(hashes).size).toBe(5);
  });

  it('returns a hash over rules and tiers alone, for bots whose archive a recorder fills', async () => {
    const rules = new Map([[CONTRACT, [{ from: 0, rules: RULES }]]]);
    const before = await terms(futuresConfig(), { rules });
    const recorded = await terms(futuresConfig(), {
      rules,
      marks: [{ instrumentId: CONTRACT, interval: '1h', columns: marks() }],
      funding: new Map([[CONTRACT, { time: Float64Array.of(0), rate: Float64Array.of(0.0001) }]]),
    });

    expect(recorded.hash).not.toBe(before.hash);
    expect(recorded.rulesHash).toBe(before.rulesHash);
    expect(before.rulesHash).not.toBe((await terms(futuresConfig())).rulesHash);
  });

  it('uses marks that are known by the start, also if the range lies within one mark candle', async () => {
    const within = { from: 1.25 * HOUR_MS, to: 1.5 * HOUR_MS };

    const { stored, notes } = await terms(futuresConfig(within), {
      marks: [{ instrumentId: CONTRACT, interval: '1h', columns: marks([0, HOUR_MS]) }],
    });

    expect(stored.get(CONTRACT)?.marks?.interval).toBe('1h');
    expect(notes.filter((note) => note.includes('mark'))).toEqual([]);
  });

  it('uses the tiers of the configuration if no tiers are stored', async () => {
    const config = futuresConfig();
    const { tiers, notes } = await terms({
      ...config,
      simulation: {
        ...config.simulation,
        futures: {
          ...config.simulation.futures,
          tiers: new Map([[CONTRACT, [{ from: 0, tiers: TIERS }]]]),
        },
      },
    });

    expect(tiers.at(CONTRACT, 0)).toBe(TIERS);
    expect(notes.some((note) => note.includes('tiers'))).toBe(false);
  });

  it('notes that no finer candles are stored for a finer path', async () => {
    const { notes } = await terms(futuresConfig({ path: 'finer' }));

    expect(notes).toContain('E-BTC-USDT: no finer candles are stored; the path is that of nearest');
  });
});
