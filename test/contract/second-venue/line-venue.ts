import {
  Balance,
  DomainError,
  parseVenueOrderId,
  type AccountSource,
  type ExecutionAdapter,
  type Fixed,
  type InstrumentId,
  type MarketDataSource,
  type OrderRequest,
  type OrderStatus,
  type RiskApproved,
  type SubmitOutcome,
  type VenueOrder,
  type VenueTrade,
} from '../../../src/run/index.js';
import type { LineServer } from './line-server.js';

/** What the wire counts in, as amounts of 1e-18. */
const CENT: Fixed = 10n ** 16n;
const LOT: Fixed = 10n ** 13n;
const GRAIN: Fixed = 10n ** 8n;
const STATES: Readonly<Record<string, OrderStatus>> = { W: 'open', F: 'filled', K: 'canceled' };

export const PAIR = 'spot:BTCUSD' as InstrumentId;

/** What this venue does not have. */
const missing = (what: string): never => {
  throw new DomainError('E_INSTRUMENT', `the line venue has no ${what}`);
};
const refused = (what: string): Promise<never> =>
  Promise.reject(new DomainError('E_INSTRUMENT', `the line venue has no ${what}`));

/** How many of a unit an amount is; with a fraction, which the venue refuses, where it is not on the grid. */
function countOf(amount: Fixed, unit: Fixed): string {
  return amount % unit === 0n ? String(amount / unit) : `${String(amount / unit)}.5`;
}

export function lineExecution(server: LineServer): ExecutionAdapter {
  const submit = (order: RiskApproved<OrderRequest>): SubmitOutcome => {
    if (order.type !== 'limit' || order.instrumentId !== PAIR) return missing('such order');
    const side = order.side === 'buy' ? 'B' : 'S';
    const words = [side, countOf(order.limitPrice, CENT), countOf(order.quantity, LOT)];
    const [verdict, id = '', ...text] = (server.ask(`PLACE ${words.join(' ')}`)[0] ?? '').split(
      ' ',
    );
    if (verdict !== 'OK') return { kind: 'rejected', reason: { code: id, text: text.join(' ') } };
    const venueOrderId = parseVenueOrderId(id);
    return { kind: 'accepted', venueOrderId, status: undefined, filledQuantity: undefined };
  };
  return {
    capabilities: {
      timeInForceOnSpot: false,
      maxBatchSize: 0,
      conditionalOrders: false,
      conditionalOrderCancel: false,
      leverageSetting: false,
      testOrders: false,
    },
    submit: async (order, { signal }) => {
      signal.throwIfAborted();
      return Promise.resolve(submit(order));
    },
    cancel: ({ venueOrderId }) => {
      const [verdict, code = '', ...text] = (server.ask(`KILL ${venueOrderId}`)[0] ?? '').split(
        ' ',
      );
      return Promise.resolve(
        verdict === 'OK'
          ? { kind: 'requested', status: 'canceling' }
          : { kind: 'refused', reason: { code, text: text.join(' ') } },
      );
    },
    submitBatch: () => refused('batches'),
    cancelBatch: () => refused('batches'),
    submitConditional: () => refused('conditions'),
    test: () => refused('test orders'),
  };
}

export function lineAccount(server: LineServer): AccountSource {
  return {
    capabilities: {
      marginBalances: false,
      lookupByClientOrderId: false,
      futuresClientOrderIds: false,
      spotOrderHistory: false,
      conditionalOrderList: false,
    },
    account: (product) => {
      if (product !== 'spot') return refused(product);
      const balances = server.ask('PURSE').map((line) => {
        const [asset = '', all = '', held = ''] = line.split(' ');
        const locked = BigInt(held) * GRAIN;
        return new Balance(asset, { free: BigInt(all) * GRAIN - locked, locked });
      });
      return Promise.resolve({ kind: 'spot', balances });
    },
    order: ({ venueOrderId }) =>
      Promise.resolve(server.ask(`SHOW ${venueOrderId}`).map(orderOf)[0]),
    openOrders: () => Promise.resolve(server.ask('WORKING').map(orderOf)),
    async *trades() {
      yield* await Promise.resolve(server.ask('DEALS').map(tradeOf));
    },
    orderHistory: () => missing('history'),
    profits: () => missing('profits'),
  };
}

export function lineMarketData(): MarketDataSource {
  return {
    capabilities: { klinesHaveStartTime: false, futuresTrades: false },
    ping: () => Promise.resolve(),
    serverTime: () => Promise.resolve(0),
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
    depth: (instrumentId) =>
      Promise.resolve({
        instrumentId,
        time: undefined,
        bids: [{ price: 65_000n * 100n * CENT, quantity: LOT }],
        asks: [{ price: 65_001n * 100n * CENT, quantity: LOT }],
      }),
    candles: () => Promise.resolve([]),
    trades: () => Promise.resolve([]),
    ticker: () => refused('ticker'),
    markPrice: () => refused('contracts'),
  };
}

function orderOf(line: string): VenueOrder {
  const [id = '', side, cents = '', lots = '', state = ''] = line.split(' ');
  const quantity = BigInt(lots) * LOT;
  return {
    instrumentId: PAIR,
    venueOrderId: parseVenueOrderId(id),
    clientOrderId: undefined,
    side: side === 'B' ? 'buy' : 'sell',
    action: undefined,
    type: 'limit',
    timeInForce: 'GTC',
    status: STATES[state] ?? missing(`state ${state}`),
    limitPrice: BigInt(cents) * CENT,
    quantity,
    filledQuantity: state === 'F' ? quantity : 0n,
    averagePrice: undefined,
    filledNotional: undefined,
    createdTime: undefined,
    marginMode: undefined,
    leverage: undefined,
  };
}

function tradeOf(line: string): VenueTrade {
  const [venueTradeId = '', order = '', side, cents = '', lots = '', fee = ''] = line.split(' ');
  const venueOrderId = parseVenueOrderId(order);
  return {
    instrumentId: PAIR,
    venueTradeId,
    venueOrderId,
    buyOrderId: venueOrderId,
    sellOrderId: venueOrderId,
    side: side === 'B' ? 'buy' : 'sell',
    liquidity: 'taker',
    price: BigInt(cents) * CENT,
    quantity: BigInt(lots) * LOT,
    notional: undefined,
    fee: BigInt(fee) * GRAIN,
    feeAsset: side === 'B' ? 'BTC' : 'USD',
    time: 0,
    buyUserId: undefined,
    sellUserId: undefined,
  };
}
