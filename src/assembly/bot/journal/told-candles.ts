import type { OlderCandles } from '../../../feed/index.js';
import { joinTold, type JournalReader } from '../../../journal/index.js';
import type { StreamWarming } from '../../../live/index.js';

type Series = Pick<StreamWarming, 'instrumentId' | 'interval'>;

/** Gives the candles of a series that the bot received before. */
export type ToldCandles = (series: Series) => OlderCandles;

/** Reads these candles from the bot's journal, in all epochs that join. */
export function toldCandles(reader: JournalReader): ToldCandles {
  return ({ instrumentId, interval }) => ({
    name: 'the journal',
    isOwn: true,
    read: (before, most) => {
      let older = 0;
      const told = joinTold(reader.toldCandles(instrumentId, interval), ({ openTime }) => {
        if (openTime < before) older += 1;
        return older >= most;
      });
      return Promise.resolve(told);
    },
  });
}
