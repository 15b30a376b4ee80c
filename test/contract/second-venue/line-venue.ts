import { fixed, type InstrumentId, type MarketDataSource, type Venue } from 'evenkeel/run';
import { lineAccount } from './line-account.js';
import { lineExecution } from './line-execution.js';
import { amountOf, CENT, LOT, missing, PAIR, refused, type LineLink } from './line-wire.js';

/** The ports of a venue that speaks lines. */
export function lineVenue(link: LineLink): Venue {
  return {
    marketData: lineMarketData(link),
    execution: lineExecution(link),
    account: lineAccount(link),
  };
}

function lineMarketData(link: LineLink): MarketDataSource {
  const best = async (): Promise<readonly [bigint, bigint]> => {
    const [bid = '', ask = ''] = ((await link.ask('BEST'))[0] ?? '').split(' ');
    return [amountOf(bid, CENT), amountOf(ask, CENT)];
  };
  const now = async (): Promise<number> => Number((await link.ask('NOW'))[0]);
  return {
    capabilities: { klinesHaveStartTime: false },
    ping: async () => {
      await link.ask('NOW');
    },
    serverTime: now,
    listings: () =>
      Promise.resolve({
        listings: [
          {
            kind: 'spot',
            instrumentId: PAIR,
            symbol: 'BTCUSD',
            base: 'BTC',
            quote: 'USD',
            rules: { tradable: true, pricePrecision: 2, quantityPrecision: 5 },
          },
        ],
        skipped: [],
      }),
    depth: async (instrumentId: InstrumentId) => {
      const [bid, ask] = await best();
      return {
        instrumentId,
        time: undefined,
        bids: [{ price: bid, quantity: LOT }],
        asks: [{ price: ask, quantity: LOT }],
      };
    },
    candles: async (instrumentId, interval, { limit = 100 }) => {
      if (interval !== '1min') return missing(`candles of ${interval}`);
      const rows = await link.ask(`BARS ${String(limit)}`);
      return rows.map((row, index) => {
        const [openTime = 0, open = 0, high = 0, low = 0, close = 0, lots = 0] = row
          .split(' ')
          .map(Number);
        const [o, h, l, c] = [open, high, low, close].map((cents) => cents / 100);
        return {
          ...{ instrumentId, interval, openTime, closeTime: openTime + 60_000 },
          ...{ open: o ?? 0, high: h ?? 0, low: l ?? 0, close: c ?? 0, volume: lots / 100_000 },
          closed: index < rows.length - 1,
        };
      });
    },
    ticker: async (instrumentId) => {
      const [bid, ask] = await best();
      const unknown = { open: undefined, change: undefined };
      const day = { high: ask, low: bid, volume: fixed('1000') };
      return {
        ...{ ...unknown, ...day, instrumentId, last: bid, bestBid: bid, bestAsk: ask },
        time: await now(),
      };
    },
    trades: () => Promise.resolve([]),
    markPrice: () => refused('contracts'),
  };
}
