import { describe, expect, it } from 'vitest';
import { createInstrumentId, parseFixed, parseUtc } from '../../../../src/domain/index.js';
import type { FuzzGround } from '../../../../src/research/fuzz/fuzz-ground.js';
import type { MarketStretch } from '../../../../src/research/fuzz/history.js';
import { layOut, type LaidOut } from '../../../../src/research/fuzz/lay-out.js';

const FROM = parseUtc('2025-01-01');
const HOUR_MS = 3_600_000;
const RULES = { tradable: true, pricePrecision: 2, quantityPrecision: 3 };

/** One instrument at 100 whose account holds 10,000. `layOut` reads only `maxGap` of the configuration. */
const ground = (over: Partial<FuzzGround> = {}, maxGapMs?: number): FuzzGround => ({
  config: { simulation: { maxGapMs } } as FuzzGround['config'],
  strategyClass: undefined as never,
  sourceHash: '',
  starts: [
    {
      instrumentId: createInstrumentId('spot', 'BTCUSDT'),
      price: 100,
      money: 10_000,
      rules: RULES,
      tiers: [],
    },
  ],
  from: FROM,
  interval: '1h',
  lead: 0,
  candles: 100,
  ...over,
});

const lay = (stretches: readonly MarketStretch[], of = ground()): LaidOut | undefined =>
  layOut(of, { lateMs: 0, markets: [stretches] });

/** Rows of hours since the start, open, high, low, close and volume. */
const rowsOf = (laid: LaidOut | undefined): readonly (readonly number[])[] => {
  const columns = laid?.markets[0]?.columns;
  if (columns === undefined) return [];
  const { openTime, open, high, low, close, volume } = columns;
  return [...openTime].map((time, row) => [
    (time - FROM) / HOUR_MS,
    ...[open, high, low, close, volume].map((column) => column[row] as number),
  ]);
};

describe('layOut', () => {
  it('makes candles of each kind of stretch, from the price at which the previous stretch ended', () => {
    const laid = lay([
      { kind: 'flat', candles: 1 },
      { kind: 'move', candles: 2, bps: 100 },
      { kind: 'halt', candles: 3 },
      { kind: 'gap', bps: -1_000 },
      { kind: 'spike', bps: 5_000 },
      { kind: 'thin', candles: 1, percent: 50 },
    ]);

    // 102.01 × 0.9 = 91.81, × 1.5 = 137.72 (137.715 as a float is a little more)
    expect(rowsOf(laid).map((row) => row.slice(0, 5))).toEqual([
      [0, 100, 100, 100, 100],
      [1, 100, 101, 100, 101],
      [2, 101, 102.01, 101, 102.01],
      [6, 91.81, 91.81, 91.81, 91.81],
      [7, 91.81, 137.72, 91.81, 91.81],
      [8, 91.81, 91.81, 91.81, 91.81],
    ]);
    // Volumes are worth 10,000 accounts, and half an account: 5,000 ÷ 91.81.
    expect(rowsOf(laid).map((row) => row[5])).toEqual([
      ...[1_000_000, 990_099, 980_296, 1_089_210, 1_089_210],
      54.4603,
    ]);
    expect(laid).toMatchObject({ candles: 9, to: FROM + 9 * HOUR_MS });
  });

  it('changes rules at the next candle, and rounds prices to the grid', () => {
    const laid = lay([
      { kind: 'flat', candles: 1 },
      { kind: 'rules', change: 'coarser steps' },
      { kind: 'move', candles: 1, bps: 57 },
      { kind: 'rules', change: 'closed' },
      { kind: 'rules', change: 'larger minimum' },
      { kind: 'flat', candles: 1 },
    ]);

    expect(laid?.markets[0]?.rules).toEqual([
      { from: FROM, rules: RULES },
      { from: FROM + HOUR_MS, rules: { ...RULES, pricePrecision: 1, quantityPrecision: 1 } },
      // 2 % of 10,000
      { from: FROM + 2 * HOUR_MS, rules: { ...RULES, minOrderMoney: parseFixed('200') } },
    ]);
    expect(rowsOf(laid).map((row) => row[4])).toEqual([100, 100.6, 100.6]);
  });

  it('starts with quiet candles, and ends at the maximum length', () => {
    const laid = lay([{ kind: 'flat', candles: 60 }], ground({ lead: 3, candles: 2 }));

    expect(rowsOf(laid).map((row) => [row[0], row[4]])).toEqual([
      [-3, 100],
      [-2, 100.05],
      [-1, 100],
      [0, 100],
      [1, 100],
    ]);
    expect(laid?.candles).toBe(2);
  });

  it('leaves out no more consecutive candles than the configuration accepts', () => {
    const halted: readonly MarketStretch[] = [
      { kind: 'flat', candles: 1 },
      { kind: 'halt', candles: 2 },
      { kind: 'halt', candles: 2 },
      { kind: 'flat', candles: 1 },
    ];

    expect(rowsOf(lay(halted)).map(([hour]) => hour)).toEqual([0, 5]);
    expect(rowsOf(lay(halted, ground({}, 3 * HOUR_MS))).map(([hour]) => hour)).toEqual([0, 4]);
  });

  it('returns undefined for a history without a candle', () => {
    expect(lay([])).toBeUndefined();
    expect(lay([{ kind: 'halt', candles: 2 }])).toBeUndefined();
    expect(lay([{ kind: 'rules', change: 'closed' }])).toBeUndefined();
  });

  it('extends a shorter market with flat candles', () => {
    const [start] = ground().starts;
    const two = ground({ starts: [start, start] as FuzzGround['starts'] });

    const laid = layOut(two, {
      lateMs: 0,
      markets: [[{ kind: 'flat', candles: 3 }], [{ kind: 'gap', bps: 100 }]],
    });

    expect(laid?.markets.map(({ columns }) => [...columns.close])).toEqual([
      [100, 100, 100],
      [101, 101, 101],
    ]);
  });
});
