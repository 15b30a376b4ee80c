import { Position, type InstrumentId, type OrderIntent } from '../domain/index.js';
import type { StrategyContext } from '../strategy/index.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineOptions } from './engine-options.js';
import type { MarketHub } from './market-hub.js';
import type { OrderBook } from './order-book.js';
import type { Portfolio } from './portfolio.js';
import { createRandom } from './random.js';
import { heldQuantity } from './slot.js';
import type { StrategyFeedback } from './strategy-feedback.js';

/** Parts of an engine that a strategy may look at. */
export interface StrategySurroundings {
  readonly options: EngineOptions;
  readonly clock: EngineClock;
  readonly hub: MarketHub;
  readonly book: OrderBook;
  readonly portfolio: Portfolio;
  readonly feedback: StrategyFeedback;
  readonly raise: (intent: OrderIntent) => number;
}

/** Makes what a strategy is given: a live, read-only view of the engine. */
export function createStrategyContext(engine: StrategySurroundings): StrategyContext {
  const { options, clock, hub, book, portfolio, feedback } = engine;
  const resolve = (name: string | undefined): InstrumentId => hub.resolveInstrument(name);
  return {
    parameters: options.parameters,
    instruments: options.instruments.map(({ instrument, intervals }) => ({
      instrumentId: instrument.id,
      intervals,
    })),
    market: hub,
    log: options.log,
    ...feedback.streams,
    now: () => clock.now(),
    random: createRandom(options.seed),
    raise: engine.raise,
    position: (name, direction = 'long') => {
      const instrumentId = resolve(name);
      const slot = book.slot(instrumentId, direction);
      const isHeld = heldQuantity(slot, options.rules.at(instrumentId, clock.now())) > 0n;
      return new Position(
        instrumentId,
        direction,
        isHeld ? slot.account.holding : { quantity: 0n, entryValue: 0n },
      );
    },
    balance: (asset) => portfolio.balance(asset),
    equity: () => portfolio.equityDecimal(),
    last: (name) => {
      const { lastNumber } = portfolio.instrument(resolve(name));
      return Number.isNaN(lastNumber) ? undefined : lastNumber;
    },
    workingOrders: (name) =>
      book.list(name === undefined ? undefined : resolve(name)).map((order) => order.snapshot()),
    attachIndicator: (indicator, stream) => {
      hub.attach(indicator, stream);
    },
    listen: (onCandle) => hub.listen(onCandle),
  };
}
