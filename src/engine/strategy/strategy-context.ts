import type { Observable } from 'rxjs';
import {
  decimalFromFixed,
  EMPTY_HOLDING,
  Position,
  present,
  type Asset,
  type Balance,
  type Candle,
  type Decimal,
  type Direction,
  type EpochMs,
  type InstrumentId,
  type Order,
  type Size,
  type ProductKind,
} from '../../domain/index.js';
import type {
  AnyIndicator,
  InstrumentInfo,
  EntryTerms,
  ExitTerms,
  PlainIntent,
  StrategyContext,
  StreamReference,
} from '../../strategy/index.js';
import type { EngineOptions } from '../engine-options.js';
import type { IntentQueue } from '../intents/intent-queue.js';
import type { OrderStatuses } from '../intents/order-statuses.js';
import type { UnchangingIntent } from '../intents/unchanging-intent.js';
import { KnownInstrument } from '../market/known-instrument.js';
import type { MarketHub } from '../market/market-hub.js';
import type { VenueMargins } from '../market/venue-margins.js';
import { takeOrder } from '../orders/state/orders-checkpoint.js';
import type { OwnOrders } from '../orders/own-orders.js';
import { heldQuantity } from '../orders/position-side.js';
import type { Portfolio } from '../portfolio/portfolio.js';
import { createRandom } from '../random.js';
import type { RunState } from '../state/run-state.js';
import type { EngineClock } from '../time/engine-clock.js';
import type { Schedules } from '../time/schedules.js';
import type { StrategyFeedback } from './strategy-feedback.js';
import type { StrategyInputs } from './strategy-inputs.js';
import { StrategyMarket } from './strategy-market.js';

/** Parts of an engine that the context of a strategy reads. */
interface StrategySurroundings {
  readonly options: EngineOptions;
  readonly run: RunState;
  readonly clock: EngineClock;
  readonly hub: MarketHub;
  readonly ownOrders: OwnOrders;
  readonly portfolio: Portfolio;
  readonly margins: VenueMargins;
  readonly feedback: StrategyFeedback;
  readonly raise: StrategyContext['raise'];
  readonly unchanging: UnchangingIntent;
  readonly intents: IntentQueue;
  readonly schedules: Schedules;
}

