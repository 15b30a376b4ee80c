import { describe, expect, it } from 'vitest';

import { replayBacktest } from '../../../src/assembly/index.js';
import { MINUTE_MS, SECOND_MS, type Candle, type Interval } from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { columnsOf, type CandleRow } from '../../support/candle-columns.js';
import { aContractConfig, CONTRACT, CONTRACT_START as START } from '../../support/contract-run.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { BTC, replaySeries } from '../../support/replay.js';

const flat = (minute: number): Required<CandleRow> => {
  const time = START + minute * MINUTE_MS;
  return { time, open: 100, high: 100, low: 100, close: 100, volume: 1_000_000 };
};
/** The path goes to the low first. In a candle of one minute, last is a tick below 95 after 10.02 s, and an order at 95 fills. */
const falling = (minute: number): CandleRow => ({ ...flat(minute), high: 120, low: 90 });
const seriesOf = (instrumentId: typeof BTC, interval: Interval, rows: readonly CandleRow[]) => ({
  instrumentId,
  interval,
  columns: columnsOf(rows),
});

const fillsOf = ({ fills }: RunRecord): readonly string[] =>
  [...fills].map(({ cause, record }) => `${cause ?? 'order'} ${String(record.eventTime - START)}`);

describe('a candle that opens before the end of a run and closes after it', () => {
  class Waits extends CandleStrategy({}) {
    override onCandle(): void {
      this.enterLong({ quantity: '1' }, { limitPrice: '95' });
    }
  }
  const candles = seriesOf(BTC, '1min', [...[0, 1, 2].map(flat), falling(3), flat(4)]);

  it.each([
    { end: 'before it closes', endMs: 210 * SECOND_MS, fills: [] },
    { end: 'as it closes', endMs: 240 * SECOND_MS, fills: ['order 190020'] },
  ])('fills $fills if the run ends $end', async ({ endMs, fills }) => {
    const record = await replaySeries(Waits, [candles], { to: START + endMs });

    expect(fillsOf(record)).toEqual(fills);
  });

  class Holds extends CandleStrategy({}) {
    override onCandle({ openTime }: Candle): void {
      if (openTime === START) this.enterLong({ quantity: '1' });
    }
  }
  const archive = createMemoryArchive(
    [seriesOf(CONTRACT, '1min', [...Array(12).keys()].map(flat))],
    {
      volumeUnit: 'contracts',
      marks: [seriesOf(CONTRACT, '5min', [flat(0), falling(5), flat(10)])],
    },
  );

  // Marks have their extremes where last has them: here in the first minute of the mark candle. With leverage 20 the liquidation is at
  // 95 ÷ (1 − 0.005 − 0.0008), 8.892 s after the open.
  it.each([
    { end: 'before it closes', endMs: 7 * MINUTE_MS, forced: [] },
    {
      end: 'as it closes',
      endMs: 10 * MINUTE_MS,
      forced: ['liquidation 308892'],
    },
  ])(
    'marks positions, with forced fills $forced, if the run ends $end',
    async ({ endMs, forced }) => {
      const record = await replayBacktest({
        config: aContractConfig({ interval: '1min', simulation: { to: START + endMs } }),
        archive,
        strategyClass: Holds,
        sourceHash: 'ends',
      });

      expect(fillsOf(record)).toEqual(['order 60080', ...forced]);
    },
  );
});
