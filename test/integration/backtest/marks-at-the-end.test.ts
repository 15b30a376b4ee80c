import { describe, expect, it } from 'vitest';

import { replayBacktest } from '../../../src/assembly/index.js';
import { MINUTE_MS, present } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import type { CandleRow } from '../../support/candle-columns.js';
import { aContractArchive, aContractConfig, CONTRACT_START } from '../../support/contract-run.js';

const STEP = 5 * MINUTE_MS;

/** Candles of 5 minutes, one after the other: each opens at the first price and closes at the second. */
const moving = (...prices: readonly (readonly [open: number, close: number])[]) =>
  prices.map(([open, close], index): CandleRow => ({
    time: CONTRACT_START + index * STEP,
    open,
    close,
    high: Math.max(open, close),
    low: Math.min(open, close),
    volume: 1_000_000,
  }));

const LAST = moving([50_000, 50_000], [50_000, 50_000], [50_000, 49_000]);
const MARKS = moving([50_000, 50_000], [50_000, 50_000], [50_000, 49_500]);

/** Warnings of a run that holds 3 contracts until its end. */
async function warningsWith(marks: readonly CandleRow[]): Promise<readonly string[]> {
  class Holder extends CandleStrategy({}) {
    override onCandle(): void {
      this.enterLong({ quantity: '3' }, { limitPrice: '50100' });
    }
  }
  const config = aContractConfig({ simulation: { closeAtEnd: true } });
  const archive = aContractArchive(LAST, { marks });
  const record = await replayBacktest({
    config,
    archive,
    strategyClass: Holder,
    sourceHash: 'end',
  });
  return record.warnings;
}

describe('the marks of a contract that closeAtEnd closes', () => {
  it('are not called missing where all of them are stored', async () => {
    const warnings = await warningsWith(MARKS);

    expect(warnings).toContain('closeAtEnd: the last fill closes positions at the last close');
    expect(warnings.filter((one) => one.includes('mark'))).toEqual([]);
  });

  it('are called missing where one is missing', async () => {
    const [first, , third] = MARKS;
    const warnings = await warningsWith([
      present(first, 'a first mark'),
      present(third, 'a third mark'),
    ]);

    expect(warnings).toContain(
      'futures:E-BTC-USDT: mark prices are missing in places; last stands for them',
    );
  });
});
