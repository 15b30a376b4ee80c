export type { IndicatorOptions } from './attached-indicators.js';
export type { RecentCandles } from './candle-history.js';
export { CandleStrategy, CandleDrivenStrategy } from './candle-strategy.js';
export { PLAIN_INTENTS } from './context.js';
export type {
  InstrumentStreams,
  Market,
  PlainIntent,
  StrategyContext,
  StrategyLog,
  StreamReference,
  Verdict,
} from './context.js';
export { updatesOf, type Updated } from './engine-updates.js';
export {
  followersAmong,
  precomputeSeries,
  hasStrays,
  type Follower,
} from './calculation/precompute.js';
export type { CloseRows } from './calculation/values-ahead.js';
export type { DeliveredRow } from './calculation/indicator-feed.js';
export { PrecomputedStore } from './calculation/precomputed-store.js';
export type { IndicatorSeries } from './calculation/stored-series.js';
export {
  isStrategyClass,
  STRATEGY,
  type StrategyClass,
  type StrategyMark,
  type StrategyRequirements,
} from './definition.js';
export {
  crossedAbove,
  crossedBelow,
  Indicator,
  seedWeight,
  type AnyIndicator,
  type Line,
  type PriceSource,
} from './indicator.js';
export { adx, type DirectionalMovement } from './indicators/adx.js';
export { atr } from './indicators/atr.js';
export { bollinger, type BollingerBands } from './indicators/bollinger.js';
export { cci } from './indicators/cci.js';
export { donchian, type DonchianChannel } from './indicators/donchian.js';
export { ema } from './indicators/ema.js';
export { highest } from './indicators/highest.js';
export { kama } from './indicators/kama.js';
export { lowest } from './indicators/lowest.js';
export { macd, type Macd, type MacdOptions } from './indicators/macd.js';
export { mfi } from './indicators/mfi.js';
export { obv } from './indicators/obv.js';
export type { IndicatorLine } from './indicators/output-line.js';
export { roc } from './indicators/roc.js';
export { rsi } from './indicators/rsi.js';
export { sma } from './indicators/sma.js';
export { standardDeviation } from './indicators/standard-deviation.js';
export { stochastic, type Stochastic, type StochasticOptions } from './indicators/stochastic.js';
export { supertrend, type Supertrend } from './indicators/supertrend.js';
export { trueRange } from './indicators/true-range.js';
export { vwap } from './indicators/vwap.js';
export { wma } from './indicators/wma.js';
export type { InstrumentInfo, RulesInForce } from './instrument-info.js';
export {
  cancel,
  enterLong,
  enterShort,
  exit,
  flatten,
  protect,
  rebalance,
  replace,
  target,
  type EntryTerms,
  type ExitTerms,
  type TargetTerms,
} from './intents.js';
export type { OrderHandle } from './order-handle.js';
export {
  bool,
  choice,
  describeExpected,
  int,
  number,
  parseParameters,
  type BooleanParameter,
  type ChoiceParameter,
  type IntParameter,
  type NumberParameter,
  type ParameterDeclaration,
  type ParameterDeclarations,
  type ParameterValues,
  type ParsedParameters,
} from './parameters.js';
export type { StrategyInstance } from './instance.js';
export type { DeclaredState, StateShape, WithState } from './kept-state.js';
export type { Sizing, SizingFacts } from './sizing.js';
export { MAX_STATE_BYTES, writeState } from './state-text.js';
export { Strategy, TradingStrategy } from './strategy.js';
