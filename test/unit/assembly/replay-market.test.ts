import { describe, expect, it } from 'vitest';
import {
  prepareMarket,
  replayMarket,
  replayBacktest,
  type RunOptions,
} from '../../../src/assembly/index.js';
import { buildResult, writeResult } from '../../../src/report/index.js';
import {
  CandleStrategy,
  crossedAbove,
  crossedBelow,
  int,
  sma,
} from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { januaryCandles } from '../../support/cli/bot-folder.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { BTC } from '../../support/replay.js';

class Cross extends CandleStrategy({ fast: int(2, 200, 10) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(30));

  override onCandle(): void {
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ equity: '0.9' });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}

describe('replayMarket', () => {
  it('returns the result of runBacktest in each of several runs on one loaded market', async () => {
    const archive = createMemoryArchive([
      { instrumentId: BTC, interval: '1h', columns: januaryCandles() },
    ]);
    const optionsOf = (fast: number): RunOptions => ({
      config: aBacktestConfig({ instrumentId: BTC, interval: '1h', parameters: { fast } }),
      strategyClass: Cross,
      sourceHash: 'test',
    });
    const { config } = optionsOf(10);
    const market = await prepareMarket(config, archive);

    const texts = [];
    for (const fast of [5, 10, 5]) {
      const shared = await replayMarket(market, optionsOf(fast));
      const alone = await replayBacktest({ ...optionsOf(fast), archive });
      texts.push(writeResult(buildResult(shared)));
      expect(texts.at(-1)).toBe(writeResult(buildResult(alone)));
    }

    expect(texts[2]).toBe(texts[0]);
    expect(texts[1]).not.toBe(texts[0]);
  });
});
