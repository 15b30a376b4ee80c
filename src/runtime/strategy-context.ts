import {
  EMPTY_HOLDING,
  Position,
  type Asset,
  type Balance,
  type Candle,
  type Decimal,
  type Direction,
  type EpochMs,
  type InstrumentId,
  type Order,
  type OrderIntent,
  type ProductKind,
} from '../domain/index.js';
import type {
  AnyIndicator,
  PlainWish,
  StrategyContext,
  StreamReference,
} from '../strategy/index.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineOptions } from './engine-options.js';
import type { MarketHub } from './market-hub.js';
import { heldQuantity } from './desk/slot.js';
import type { OrderBook } from './desk/order-book.js';
import type { Portfolio } from './portfolio/portfolio.js';
import { createRandom } from './random.js';
import type { SlicePass } from './slice-pass.js';
import type { StrategyFeedback } from './strategy-feedback.js';
import { StrategyMarket } from './strategy-market.js';

/** Parts of an engine that a strategy may look at. */
export interface StrategySurroundings {
  readonly options: EngineOptions;
  readonly clock: EngineClock;
  readonly hub: MarketHub;
  readonly book: OrderBook;
  readonly portfolio: Portfolio;
  readonly feedback: StrategyFeedback;
  readonly raise: StrategyContext['raise'];
  readonly slices: SlicePass;
}

/** What a strategy is given: a live, read-only view of the engine. */
export class EngineContext implements StrategyContext {
  readonly parameters: StrategyContext['parameters'];
  readonly instruments: StrategyContext['instruments'];
  readonly market: StrategyContext['market'];
  readonly log: StrategyContext['log'];
  readonly verdicts$: StrategyContext['verdicts$'];
  readonly orders$: StrategyContext['orders$'];
  readonly fills$: StrategyContext['fills$'];
  readonly halts$: StrategyContext['halts$'];
  readonly funding$: StrategyContext['funding$'];
  readonly accountEvents$: StrategyContext['accountEvents$'];
  readonly random: StrategyContext['random'];
  readonly #engine: StrategySurroundings;
  readonly #raise: StrategyContext['raise'];
  readonly #slices: SlicePass;

  constructor(engine: StrategySurroundings) {
    const { options, hub, feedback } = engine;
    const { verdicts$, orders$, fills$, halts$, funding$, accountEvents$ } = feedback.streams;
    this.parameters = options.parameters;
    this.instruments = options.instruments.map(({ instrument, intervals }) => ({
      instrumentId: instrument.id,
      intervals,
    }));
    this.market = new StrategyMarket(hub);
    this.log = options.log;
    this.verdicts$ = verdicts$;
    this.orders$ = orders$;
    this.fills$ = fills$;
    this.halts$ = halts$;
    this.funding$ = funding$;
    this.accountEvents$ = accountEvents$;
    this.random = createRandom(options.seed);
    this.#engine = engine;
    this.#raise = engine.raise;
    this.#slices = engine.slices;
  }

  now(): EpochMs {
    return this.#engine.clock.now();
  }

  raise(intent: OrderIntent): number {
    return this.#raise(intent);
  }

  repeat(wish: PlainWish): number | undefined {
    return this.#slices.repeat(wish);
  }

  position(name?: string, direction?: Direction): Position {
    const { book, portfolio } = this.#engine;
    const instrumentId = this.#resolve(name);
    const side = direction ?? this.#heldSide(instrumentId);
    const { ledger, account } = book.account.slot(instrumentId, side);
    const { instrument } = account;
    return new Position(
      instrumentId,
      side,
      this.#isHeld(instrumentId, side) ? ledger.holding : EMPTY_HOLDING,
      instrument.kind === 'futures'
        ? { contract: instrument, unrealized: portfolio.unrealized(instrumentId, side) }
        : {},
    );
  }

  balance(asset: Asset, account?: ProductKind): Balance {
    return this.#engine.portfolio.balance(asset, account);
  }

  equity(): Decimal {
    return this.#engine.portfolio.equityDecimal();
  }

  last(name?: string): number | undefined {
    const { lastNumber } = this.#engine.portfolio.instrument(this.#resolve(name));
    return Number.isNaN(lastNumber) ? undefined : lastNumber;
  }

  markPrice(name?: string): number | undefined {
    const { markNumber } = this.#engine.portfolio.instrument(this.#resolve(name));
    return Number.isNaN(markNumber) ? undefined : markNumber;
  }

  fundingRate(name?: string): number | undefined {
    const { hub, options, clock } = this.#engine;
    const instrumentId = this.#resolve(name);
    if (options.fundingRateAt === undefined) return hub.fundingRate(instrumentId);
    // What is read of a venue is read once trading begins.
    return hub.isWarm ? options.fundingRateAt(instrumentId, clock.now()) : undefined;
  }

  workingOrders(name?: string): readonly Order[] {
    const id = name === undefined ? undefined : this.#resolve(name);
    return this.#engine.book.list(id).map((order) => order.snapshot());
  }

  attachIndicator(indicator: AnyIndicator, stream: StreamReference): void {
    this.#engine.hub.attach(indicator, stream);
  }

  listen(onCandle: (candle: Candle) => void): () => void {
    return this.#engine.hub.listen(onCandle);
  }

  #resolve(name: string | undefined): InstrumentId {
    return this.#engine.hub.resolveInstrument(name);
  }

  #heldSide(instrumentId: InstrumentId): Direction {
    const isShort = this.#isHeld(instrumentId, 'short') && !this.#isHeld(instrumentId, 'long');
    return isShort ? 'short' : 'long';
  }

  #isHeld(instrumentId: InstrumentId, side: Direction): boolean {
    const { book, options, clock } = this.#engine;
    const rules = options.rules.at(instrumentId, clock.now());
    return heldQuantity(book.account.slot(instrumentId, side), rules) > 0n;
  }
}
