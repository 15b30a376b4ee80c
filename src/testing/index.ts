/** Tests of strategies: the engine that trades, under a test's control. It works with any test runner, or none. */
export { candlesOf, closes, flat, GAP, walk, wave } from './candle-shapes.js';
export type { CandleShape, Gap, PlayedShape, SliceShape, WalkOptions } from './candle-shapes.js';
export { checkLaws, type LawOptions } from './check-laws.js';
export type { ContractTest } from './contracts/contract-test.js';
export type { ContractVenue, VenueInstrument } from './contracts/contract-venue.js';
export { dataSourceContract } from './contracts/data-source-contract.js';
export { feeModelContract, type FeeModelQuestions } from './contracts/fee-model-contract.js';
export { indicatorContract, type IndicatorQuestions } from './contracts/indicator-contract.js';
export { sizingContract } from './contracts/sizing-contract.js';
export { slippageModelContract } from './contracts/slippage-model-contract.js';
export { venueContract } from './contracts/venue-contract.js';
export {
  expectNoLookAhead,
  type LookAheadOptions,
  type MadeFromCandles,
} from './expect-no-look-ahead.js';
export { exitAlwaysPasses, neverNaked, nothingBeforeWarm, type Law } from './laws.js';
export { matchGolden } from './match-golden.js';
export type { GoldenValue } from './golden-lines.js';
export type { MarbleLetters } from './marbles.js';
export { startStrategy, type StartOptions, type TestedClass } from './start-strategy.js';
export { StrategyTest, type ChangedRules, type WatchedStop } from './strategy-test.js';
export type { TestDescription } from './test-description.js';
export type { LogLine, TestRefusal } from './test-record.js';
