import {
  DomainError,
  splitInstrumentId,
  type InstrumentId,
  type OrderRequest,
  type ProductKind,
} from '../../../src/domain/index.js';
import type { LocalExchange } from '../../../src/local-exchange/index.js';
import type { ExchangeAccount } from '../../../src/local-exchange/exchange-account.js';
import { isRefusal, type ExchangeRefusal } from '../../../src/local-exchange/refusal.js';
import {
  INTERFACE_CAPABILITIES,
  VenueRefusalError,
  type AccountSource,
  type CancelOutcome,
  type ExecutionAdapter,
  type MarketDataSource,
  type SubmitOutcome,
  type SubmitRejected,
  type VenueOrderRequest,
} from '../../../src/venue/index.js';
import { buildTestExchange } from './test-exchange.js';

const ACCOUNT_CALLS = ['spot', 'margin', 'futures'] as const;

function only(id: InstrumentId, kinds: readonly ProductKind[]): InstrumentId {
  const { kind } = splitInstrumentId(id);
  if (!kinds.includes(kind)) throw new DomainError('E_INSTRUMENT', `not for ${kind}`);
  return id;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new VenueRefusalError('not listed', '-1121', false);
  return value;
}

function rejected({ code, message }: ExchangeRefusal): SubmitRejected {
  return { kind: 'rejected', reason: { code, text: message } };
}

/** The order as a server reads it, without fields that only the client has. Spot requests do not have the action (open or close). */
function asSent(order: OrderRequest): VenueOrderRequest {
  const { kind } = splitInstrumentId(order.instrumentId);
  return { ...order, action: kind === 'futures' ? order.action : undefined };
}

/** The ports over the simulated accounts and market, without HTTP. Market time stands still. */
export function createDirectVenue(exchange: LocalExchange = buildTestExchange()): {
  readonly marketData: MarketDataSource;
  readonly account: AccountSource;
  readonly execution: ExecutionAdapter;
  now(): number;
} {
  const { market, marketTime, accounts } = exchange.parts;
  const now = (): number => marketTime.now();
  const own: ExchangeAccount = found(accounts.byUser('10001')).account;

  async function* rowsOf<T>(
    rows: readonly T[],
    idOf: (row: T) => string,
    options: { readonly signal: AbortSignal; readonly fromId?: string },
  ): AsyncGenerator<T, void, undefined> {
    options.signal.throwIfAborted();
    const from = BigInt(options.fromId ?? '0');
    for (const row of rows) if (BigInt(idOf(row)) >= from) yield row;
  }

  const submit = (order: OrderRequest): SubmitOutcome => {
    const placed = own.place(asSent(order), now(), {});
    if (isRefusal(placed)) return rejected(placed);
    const { venueOrderId, status, filledQuantity } = placed;
    return { kind: 'accepted', venueOrderId, status, filledQuantity };
  };
  const cancel = (instrumentId: InstrumentId, orderId: string): CancelOutcome => {
    const canceled = own.cancel({ instrumentId, orderId, clientOrderId: undefined }, now(), {});
    return isRefusal(canceled)
      ? { kind: 'refused', reason: rejected(canceled).reason }
      : { kind: 'requested', status: canceled.status };
  };
  const batchOf = (count: number, ids: readonly InstrumentId[]): void => {
    if (count < 1 || count > 10 || new Set(ids).size > 1) throw new DomainError('E_BATCH', 'batch');
  };

  return {
    now,
    marketData: {
      capabilities: INTERFACE_CAPABILITIES.marketData,
      ping: async (_product, { signal }) => {
        signal.throwIfAborted();
      },
      serverTime: async () => now(),
      listings: async (product) => ({
        listings:
          product === 'futures' ? market.futuresListings(now()) : market.spotListings(now()),
        skipped: [],
      }),
      candles: async (id, interval, { limit = 100 }) => {
        const query = { limit, startTime: undefined, endTime: undefined };
        const rows = found(market.candles(id, interval, now(), query));
        return rows.map((row) => ({ ...row, instrumentId: id, closed: row.closeTime <= now() }));
      },
      ticker: async (id, { signal }) => {
        signal.throwIfAborted();
        return { ...found(market.ticker(id, now())), instrumentId: id };
      },
      depth: async (id, { limit = 100 }) =>
        found(market.depth(id, now(), { levels: limit, volumeLeft: own.volumeLeft(id, now()) })),
      trades: async (id, { limit = 100 }) =>
        found(market.trades(only(id, ['spot', 'margin']), now(), limit)),
      markPrice: async (id) => found(market.mark(only(id, ['futures']), now())),
    },
    account: {
      capabilities: INTERFACE_CAPABILITIES.account,
      account: async (product, { signal }) => {
        signal.throwIfAborted();
        return product === 'spot' ? own.spot(now()) : own.futures(now());
      },
      order: async ({ instrumentId, venueOrderId: orderId }) =>
        own.order({ instrumentId, orderId, clientOrderId: undefined }, now()),
      openOrders: async (id) => own.openOrders(only(id, ACCOUNT_CALLS), now()),
      trades: (id, options) =>
        rowsOf(own.trades(id, now()), ({ venueTradeId }) => venueTradeId, options),
      orderHistory: (id, options) =>
        rowsOf(own.orders(only(id, ['futures']), now()), (row) => row.venueOrderId, options),
      profits: (id, options) =>
        rowsOf(own.profits(only(id, ['futures']), now()), (row) => row.id, options),
    },
    execution: {
      capabilities: INTERFACE_CAPABILITIES.execution,
      submit: async (order, { signal }) => {
        signal.throwIfAborted();
        return submit(order);
      },
      submitBatch: async (orders) => {
        orders.forEach(({ instrumentId }) => only(instrumentId, ['spot']));
        batchOf(
          orders.length,
          orders.map(({ instrumentId }) => instrumentId),
        );
        return orders.map(submit);
      },
      submitConditional: async ({ order, ...condition }) => {
        only(order.instrumentId, ['futures']);
        const triggerId = own.placeCondition({ ...condition, order: asSent(order) }, now());
        return isRefusal(triggerId) ? rejected(triggerId) : { kind: 'accepted', triggerId };
      },
      test: async (order) => {
        only(order.instrumentId, ['spot']);
        const refusal = own.test(asSent(order), now());
        return refusal && rejected(refusal);
      },
      cancel: async ({ instrumentId, venueOrderId }) => cancel(instrumentId, venueOrderId),
      cancelBatch: async (instrumentId, ids) => {
        only(instrumentId, ['spot']);
        batchOf(ids.length, [instrumentId]);
        return ids.map((id) => cancel(instrumentId, id));
      },
    },
  };
}
