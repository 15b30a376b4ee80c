import {
  splitInstrumentId,
  TransportError,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
  type TradingError,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import {
  INTERFACE_CAPABILITIES,
  type AccountSnapshot,
  type AccountSource,
  type OrderTarget,
  type VenueOrder,
  type VenueTrade,
} from '../../../src/venue/index.js';
import type { VirtualTime } from '../virtual-time.js';

/** An order's life at a venue, and when a client can see it. */
export interface StagedOrder {
  /** The order in its first state. */
  readonly order: VenueOrder;
  /** Time from which lists and queries by id show it. */
  readonly visibleAt: EpochMs;
  readonly executions?: readonly StagedExecution[];
  /** Its end. Between `at` and `visibleAt` nothing shows the order. @defaultValue it works for ever */
  readonly end?: {
    readonly at: EpochMs;
    readonly visibleAt: EpochMs;
    readonly status: 'filled' | 'canceled';
  };
}

export interface StagedExecution {
  readonly tradeId: string;
  readonly at: EpochMs;
  /** Time from which the list of trades shows it. */
  readonly visibleAt: EpochMs;
  readonly price: Fixed;
  readonly quantity: Fixed;
}

/** An account whose orders and trades appear at times set by a test, in the form of the interface. Calls can take time and fail. */
export class StagedAccount implements AccountSource {
  readonly capabilities = INTERFACE_CAPABILITIES.account;
  orders: readonly StagedOrder[] = [];
  /** Milliseconds until an answer. It shows the state at the time of the answer. */
  slowMs = 0;
  /** Lead of the clock that dates orders and trades over the test's clock, in ms. */
  skewMs = 0;
  /** Outcomes of the next calls, in order: true or an error makes the call fail. */
  failures: readonly (boolean | TradingError)[] = [];
  readonly calls: { readonly at: EpochMs; readonly what: string }[] = [];
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  account(): Promise<AccountSnapshot> {
    return this.#answer('account', () => ({ kind: 'spot', balances: [] }));
  }

  order({ venueOrderId, clientOrderId }: OrderTarget): Promise<VenueOrder | undefined> {
    return this.#answer(`order ${venueOrderId} ${clientOrderId ?? ''}`.trim(), () =>
      this.#visible()
        .filter(({ order }) => order.venueOrderId === venueOrderId)
        .map((staged) => this.#view(staged))
        .at(0),
    );
  }

  openOrders(instrumentId: InstrumentId): Promise<readonly VenueOrder[]> {
    return this.#answer('open', () =>
      this.#visible(instrumentId)
        .filter(({ end }) => end === undefined || end.at > this.#time.now())
        .map((staged) => this.#view(staged)),
    );
  }

  async *orderHistory(instrumentId: InstrumentId): AsyncGenerator<VenueOrder> {
    const { kind } = splitInstrumentId(instrumentId);
    if (kind !== 'futures') throw new Error('expected a contract: only those have a history');
    yield* await this.#answer('history', () =>
      this.#visible(instrumentId).map((staged) => this.#view(staged)),
    );
  }

  async *trades(instrumentId: InstrumentId): AsyncGenerator<VenueTrade> {
    yield* await this.#answer('trades', () =>
      this.orders
        .filter(({ order }) => order.instrumentId === instrumentId)
        .flatMap(({ order, executions = [] }) =>
          executions
            .filter(({ visibleAt }) => visibleAt <= this.#time.now())
            .map((execution) => {
              const trade = tradeOf(order, execution);
              return { ...trade, time: trade.time + this.skewMs };
            }),
        ),
    );
  }

  async *profits(): AsyncGenerator<never> {
    // No test asks for profits here.
  }

  #visible(instrumentId?: InstrumentId): readonly StagedOrder[] {
    const now = this.#time.now();
    return this.orders.filter(
      ({ order, visibleAt, end }) =>
        visibleAt <= now &&
        (end === undefined || now < end.at || end.visibleAt <= now) &&
        (instrumentId === undefined || order.instrumentId === instrumentId),
    );
  }

  #view({ order, executions = [], end }: StagedOrder): VenueOrder {
    const now = this.#time.now();
    const filledQuantity = executions
      .filter(({ at }) => at <= now)
      .reduce((sum, { quantity }) => sum + quantity, 0n);
    const working = filledQuantity > 0n ? 'partially-filled' : 'open';
    const status = end !== undefined && end.at <= now ? end.status : working;
    const { createdTime: made } = order;
    const createdTime = made === undefined ? undefined : made + this.skewMs;
    return { ...order, createdTime, filledQuantity, status };
  }

  async #answer<T>(what: string, read: () => T): Promise<T> {
    this.calls.push({ at: this.#time.now(), what });
    const [failure = false, ...later] = this.failures;
    this.failures = later;
    const { slowMs } = this;
    if (slowMs > 0) await new Promise<void>((resolve) => void this.#time.after(slowMs, resolve));
    if (failure === false) return read();
    throw failure === true ? new TransportError('E_TIMEOUT', 'expected an answer') : failure;
  }
}

/** How the venue shows a request that it took: with our id on spot and margin, without it on futures. */
export function stagedOf(
  request: OrderRequest,
  venueOrderId: string,
  overrides: Partial<VenueOrder> = {},
): VenueOrder {
  const isFutures = splitInstrumentId(request.instrumentId).kind === 'futures';
  return {
    instrumentId: request.instrumentId,
    venueOrderId: venueOrderId as VenueOrderId,
    clientOrderId: isFutures ? undefined : request.clientOrderId,
    side: request.side,
    action: isFutures ? request.action : undefined,
    type: request.type,
    timeInForce: undefined,
    status: 'open',
    limitPrice: request.type === 'limit' ? request.limitPrice : undefined,
    quantity: request.quantity,
    filledQuantity: 0n,
    averagePrice: undefined,
    filledNotional: undefined,
    createdTime: undefined,
    marginMode: undefined,
    leverage: undefined,
    ...overrides,
  };
}

function tradeOf(order: VenueOrder, { tradeId, at, price, quantity }: StagedExecution): VenueTrade {
  const { instrumentId, venueOrderId, side } = order;
  const other = '7' as VenueOrderId;
  return {
    instrumentId,
    venueTradeId: tradeId,
    venueOrderId,
    buyOrderId: side === 'buy' ? venueOrderId : other,
    sellOrderId: side === 'sell' ? venueOrderId : other,
    side,
    liquidity: 'taker',
    price,
    quantity,
    notional: undefined,
    fee: 0n,
    feeAsset: 'USDT',
    time: at,
    buyUserId: undefined,
    sellUserId: undefined,
  };
}
