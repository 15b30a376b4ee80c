import { DomainError, type InstrumentId } from '../domain/index.js';
import {
  INTERFACE_CAPABILITIES,
  requireInstrument,
  requireOrder,
  VenueRefusalError,
  type AccountSnapshot,
  type AccountSource,
  type CallOptions,
  type OrderTarget,
  type PageOptions,
  type ProfitRecord,
  type VenueOrder,
  type VenueTrade,
  type VenueTrigger,
} from '../venue/index.js';
import {
  decodeFuturesAccount,
  decodeFuturesOrder,
  decodeFuturesTrade,
  decodeHistoryOrder,
  decodeProfit,
  decodeSpotAccount,
  decodeSpotOrder,
  decodeSpotTrade,
  decodeTrigger,
  ENDPOINTS,
  FAMILY_ENDPOINTS,
  venueErrorFact,
} from '../venue/wire/index.js';
import { readPages } from './http/read-pages.js';
import type { Reply } from './http/reply.js';
import { productOf } from './product-of.js';
import type { VenueClient } from './venue-client.js';

const PRODUCTS = ['spot', 'margin', 'futures'] as const;
const DEFAULT_PAGE = 100;
const MAX_PAGE = 1_000;
/** Largest number of working orders that the venue lists. */
const MAX_OPEN_ORDERS = 1_000;

/** Account data of the live venue. */
export class RestAccount implements AccountSource {
  readonly capabilities = INTERFACE_CAPABILITIES.account;
  readonly #client: VenueClient;

  constructor(client: VenueClient) {
    this.#client = client;
  }

