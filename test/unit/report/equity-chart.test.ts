import { describe, expect, it } from 'vitest';

import { DAY_MS } from '../../../src/domain/index.js';
import { renderEquityChart } from '../../../src/report/index.js';
import { RUN_START } from '../../support/run-records.js';

const daily = (...amounts: readonly number[]) =>
  amounts.map((amount, day) => [RUN_START + day * DAY_MS, String(amount)] as const);

describe('renderEquityChart', () => {
  it('draws the curve between its lowest and its highest equity', () => {
    const text = renderEquityChart(daily(1000, 1000, 1100, 1300, 1200, 1400), {
      width: 40,
      height: 5,
      decimals: 2,
    });

    expect(`\n${text}\n`).toBe(`
1,400.00 ┤                            ┏━
         │                 ┏━━━━━┓    ┃
         │                 ┃     ┗━━━━┛
         │           ┏━━━━━┛
1,000.00 ┤━━━━━━━━━━━┛
          2025-01-01          2025-01-06
`);
  });

  it('draws a flat curve', () => {
    const text = renderEquityChart(daily(10, 10), { width: 30, height: 4, decimals: 2 });

    expect(`\n${text}\n`).toBe(`
10.00 ┤━━━━━━━━━━━━━━━━━━━━━━━
       2025-01-01   2025-01-02
`);
  });

  it('writes amounts of a coin, and prices, with up to eight decimals', () => {
    const text = renderEquityChart(daily(1.083, 1.08345), { width: 30, height: 4, decimals: 8 });

    expect(text).toMatch(/^1\.08345 ┤[^]* {2}1\.083 ┤/u);
  });

  it('looks the same for any sampling density of a curve', () => {
    const coarse = daily(1000, 1200, 900);
    const dense = coarse.flatMap(([time, equity], day) =>
      day === 2
        ? [[time, equity] as const]
        : Array.from({ length: 1_440 }, (_, minute) => [time + minute * 60_000, equity] as const),
    );
    const options = { width: 40, height: 6, decimals: 2 };

    expect(renderEquityChart(dense, options)).toBe(renderEquityChart(coarse, options));
  });

  it('keeps within its width and height', () => {
    const curve = daily(...Array.from({ length: 500 }, (_, day) => 1_000 + ((day * 37) % 101)));

    const lines = renderEquityChart(curve, { width: 72, height: 9, decimals: 2 }).split('\n');

    expect(lines.length).toBeLessThanOrEqual(10);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(72);
  });

  it.each([
    ['one point', daily(1000), { width: 80, height: 8, decimals: 2 }],
    ['no room for ten columns', daily(1000, 1100), { width: 19, height: 8, decimals: 2 }],
    ['one row', daily(1000, 1100), { width: 80, height: 1, decimals: 2 }],
  ])('is empty for %s', (_, curve, options) => {
    expect(renderEquityChart(curve, options)).toBe('');
  });
});
