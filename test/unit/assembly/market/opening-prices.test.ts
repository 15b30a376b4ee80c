import { describe, expect, it } from 'vitest';

import {
  listOpeningPrices,
  readOpeningPrices,
} from '../../../../src/assembly/market/opening-prices.js';
import { SeriesCursor } from '../../../../src/assembly/replay/series-cursor.js';
import { CandleRows, MINUTE_MS, parseFixed } from '../../../../src/domain/index.js';
import { Portfolio } from '../../../../src/engine/index.js';
import type { WarmStream } from '../../../../src/live/index.js';
import { columnsFrom } from '../../../support/candle-columns.js';
import { candleAt, FakeMarket } from '../../../support/feed/fake-market.js';
import { aContract, INVERSE } from '../../../support/futures-contracts.js';
import { VirtualTime } from '../../../support/virtual-time.js';

const START = 600 * MINUTE_MS;

/** The portfolio of an account that holds 1 of the margin asset: the coin of an inverse contract, or USDT of a linear one. */
function anAccount(contract: 'linear' | 'inverse' = 'inverse'): Portfolio {
  const { instrument } = aContract({ contract });
  const currency = contract === 'inverse' ? 'USD' : 'USDT';
  return new Portfolio({
    instruments: [{ instrument, pricePrecision: 2 }],
    balances: { futures: new Map([[instrument.marginAsset, parseFixed('1')]]) },
    equityCurrency: currency,
  });
}

const cursorOf = (interval: '1min' | '5min', minutes: number): SeriesCursor =>
  new SeriesCursor({
    instrumentId: INVERSE,
    interval,
    rows: CandleRows.of(columnsFrom(START, 20, minutes * MINUTE_MS)),
  });

/** The open of candle `row`, counted from the first one. */
const openOf = (row: number): number | undefined => columnsFrom(START, 20, MINUTE_MS).open[row];

describe('opening prices of a margin coin', () => {
  it.each([
    ['at the open of a candle', 3 * MINUTE_MS, 3],
    ['within a candle', 3.5 * MINUTE_MS, 3],
    ['before the first candle', -1, 0],
  ])('are the open of the finest candle that is open or opens next: %s', (_, after, row) => {
    const cursors = [cursorOf('5min', 5), cursorOf('1min', 1)];

    expect(listOpeningPrices(cursors, anAccount(), START + after)).toEqual([
      { instrumentId: INVERSE, price: openOf(row) },
    ]);
  });

  it('are the last close if all candles have ended before', () => {
    const cursors = [cursorOf('5min', 5), cursorOf('1min', 1)];
    const { close } = columnsFrom(START, 20, MINUTE_MS);

    expect(listOpeningPrices(cursors, anAccount(), START + 200 * MINUTE_MS)).toEqual([
      { instrumentId: INVERSE, price: close[19] },
    ]);
  });

  it('are empty if the margin is not a coin, or a candle has given the price', () => {
    const account = anAccount();
    account.instrument(INVERSE).lastNumber = 100;

    expect(listOpeningPrices([cursorOf('1min', 1)], account, START)).toEqual([]);
    expect(listOpeningPrices([cursorOf('1min', 1)], anAccount('linear'), START)).toEqual([]);
  });

  it('are read from the venue by a bot without a candle of the instrument', async () => {
    const time = new VirtualTime(START + 30_000);
    const options = { source: new FakeMarket(time), signal: new AbortController().signal };
    const of = { instrumentId: INVERSE, interval: '1min' } as const;
    const read = (history: WarmStream['history']) =>
      readOpeningPrices([{ ...of, history }], anAccount(), options);

    expect(await read([])).toEqual([{ instrumentId: INVERSE, price: candleAt(START, of).open }]);
    expect(await read([candleAt(START, of)])).toEqual([]);
  });
});
