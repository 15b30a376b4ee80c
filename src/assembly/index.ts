export * from './backtest/index.js';
export { runParity, type ParityOptions, type ParityOutcome } from './parity/run-parity.js';
export type { BotInputs } from './session/bot-inputs.js';
export { createLiveBot, type LiveBotInputs } from './session/create-live-bot.js';
export { createPaperBot } from './session/create-paper-bot.js';
export {
  connectLive,
  createProcessQueue,
  type LiveConnection,
  type MachineTime,
} from './session/live-connection.js';
export {
  fitsBudget,
  planPolls,
  type PollBudget,
  type PolledConfig,
} from './session/poll-budget.js';
export { BOUNDARIES, type Boundary } from './session/boundaries.js';
