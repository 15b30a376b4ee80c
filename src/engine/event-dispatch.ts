import { isOrderUpdate } from '../venue/index.js';
import type { EngineParts } from './engine-parts.js';
import type { EngineEvent, PriceSample } from './events.js';
import type { HaltActions } from './halt-actions.js';
import type { MarketHub } from './market/market-hub.js';
import type { RuleChanges } from './market/rule-changes.js';
import type { VenueMargins } from './market/venue-margins.js';
import type { OrderManager } from './orders/order-manager.js';
import { END_OF_RUN } from './orders/order-refusals.js';
import type { Portfolio } from './portfolio/portfolio.js';
import type { Protections } from './protections.js';
import type { RunState } from './state/run-state.js';
import type { StrategyFailures } from './strategy/strategy-failures.js';

/** Passes an event to the parts of an engine that it concerns, and to the strategy as far as it may know. */
export class EventDispatch {
  readonly #hub: MarketHub;
  readonly #portfolio: Portfolio;
  readonly #margins: VenueMargins;
  readonly #protections: Protections;
  readonly #orderManager: OrderManager;
  readonly #halts: HaltActions;
  readonly #run: RunState;
  readonly #failures: StrategyFailures;
  readonly #ruleChanges: RuleChanges;

  constructor(parts: EngineParts) {
    this.#hub = parts.hub;
    this.#portfolio = parts.portfolio;
    this.#margins = parts.margins;
    this.#protections = parts.protections;
    this.#orderManager = parts.orderManager;
    this.#halts = parts.halts;
    this.#run = parts.run;
    this.#failures = parts.failures;
    this.#ruleChanges = parts.ruleChanges;
  }

  /** Dispatches an event other than candles, which come through {@link CandleRun}. */
  dispatch(event: EngineEvent): void {
    switch (event.kind) {
      case 'ticker':
        this.#orderManager.onLast(event.instrumentId, event.last);
        break;
      case 'venue':
        if (isOrderUpdate(event.update)) this.#orderManager.onUpdate(event.update);
        else this.#orderManager.onAccountUpdate(event.update);
        break;
      case 'marks':
        for (const { instrumentId, price } of event.marks) {
          this.#portfolio.instrument(instrumentId).markNumber = price;
          // A live bot has no past marks to warm up with, so marks are delivered in no mode before trading begins.
          if (this.#run.isOpen) this.#hub.deliverMark(instrumentId, event.time, price);
        }
        break;
      case 'reading':
        this.#hub.deliverReading(event.reading);
        break;
      case 'margins':
        this.#margins.take(event);
        break;
      case 'opening':
        this.#open(event.prices);
        break;
      case 'operator':
        if (event.action === 'restart-strategy') this.#failures.forgive();
        if (event.action === 'clear-triggers') this.#orderManager.venueStops?.book.clear(event.ids);
        this.#halts.obey(event);
        break;
      case 'rules':
        this.#ruleChanges.take(event);
        break;
      case 'stops':
        this.#orderManager.guards.retry(event.instrumentId);
        this.#orderManager.withdrawals.again(event.instrumentId);
        break;
      case 'strategy-failed':
        this.#failures.take(event.failure);
        this.#protections.take({
          kind: event.kind,
          time: event.time,
          text: `the strategy has failed and is left out until the owner restarts it: ${event.failure.message}`,
        });
        break;
      case 'health':
        this.#protections.take(event);
        break;
      case 'end':
        this.#run.isOver = true;
        this.#orderManager.expireUnsent(END_OF_RUN);
        break;
      case 'candles':
      case 'timer':
        break;
    }
  }

  /** Values the initial holdings. Trading begins. */
  #open(prices: readonly PriceSample[]): void {
    for (const { instrumentId, price } of prices)
      this.#portfolio.instrument(instrumentId).lastNumber = price;
    const { account } = this.#orderManager.ownOrders;
    this.#portfolio.openInitialHoldings((id) => account.step(account.positionSide(id, 'long')));
    this.#run.isOpen = true;
    this.#run.initialEquity ??= this.#portfolio.equity();
  }
}
