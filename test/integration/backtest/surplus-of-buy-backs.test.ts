import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed } from '../../../src/domain/index.js';
import { parseResult } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { aMarginPair, runHours } from '../../support/hourly-run.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Sells 1 short with the first candle, and buys it back at 99. */
class Short extends CandleStrategy({}) {
  #asked = false;

  override onCandle(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.enterShort({ notional: '100' }, { protection: { takeProfit: { price: '99' } } });
  }
}

/** The maker's fee is a tenth of the taker's, for which the buy-back is made larger. */
const runShort = (paidIn: 'received' | 'quote') =>
  runHours({
    strategy: Short,
    series: [[aMarginPair('ETH', 'USDT'), { 0: 100, 1: 100, 2: [100, 100, 98, 98], 3: 98 }]],
    simulation: {
      fees: { maker: parseFixed('0.001'), taker: parseFixed('0.01'), paidIn },
    },
  });

describe('a short on margin whose buy-back brought more than its debt', () => {
  it('leaves base that no position holds, and the result says so', async () => {
    const { finalBalances, warnings } = await runShort('received');

    const left = formatFixed(finalBalances.margin?.get('ETH') ?? 0n);
    // The debt of 1, and its interest, divided by 0.99 and rounded up to the step; a thousandth of that is the fee of the maker.
    expect(Number(left)).toBeCloseTo(0.0091, 4);
    expect(warnings).toContain(
      `margin: ${left} ETH is owned beyond all positions, because buy-backs of shorts brought more than their debt; no exit sells it`,
    );
  });

  it('leaves none where fees are paid in quote', async () => {
    const { warnings } = await runShort('quote');

    expect(warnings.join()).not.toContain('beyond all positions');
  });

  it('is not confused with base that the account had from the start', async () => {
    class Idle extends CandleStrategy({}) {
      override onCandle(): void {
        // Holds what it began with.
      }
    }

    const { warnings } = await runHours({
      strategy: Idle,
      series: [[aMarginPair('ETH', 'USDT'), { 0: 100, 1: 100, 2: 100 }]],
      simulation: {
        balances: {
          margin: new Map([
            ['USDT', parseFixed('1000')],
            ['ETH', parseFixed('2')],
          ]),
        },
      },
    });

    expect(warnings.join()).not.toContain('beyond all positions');
  });
});

/** A bot that sells short with each tenth candle, and buys back 1 % lower at the fee of a maker. */
const BOT = `name: shorts
strategy: { path: shorts.mjs }
instruments: [{ product: margin, symbol: ETHUSDT, intervals: [1h], leverage: 3 }]
simulation:
  archive: data
  balances: { USDT: "10000" }
  fees: { maker: "0.001", taker: "0.01" }
  rules: { ETHUSDT: { pricePrecision: 2, quantityPrecision: 5 } }
`;
const PLUGIN = `import { CandleStrategy } from 'evenkeel';
export class Shorts extends CandleStrategy({}) {
  count = 0;
  onCandle() {
    this.count += 1;
    if (this.count % 10 === 1 && this.position.quantity.isZero())
      this.enterShort({ notional: '1000' }, { protection: { takeProfit: { ratio: '0.01' } } });
  }
}
`;

describe('the result that is read from a journal', () => {
  it('has the line about the surplus, as that of the run', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'bot.yaml'), BOT);
    await writeFile(path.join(folder, 'shorts.mjs'), PLUGIN);
    await mkdir(path.join(folder, 'data'));
    const run = async (words: string): Promise<string> => {
      const { exitCode, stdout, stderr } = await runCommand(folder, words.split(' '));
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return stdout;
    };
    await run(
      'data synth --instrument margin:ETHUSDT --interval 1h --from 2025-01-01 --to 2025-01-15 --seed 3',
    );

    const made = await run('backtest bot.yaml --journal run.journal --json -');
    const read = await run('result run.journal --config bot.yaml --json -');

    const [ofRun, ofJournal] = [made, read].map((text) =>
      parseResult(text, 'stdout').warnings.filter((line) => line.includes('beyond all positions')),
    );
    expect(ofRun).toHaveLength(1);
    expect(ofJournal).toEqual(ofRun);
  });
});
