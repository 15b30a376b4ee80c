import { describe, expect, it } from 'vitest';
import {
  BINANCE_CM,
  BINANCE_SPOT,
  BINANCE_UM,
} from '../../../../src/cli/data/fetch/binance-dumps.js';
import { planDumps } from '../../../../src/cli/data/fetch/plan-dumps.js';

const at = (text: string): number => Date.parse(`${text}Z`);
const plan = (from: string, to: string, now: string) =>
  planDumps(
    BINANCE_SPOT,
    { kind: 'candles', symbol: 'BTCUSDT', interval: '1min' },
    { from: at(from), to: at(to), now: at(now) },
  );
const datesOf = (dumps: readonly { readonly path: string }[]): readonly string[] =>
  dumps.map(({ path }) => path.replace(/^.*1m-|\.zip$/g, ''));

describe('planDumps', () => {
  it('plans monthly files for past months, and daily files of the current month up to yesterday', () => {
    const planned = plan('2025-11-20T05:00', '2026-01-04T12:30', '2026-01-04T12:30');

    expect(datesOf(planned)).toEqual([
      '2025-11',
      '2025-12',
      '2026-01-01',
      '2026-01-02',
      '2026-01-03',
    ]);
    expect(planned[2]?.path).toBe('data/spot/daily/klines/BTCUSDT/1m/BTCUSDT-1m-2026-01-01.zip');
  });

  it('plans days in place of a month that has just ended, from the start of the range', () => {
    const [december] = plan('2025-12-29T00:00', '2026-01-01T00:00', '2026-01-04T12:30');

    expect(datesOf(december?.instead ?? [])).toEqual(['2025-12-29', '2025-12-30', '2025-12-31']);
  });

  it('plans no days in place of months that ended long ago, and no files for today or later', () => {
    expect(plan('2025-03-01T00:00', '2025-03-20T00:00', '2026-01-04T00:00')[0]?.instead).toEqual(
      [],
    );
    expect(plan('2026-01-04T00:00', '2026-02-01T00:00', '2026-01-04T23:00')).toEqual([]);
  });

  it('plans the files of mark prices of an inverse contract, and of funding rates', () => {
    const range = {
      from: at('2025-11-20T00:00'),
      to: at('2025-12-03T00:00'),
      now: at('2025-12-03T05:00'),
    };
    const mark = { kind: 'mark', symbol: 'BTCUSD_PERP', interval: '1h' } as const;
    const folder = 'data/futures/cm/monthly/markPriceKlines/BTCUSD_PERP/1h';
    const days = 'data/futures/cm/daily/markPriceKlines/BTCUSD_PERP/1h';
    expect(planDumps(BINANCE_CM, mark, range).map(({ path }) => path)).toEqual([
      `${folder}/BTCUSD_PERP-1h-2025-11.zip`,
      `${days}/BTCUSD_PERP-1h-2025-12-01.zip`,
      `${days}/BTCUSD_PERP-1h-2025-12-02.zip`,
    ]);

    const funding = planDumps(BINANCE_UM, { kind: 'funding', symbol: 'BTCUSDT' }, range);
    const rates = 'data/futures/um/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate';
    expect(funding.map(({ path, instead }) => [path, instead])).toEqual([
      [`${rates}-2025-11.zip`, []],
      [`${rates}-2025-12.zip`, []],
    ]);
  });
});
