import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CandleStrategy, type Candle } from '../../../src/index.js';
import { runBacktest, type CandleValues } from '../../../src/run/index.js';
import {
  closes,
  matchGolden,
  startStrategy,
  type GoldenValue,
  type StrategyTest,
} from '../../../src/testing/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

class Swings extends CandleStrategy({}) {
  override onCandle({ open, close }: Candle): void {
    if (close > open) this.enterLong({ quantity: '2' });
    else if (close < open) this.exit();
  }
}

/** The golden text of a run. It lists only the first of the two refusals of an exit. */
const TRADED = `orders
  2025-01-01T02:00:00Z buy 2 base of spot:BTCUSDT at 106.05 or better: 2 filled, filled
fills
  2025-01-01T02:00:00Z buy 2 of spot:BTCUSDT at 101, fee 0 BTC
refusals
  2025-01-01T04:00:00Z min-order-money: 198 USDT is less than the smallest order of 203 USDT; all that can be closed is 2 BTC, too little to trade alone`;
const PRICES = [100, 101, 102, 99, 98];

async function play(...prices: readonly number[]): Promise<StrategyTest> {
  const test = await startStrategy(Swings);
  return test.changeRules({ minOrderMoney: '203' }).play(closes(...prices));
}

async function aFile(): Promise<string> {
  return path.join(await temporaryFolder(), 'kept', 'swings.golden');
}

/** Writes the golden file, with EVENKEEL_UPDATE=1 in the environment. */
async function update(file: string, value: GoldenValue): Promise<void> {
  vi.stubEnv('EVENKEEL_UPDATE', '1');
  await matchGolden(file, value);
  vi.unstubAllEnvs();
}

describe('matchGolden', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('writes an absent file with EVENKEEL_UPDATE=1, and compares later runs with it', async () => {
    const file = await aFile();

    await update(file, await play(...PRICES));

    expect(await readFile(file, 'utf8')).toBe(
      `${TRADED}
  2025-01-01T05:00:00Z min-order-money: 196 USDT is less than the smallest order of 203 USDT; all that can be closed is 2 BTC, too little to trade alone
equity 9994
`,
    );
    await expect(matchGolden(pathToFileURL(file), await play(...PRICES))).resolves.toBeUndefined();
  });

  it('names an absent file', async () => {
    await expect(matchGolden(await aFile(), await play(100))).rejects.toMatchObject({
      code: 'E_TEST_GOLDEN',
      message: expect.stringContaining('swings.golden: the file does not exist') as string,
    });
  });

  it('shows the first line that differs, until the change is accepted', async () => {
    const file = await aFile();
    await update(file, await play(...PRICES));
    const other = await play(...PRICES, 97);

    await expect(matchGolden(file, other)).rejects.toThrow(
      /line 8 differs\n {2}expected: equity 9994\n {2}received: 2025-01-01T06:00:00Z min-order-money: 194 USDT .*\nSet EVENKEEL_UPDATE=1/,
    );
    await update(file, other);
    await expect(matchGolden(file, other)).resolves.toBeUndefined();
    await expect(matchGolden(file, await play(100))).rejects.toThrow(
      /line 1 differs\n {2}expected: orders\n {2}received: no orders\n/,
    );
  });

  it('compares the result of a backtest with its file, too', async () => {
    const file = await aFile();
    const result = await runBacktest({
      strategy: Swings,
      candles: [{ instrument: 'spot:BTCUSDT', interval: '1h', candles: hours(PRICES) }],
      config: {
        name: 'swings',
        instruments: [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['1h'] }],
        simulation: {
          balances: { USDT: '10000' },
          fees: { maker: '0', taker: '0' },
          rules: { BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: '203' } },
        },
      },
    });

    await update(file, result);

    expect(await readFile(file, 'utf8')).toBe(`${TRADED}, 2 times
equity 9994 USDT
`);
    await expect(matchGolden(file, result)).resolves.toBeUndefined();
  });
});

/** Hourly candles. Each opens at the close of the one before. */
function hours(prices: readonly number[]): readonly CandleValues[] {
  return prices.map((close, hour) => {
    const open = prices[hour - 1] ?? close;
    return {
      openTime: Date.UTC(2025, 0, 1, hour),
      ...{ open, close, high: Math.max(open, close), low: Math.min(open, close) },
      volume: 1_000,
    };
  });
}
