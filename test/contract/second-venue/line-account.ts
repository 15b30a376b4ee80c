import {
  Balance,
  parseVenueOrderId,
  type AccountSource,
  type OrderStatus,
  type VenueOrder,
  type VenueTrade,
} from 'evenkeel/run';
import { amountOf, CENT, GRAIN, LOT, missing, PAIR, refused, type LineLink } from './line-wire.js';

const STATES: Readonly<Record<string, OrderStatus>> = { W: 'open', F: 'filled', K: 'canceled' };

export function lineAccount(link: LineLink): AccountSource {
  return {
    capabilities: { futuresClientOrderIds: false },
    account: async (product) => {
      if (product !== 'spot') return refused(product);
      const balances = (await link.ask('PURSE')).map((line) => {
        const [asset = '', all = '', held = ''] = line.split(' ');
        const locked = amountOf(held, GRAIN);
        return new Balance(asset, { free: amountOf(all, GRAIN) - locked, locked });
      });
      return { kind: 'spot', balances };
    },
    order: async ({ venueOrderId }) => (await link.ask(`SHOW ${venueOrderId}`)).map(orderOf)[0],
    openOrders: async () => (await link.ask('WORKING')).map(orderOf),
    async *trades(_instrumentId, { fromId = '0' }) {
      for (const line of await link.ask(`DEALS ${fromId}`)) yield tradeOf(line);
    },
    orderHistory: () => missing('history'),
    profits: () => missing('profits'),
  };
}

function orderOf(line: string): VenueOrder {
  const [id = '', tag, side, cents = '', lots = '', state = '', at] = line.split(' ');
  const quantity = amountOf(lots, LOT);
  return {
    instrumentId: PAIR,
    venueOrderId: parseVenueOrderId(id),
    clientOrderId: tag === '-' ? undefined : tag,
    side: side === 'B' ? 'buy' : 'sell',
    action: undefined,
    type: cents === '0' ? 'market' : 'limit',
    timeInForce: 'GTC',
    status: STATES[state] ?? missing(`state ${state}`),
    limitPrice: cents === '0' ? undefined : amountOf(cents, CENT),
    quantity,
    filledQuantity: state === 'F' ? quantity : 0n,
    averagePrice: undefined,
    filledNotional: undefined,
    createdTime: Number(at),
    marginMode: undefined,
    leverage: undefined,
  };
}

function tradeOf(line: string): VenueTrade {
  const [venueTradeId = '', order = '', side, cents = '', lots = '', fee = '', liquidity, at] =
    line.split(' ');
  const venueOrderId = parseVenueOrderId(order);
  return {
    instrumentId: PAIR,
    venueTradeId,
    venueOrderId,
    buyOrderId: venueOrderId,
    sellOrderId: venueOrderId,
    side: side === 'B' ? 'buy' : 'sell',
    liquidity: liquidity === 'M' ? 'maker' : 'taker',
    price: amountOf(cents, CENT),
    quantity: amountOf(lots, LOT),
    notional: undefined,
    fee: amountOf(fee, GRAIN),
    feeAsset: side === 'B' ? 'BTC' : 'USD',
    time: Number(at),
    buyUserId: undefined,
    sellUserId: undefined,
  };
}
