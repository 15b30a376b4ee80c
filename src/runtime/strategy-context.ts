import {
  EMPTY_HOLDING,
  Position,
  type Direction,
  type InstrumentId,
  type OrderIntent,
} from '../domain/index.js';
import type { PlainWish, StrategyContext } from '../strategy/index.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineOptions } from './engine-options.js';
import type { MarketHub } from './market-hub.js';
import { heldQuantity } from './desk/slot.js';
import type { OrderBook } from './desk/order-book.js';
import type { Portfolio } from './portfolio/portfolio.js';
import { createRandom } from './random.js';
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
  readonly repeat: (wish: PlainWish) => number | undefined;
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
    repeat: engine.repeat,
    position: (name, direction) => {
      const instrumentId = resolve(name);
      const isHeld = (side: Direction): boolean =>
        heldQuantity(
          book.account.slot(instrumentId, side),
          options.rules.at(instrumentId, clock.now()),
        ) > 0n;
      const side = direction ?? (isHeld('short') && !isHeld('long') ? 'short' : 'long');
      const { ledger, account } = book.account.slot(instrumentId, side);
      const { instrument } = account;
      return new Position(
        instrumentId,
        side,
        isHeld(side) ? ledger.holding : EMPTY_HOLDING,
        instrument.kind === 'futures'
          ? { contract: instrument, unrealized: portfolio.unrealized(instrumentId, side) }
          : {},
      );
    },
    balance: (asset, account) => portfolio.balance(asset, account),
    equity: () => portfolio.equityDecimal(),
    last: (name) => {
      const { lastNumber } = portfolio.instrument(resolve(name));
      return Number.isNaN(lastNumber) ? undefined : lastNumber;
    },
    markPrice: (name) => {
      const { markNumber } = portfolio.instrument(resolve(name));
      return Number.isNaN(markNumber) ? undefined : markNumber;
    },
    workingOrders: (name) =>
      book.list(name === undefined ? undefined : resolve(name)).map((order) => order.snapshot()),
    attachIndicator: (indicator, stream) => {
      hub.attach(indicator, stream);
    },
    listen: (onCandle) => hub.listen(onCandle),
  };
}
