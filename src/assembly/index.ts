export * from './backtest/index.js';
export { runParity, type ParityOptions, type ParityOutcome } from './parity/run-parity.js';
export { createLiveBot, createPositionGuard } from './bot/create-live-bot.js';
export { isGuardNeeded } from './bot/is-guard-needed.js';
export { lastEnding } from './bot/journal/last-ending.js';
export { requireFit } from './bot/terms/require-fit.js';
export { createPaperBot } from './bot/create-paper-bot.js';
export { whenLetGo } from './bot/start-patience.js';
export { warmBeside } from './bot/warm-beside.js';
export {
  connectLive,
  createProcessQueue,
  type BanMemory,
  type ExchangeConnection,
  type LiveConnection,
} from './bot/connection/live-connection.js';
export { checkOnline, type OnlineReport } from './online/check-online.js';
export { profileFile } from './online/profile-file.js';
export {
  marketCapabilitiesOf,
  isProfileOf,
  withKnown,
  parseVenueProfile,
  type VenueProfile,
} from './online/venue-profile.js';
export { connectOwn } from './bot/connection/own-connection.js';
export { loadVenueModule } from './plugins/venue-module.js';
export { verifyClock } from './bot/terms/verify-clock.js';
export {
  fitsBudget,
  planPolls,
  type PollBudget,
  type PolledConfig,
} from './bot/connection/poll-budget.js';
export { BOUNDARIES, type Boundary } from './bot/boundaries.js';
