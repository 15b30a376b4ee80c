/** The bots of a process: made, each with exclusive contracts and a control socket, and stopped in order. */
export { openBanMemory } from './ban-memory.js';
export { createBotLogger, type LogLevel } from './bot-logger.js';
export { claimedOf } from './claim-contracts.js';
export type { BotSetup, GuardSetup } from './bot-setup.js';
export { createBots, type CreateBots } from './create-bots.js';
export { checkBudgets, describeBudget, type BudgetCheck } from './find-budget-problems.js';
export { loadCredentials } from './load-credentials.js';
export { readVenueProfile } from './read-venue-profile.js';
export { SILENT_BOT_LOG } from '../live/index.js';
export { requireExchange, requireSession } from './require-session.js';
export { runBots } from './run-bots.js';
