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
import { PlainReplay } from '../plain-replay.js';
import { checkOrders, expectSame } from './order-laws.js';

/** What the replay is of. */
export interface WatchedTerms {
  /** The largest step of an instrument that is ever in force. */
  readonly largestStep: (id: InstrumentId) => Fixed;
  /** Of maker and taker; undefined where fees change, so that both sides may have held back by other ones. */
  readonly dearestFee: Fixed | undefined;
  readonly positionMode: PositionMode;
}

/** What both sides may round differently. */
const ROUNDING = 4n;

type Working = Engine['workingOrders'][number];
type Waiting = NonNullable<ReturnType<ReplayOptions['venue']['state']>>['orders'][number];

/** A replay that looks at all orders after each instant, and compares what works, and what is locked, with the venue whenever the engine knows all. */
export class WatchedReplay extends PlainReplay {
  readonly #watched: ReplayOptions;
  readonly #terms: WatchedTerms;
  /** How often anything worked when they were compared. */
  compared = 0;
  /** How many times an order held something back on both sides. */
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
    // Of contracts both sides are held at once in one of the two modes: which is looked at elsewhere.
    checkOrders(engine, instruments, {
      positionMode: 'hedge',
      largestStep: this.#terms.largestStep,
    });
    if (!this.isTold) return;
    this.#compareOrders();
    // What a loan covers is the venue's own: there, and of contracts, each order is looked at.
    const pairs = instruments.filter(({ kind }) => kind === 'spot');
    for (const asset of new Set(pairs.flatMap(({ base, quote }) => [base, quote])))
      expectSame(
        `locked ${asset}`,
        venue.locked(asset),
        engine.portfolio.balance(asset, 'spot').exact.locked,
      );
  }

  /** What works by the engine's books waits at the venue, with as much left. */
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

  /** What the engine holds back for an order is what the venue does: exactly, but for what a contract's price loses at the mark, which each side knows at its own time. */
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
    // In one-way mode the venue holds back for what opens, beyond what is held the other way.
    if (positionMode === 'hedge')
      expectSame(`${id} locks its margin and fee`, true, held >= least - ROUNDING);
  }
}
