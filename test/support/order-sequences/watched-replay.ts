import {
  formatFixed,
  orderMargin,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
  type PositionMode,
} from '../../../src/domain/index.js';
import type { Engine } from '../../../src/engine/index.js';
import type { ReplayOptions } from '../../../src/assembly/backtest/index.js';
import { PlainReplay } from '../replays/plain-replay.js';
import { checkOrders, expectSame } from './order-laws.js';

/** Terms of the watched run. */
export interface WatchedTerms {
  /** The largest step of an instrument that is ever in force. */
  readonly largestStep: (id: InstrumentId) => Fixed;
  /** The higher of the maker and taker rates. Undefined if fees change, because engine and venue may then reserve with different rates. */
  readonly dearestFee: Fixed | undefined;
  readonly positionMode: PositionMode;
}

/** Largest difference by rounding between engine and venue. */
const ROUNDING = 4n;

type Working = Engine['workingOrders'][number];
type Waiting = NonNullable<ReturnType<ReplayOptions['venue']['state']>>['orders'][number];

/** A replay that checks all orders after each instant. Whenever the engine knows everything, it compares working orders and locked amounts with the venue. */
export class WatchedReplay extends PlainReplay {
  readonly #watched: ReplayOptions;
  readonly #terms: WatchedTerms;
  /** Number of comparisons with at least one working order. */
  compared = 0;
  /** Number of orders whose reserved amounts were compared. */
  locks = 0;

  constructor(options: ReplayOptions, terms: WatchedTerms) {
    super(options);
    this.#watched = options;
    this.#terms = terms;
  }

  override advance(most: number): number {
    for (let instants = 0; instants < most; instants += 1) {
      if (super.advance(1) === 0) return instants;
      this.#check();
    }
    return most;
  }

  #check(): void {
    const { engine, venue } = this.#watched;
    const instruments = [...engine.portfolio.instruments()].map(({ instrument }) => instrument);
    // Hedge mode allows both sides at once. Another test checks the rule of one-way mode.
    checkOrders(engine, instruments, {
      positionMode: 'hedge',
      largestStep: this.#terms.largestStep,
    });
    if (!this.isTold) return;
    this.#compareOrders();
    // On margin only the venue knows the part that a loan covers. There and on contracts the amounts are compared order by order.
    const pairs = instruments.filter(({ kind }) => kind === 'spot');
    for (const asset of new Set(pairs.flatMap(({ base, quote }) => [base, quote])))
      expectSame(
        `locked ${asset}`,
        venue.accounts.spot.locked(asset),
        engine.portfolio.balance(asset, 'spot').exact.locked,
      );
  }

  /** The engine's working orders are the venue's, with the same remaining quantities. */
  #compareOrders(): void {
    const { engine, venue } = this.#watched;
    const state = venue.state();
    if (state === undefined) return;
    const line = (request: OrderRequest, remaining: Fixed): string =>
      `${request.clientOrderId} ${formatFixed(remaining)}`;
    const waiting = state.orders.map(({ request, remaining }) => line(request, remaining));
    const working = engine.workingOrders.map(({ request, remaining }) => line(request, remaining));
    expectSame('works', waiting.toSorted().join(), working.toSorted().join());
    if (working.length > 0) this.compared += 1;
    const held = new Map(state.orders.map((order) => [order.request.clientOrderId, order]));
    for (const order of engine.workingOrders) {
      const waits = held.get(order.request.clientOrderId);
      if (waits !== undefined) this.#compareLocks(order, waits);
    }
  }

  /**
   * Engine and venue reserve the same amount for an order. For an opening order of a contract both reserve at least margin and fee. The loss
   * against the mark is not compared, because each side knows the mark at another time.
   */
  #compareLocks(order: Working, { held, request }: Waiting): void {
    const { instrument } = this.#watched.engine.portfolio.instrument(request.instrumentId);
    const id = request.clientOrderId;
    const { dearestFee, positionMode } = this.#terms;
    if (request.action === 'close' && instrument.kind === 'futures') {
      expectSame(`${id} is held back for`, order.remaining, held);
      expectSame(`${id} holds back`, 0n, order.reserved);
      return;
    }
    if (dearestFee === undefined) return;
    this.locks += 1;
    if (instrument.kind !== 'futures') {
      expectSame(`${id} locks`, held, order.reserved);
      return;
    }
    const { limitPrice: price, side } = request;
    const { total: least } = orderMargin(instrument, {
      direction: side === 'buy' ? 'long' : 'short',
      ...{ contracts: order.remaining, price, mark: price },
      ...{ leverage: instrument.leverage, feeRate: dearestFee },
    });
    expectSame(`${id} holds back its margin and fee`, true, order.reserved >= least - ROUNDING);
    // In one-way mode the venue reserves only for the quantity beyond the position of the other side.
    if (positionMode === 'hedge')
      expectSame(`${id} locks its margin and fee`, true, held >= least - ROUNDING);
  }
}