/** The context of a strategy: a live, read-only view of the engine. */
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
  readonly state: StrategyContext['state'];
  readonly #engine: StrategySurroundings;
  readonly raise: StrategyContext['raise'];
  readonly #unchanging: UnchangingIntent;
  readonly #intents: IntentQueue;
  readonly #inputs: StrategyInputs | undefined;
  readonly #known = new Map<InstrumentId, InstrumentInfo>();

  constructor(engine: StrategySurroundings) {
    const { options, hub, feedback } = engine;
    const { verdicts$, orders$, fills$, halts$, funding$, accountEvents$ } = feedback.streams;
    this.parameters = options.parameters;
    // Frozen like the parameters: the engine reads the same intervals, and a strategy in JavaScript may not change them.
    this.instruments = Object.freeze(
      options.instruments.map(({ instrument, intervals }) =>
        Object.freeze({ instrumentId: instrument.id, intervals: Object.freeze([...intervals]) }),
      ),
    );
    this.market = new StrategyMarket(hub);
    this.log = options.log;
    this.verdicts$ = verdicts$;
    this.orders$ = orders$;
    this.fills$ = fills$;
    this.halts$ = halts$;
    this.funding$ = funding$;
    this.accountEvents$ = accountEvents$;
    this.random = createRandom(options.seed);
    this.state = engine.run.kept?.value;
    this.#engine = engine;
    this.raise = engine.raise;
    this.#unchanging = engine.unchanging;
    this.#intents = engine.intents;
    this.#inputs = options.inputs;
  }

  now(): EpochMs {
    return this.#engine.clock.now;
  }

  repeat(
    intent: PlainIntent,
    size: Size | undefined,
    terms: EntryTerms | ExitTerms | undefined,
  ): number | undefined {
    // Comparing terms takes longer, and an intent that names its instrument is never this one.
    if (intent !== this.#intents.unchanging) return undefined;
    if (terms !== undefined && !this.#unchanging.isWrittenAgain(intent, size, terms))
      return undefined;
    return this.#intents.passAgain(intent);
  }

  position(name?: string, direction?: Direction): Position {
    const { ownOrders, portfolio, margins } = this.#engine;
    const instrumentId = this.#resolve(name);
    const side = direction ?? this.#heldSide(instrumentId);
    const { ledger, account } = ownOrders.account.positionSide(instrumentId, side);
    const { instrument } = account;
    const holding = this.#isHeld(instrumentId, side) ? ledger.holding : EMPTY_HOLDING;
    const earning =
      instrument.kind === 'futures'
        ? { contract: instrument, unrealized: portfolio.unrealized(instrumentId, side) }
        : {};
    this.#inputs?.answered(
      `position ${name ?? ''} ${direction ?? ''}`,
      [side, holding, earning],
      'else',
    );
    if (earning.contract === undefined) return new Position(instrumentId, side, holding);
    return new Position(instrumentId, side, holding, {
      ...earning,
      liquidation: this.instrument(instrumentId),
      venueMargin: () => margins.of(instrumentId, side),
    });
  }

  balance(asset: Asset, account?: ProductKind): Balance {
    const { portfolio } = this.#engine;
    const amounts = [portfolio.free(asset, account), portfolio.total(asset, account)];
    this.#inputs?.answered(`balance ${asset} ${account ?? ''}`, amounts, 'money');
    return portfolio.balance(asset, account);
  }

  equity(): Decimal {
    const { portfolio } = this.#engine;
    const equity = portfolio.equity();
    this.#inputs?.answered('equity', equity, 'money');
    return decimalFromFixed(equity);
  }

  last(name?: string): number | undefined {
    const { lastNumber, lastTime } = this.#engine.portfolio.instrument(this.#resolve(name));
    if (this.#inputs !== undefined && !this.#isOfCandle(lastTime))
      this.#inputs.answered(`last ${name ?? ''}`, lastNumber, 'else');
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
    // A venue is read only once trading begins, so no rate is known before.
    return hub.isWarm ? options.fundingRateAt(instrumentId, clock.now) : undefined;
  }

  instrument(name?: string): InstrumentInfo {
    const instrumentId = this.#resolve(name);
    let known = this.#known.get(instrumentId);
    if (known === undefined) {
      known = new KnownInstrument(instrumentId, this, this.#engine);
      this.#known.set(instrumentId, known);
    }
    return known;
  }

  workingOrders(name?: string): readonly Order[] {
    const id = name === undefined ? undefined : this.#resolve(name);
    const orders = this.#engine.ownOrders.list(id);
    this.#inputs?.answered(`orders ${name ?? ''}`, orders.map(takeOrder), 'orders');
    return orders.map((order) => order.snapshot());
  }

  ordersOf(intentId: number): readonly Order[] {
    const orders = this.#statuses.ordersOf(intentId);
    this.#inputs?.answered(`orders of ${String(intentId)}`, orders.map(takeOrder), 'orders');
    return orders.map((order) => order.snapshot());
  }

  statusOf(intentId: number): Observable<Order> {
    this.#inputs?.answered('number', intentId, 'orders');
    return this.#statuses.of(intentId);
  }

  get #statuses(): OrderStatuses {
    return present(this.#engine.feedback.statuses, 'streams of single intents');
  }

  attachIndicator(indicator: AnyIndicator, stream: StreamReference): void {
    this.#engine.hub.attach(indicator, stream);
  }

  every(schedule: string, handler: () => void): () => void {
    return this.#engine.schedules.every(schedule, handler);
  }

  listen(onCandle: (candle: Candle) => void): () => void {
    return this.#engine.hub.listen(onCandle);
  }

  /** Whether a price learned at `time` certainly comes from the present candles, and not from a sample of a path. */
  #isOfCandle(time: EpochMs): boolean {
    const { run, options } = this.#engine;
    const isOnly = options.instruments.length === 1;
    return isOnly && run.event?.kind === 'candles' && time === this.now();
  }

  #resolve(name: string | undefined): InstrumentId {
    return this.#engine.hub.resolveInstrument(name);
  }

  #heldSide(instrumentId: InstrumentId): Direction {
    const isShort = this.#isHeld(instrumentId, 'short') && !this.#isHeld(instrumentId, 'long');
    return isShort ? 'short' : 'long';
  }

  #isHeld(instrumentId: InstrumentId, side: Direction): boolean {
    const { ownOrders, options, clock } = this.#engine;
    const rules = options.rules.at(instrumentId, clock.now);
    return heldQuantity(ownOrders.account.positionSide(instrumentId, side), rules) > 0n;
  }
}
