import {
  formatFixed,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
} from '../../../src/domain/index.js';
import type { ReplayOptions } from '../../../src/assembly/backtest/index.js';
import { PlainReplay } from '../plain-replay.js';
import { checkOrders, expectSame } from './order-laws.js';

/** A replay that looks at all orders after each instant, and compares what works, and what is locked, with the venue whenever the engine knows all. */
export class WatchedReplay extends PlainReplay {
  readonly #watched: ReplayOptions;
  readonly #largestStep: (id: InstrumentId) => Fixed;
  /** How often anything worked when they were compared. */
  compared = 0;

  /** `largestStep`: that is ever in force. */
  constructor(options: ReplayOptions, largestStep: (id: InstrumentId) => Fixed) {
    super(options);
    this.#watched = options;
    this.#largestStep = largestStep;
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
      largestStep: this.#largestStep,
    });
    if (!this.isTold) return;
    this.#compareOrders();
    // What a loan covers, and what a contract needs at the mark of its arrival, is the venue's own.
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
  }
}