  async account(product: 'spot' | 'futures', options: CallOptions): Promise<AccountSnapshot> {
    if (product === 'spot') {
      return decodeSpotAccount(await this.#client.call(ENDPOINTS['spot.account'], {}, options));
    }
    const answer = await this.#client.call(ENDPOINTS['futures.account'], {}, options);
    return decodeFuturesAccount(answer);
  }

  async order(target: OrderTarget, options: CallOptions): Promise<VenueOrder | undefined> {
    const { kind, symbol } = productOf(target.instrumentId, PRODUCTS);
    const { venueOrderId: orderId, clientOrderId } = target;
    if (kind === 'futures') {
      const endpoint = ENDPOINTS['futures.queryOrder'];
      const request = { contractName: symbol, orderId, clientOrderId };
      const reply = await this.#client.ask(endpoint, request, options);
      if (isMissing(reply)) return undefined;
      return requireOrder(endpoint, target, decodeFuturesOrder(answerOf(reply)));
    }
    const endpoint =
      kind === 'spot' ? ENDPOINTS['spot.queryOrder'] : ENDPOINTS['margin.queryOrder'];
    const request = { symbol, orderId, newClientOrderId: clientOrderId };
    const reply = await this.#client.ask(endpoint, request, options);
    if (isMissing(reply)) return undefined;
    return requireOrder(endpoint, target, decodeSpotOrder(answerOf(reply), kind));
  }

  async openOrders(
    instrumentId: InstrumentId,
    options: CallOptions,
  ): Promise<readonly VenueOrder[]> {
    const { kind, symbol } = productOf(instrumentId, PRODUCTS);
    if (kind === 'futures') {
      const endpoint = ENDPOINTS['futures.openOrders'];
      const answer = await this.#client.call(endpoint, { contractName: symbol }, options);
      const orders = answer.map((order) => decodeFuturesOrder(order));
      return requireInstrument(endpoint, instrumentId, orders);
    }
    const endpoint =
      kind === 'spot' ? ENDPOINTS['spot.openOrders'] : ENDPOINTS['margin.openOrders'];
    const request = { symbol, limit: MAX_OPEN_ORDERS };
    const answer = await this.#client.call(endpoint, request, options);
    const orders = answer.map((order) => decodeSpotOrder(order, kind));
    return requireInstrument(endpoint, instrumentId, orders);
  }

  trades(instrumentId: InstrumentId, options: PageOptions): AsyncIterable<VenueTrade> {
    const { kind, symbol } = productOf(instrumentId, PRODUCTS);
    const { fromId, pageSize: limit, ...callOptions } = checkedPage(options);
    return readPages({
      idOf: (trade) => trade.venueTradeId,
      // A trade between two own orders is a row of each.
      keyOf: ({ venueTradeId, venueOrderId }) => `${venueTradeId} ${venueOrderId}`,
      fromId,
      pageSize: limit,
      readPage: async (start) => {
        if (kind === 'futures') {
          const request = { contractName: symbol, limit, fromId: start };
          const endpoint = ENDPOINTS['futures.myTrades'];
          const answer = await this.#client.call(endpoint, request, callOptions);
          const trades = answer.map((trade) => decodeFuturesTrade(trade));
          return requireInstrument(endpoint, instrumentId, trades);
        }
        // Spot needs a start; 0 is before every id.
        const request = { symbol, limit, fromId: start ?? '0' };
        const endpoint =
          kind === 'spot' ? ENDPOINTS['spot.myTrades'] : ENDPOINTS['margin.myTrades'];
        const answer = await this.#client.call(endpoint, request, callOptions);
        const trades = answer.map((trade) => decodeSpotTrade(trade, kind));
        return requireInstrument(endpoint, instrumentId, trades);
      },
    });
  }

  orderHistory(instrumentId: InstrumentId, options: PageOptions): AsyncIterable<VenueOrder> {
    const { symbol: contractName } = productOf(instrumentId, ['futures']);
    const { fromId, pageSize: limit, ...callOptions } = checkedPage(options);
    return readPages({
      idOf: (order) => order.venueOrderId,
      fromId,
      pageSize: limit,
      readPage: async (start) => {
        const request = { contractName, limit, fromId: start };
        const endpoint = ENDPOINTS['futures.orderHistorical'];
        const answer = await this.#client.call(endpoint, request, callOptions);
        const orders = answer.map(decodeHistoryOrder);
        return requireInstrument(endpoint, instrumentId, orders);
      },
    });
  }

  async triggers(
    instrumentId: InstrumentId,
    options: CallOptions,
  ): Promise<readonly VenueTrigger[]> {
    const { symbol: contractName } = productOf(instrumentId, ['futures']);
    const endpoint = FAMILY_ENDPOINTS['futures.triggers'];
    const answer = await this.#client.call(endpoint, { contractName }, options);
    return requireInstrument(endpoint, instrumentId, answer.map(decodeTrigger));
  }

  profits(instrumentId: InstrumentId, options: PageOptions): AsyncIterable<ProfitRecord> {
    const { symbol: contractName } = productOf(instrumentId, ['futures']);
    const { fromId, pageSize: limit, ...callOptions } = checkedPage(options);
    return readPages({
      idOf: (profit) => profit.id,
      fromId,
      pageSize: limit,
      readPage: async (start) => {
        const request = { contractName, limit, fromId: start };
        const endpoint = ENDPOINTS['futures.profitHistorical'];
        const answer = await this.#client.call(endpoint, request, callOptions);
        return answer.map(decodeProfit);
      },
    });
  }
}

/** Checks page options. Pages overlap by a row, so a page of one row would never advance. */
function checkedPage({ fromId, pageSize = DEFAULT_PAGE, ...options }: PageOptions): CallOptions & {
  readonly fromId: string | undefined;
  readonly pageSize: number;
} {
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE) {
    const expected = `a page size from 1 to ${String(MAX_PAGE)}`;
    throw new DomainError('E_PAGE_SIZE', `expected ${expected}, received ${String(pageSize)}`);
  }
  return { ...options, fromId, pageSize: Math.max(2, pageSize) };
}

type AnyReply<T> =
  { readonly kind: 'answer'; readonly answer: T } | Extract<Reply<never>, { kind: 'refused' }>;

function isMissing(reply: AnyReply<unknown>): boolean {
  return reply.kind === 'refused' && venueErrorFact(reply.code).kind === 'not-found';
}

function answerOf<T>(reply: AnyReply<T>): T {
  if (reply.kind === 'answer') return reply.answer;
  throw new VenueRefusalError(reply.text, reply.code, reply.transient);
}
