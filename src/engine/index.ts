export { Engine } from './engine.js';
export { heldPositions } from './held-positions.js';
export { describeAmbientUse, type AmbientUse } from './strategy/ambient-uses.js';
export { watchAmbient } from './strategy/ambient-watch.js';
export { RecordMemory, type BlockMemory } from './history/record-memory.js';
export { EVENT_LIMITS } from './event-step.js';
export type { EngineOptions } from './engine-options.js';
/** Types in an engine's options, for callers that pass a log and a listener. */
export type { StrategyLog, Verdict } from '../strategy/index.js';
export type { InputSubject, StrategyInputs } from './strategy/strategy-inputs.js';
export {
  describeEvent,
  type Command,
  type EngineEvent,
  type OrderCondition,
  type PriceSample,
} from './events.js';
export { startingCheckpoint, type EngineCheckpoint } from './state/engine-checkpoint.js';
export {
  historyWith,
  latestOf,
  type ClaimedSide,
  type EndedPosition,
  type OrderHistory,
  type PastOrder,
  foldOrderHistory,
  sideKey,
} from './history/order-history.js';
export { NO_JOURNAL, type Journal, type JournalEntry, type RecordedIntent } from './journal.js';
export type { StreamWarmup } from './market/candle-stream.js';
export { seedWeight } from '../strategy/index.js';
export type { StateCheckpoint } from './state/state-checkpoint.js';
export { firingLevel } from './orders/guards/guard.js';
export { VENUE_STOP_STATES, type VenueStop } from './orders/venue-stops/venue-stop.js';
export { inSampleOrder, type StopWatch } from './orders/guards/stop-watch.js';
export { Bookkeeper, type RecordedBeginning } from './recovery/bookkeeper.js';
export type { DueInterest } from './portfolio/debt-book.js';
export { marginLevel } from './portfolio/margin-level.js';
export { liquidationOf } from './portfolio/liquidation.js';
export { Portfolio } from './portfolio/portfolio.js';
export type { RecordedFinancing, RecordedFill, RecordedOrder } from './records.js';
export type { BatchStream, CandleBatch } from './market/candle-batch.js';
export { compareStreams, type StreamRoute } from './market/candle-stream.js';
export { createRandom } from './random.js';
export { systemTime, wallClock } from './system-time.js';
export type { WorkingOrder } from './orders/working/working-order.js';
export { isUnended } from './orders/working/order-questions.js';
export { plainIntent } from './orders/forms/plain-intent.js';
export {
  balancesByAccount,
  type BalanceCheckpoint,
  type PositionCheckpoint,
} from './portfolio/account-checkpoint.js';
export { areOfOneBot } from './order-ids.js';
export { claimOrders } from './recovery/claim-orders.js';
export type { WaitingIntent } from './orders/waiting-intents.js';
export { END_OF_RUN } from './orders/order-refusals.js';
