export {
  FundingPayment,
  type AccountEvent,
  type FundingRecord,
  type MarkPrice,
} from './accounts/account-event.js';
export {
  DEPTH_LEVELS,
  type BookLevel,
  type DepthReading,
  type IndexReading,
  type MarketReading,
  type ReadingStream,
  type TickerReading,
  type TradePrint,
  type TradesReading,
} from './instruments/market-reading.js';
export { assertNever, missing, present } from './assert.js';
export { AssetAccount, type Debt } from './accounts/asset-account.js';
export { Balance, type AccountBalances } from './accounts/balance.js';
export type { Brand } from './amounts/brand.js';
export {
  columnsOfCandles,
  isPossibleCandle,
  isSameCandle,
  type Candle,
  type CandleColumns,
  type CandleSeries,
} from './candles/candle.js';
export { CandleColumn } from './candles/candle-column.js';
export { candleQuantity, type CandleVolume } from './amounts/candle-quantity.js';
export { CandleRows, type CandleBlock, type RowSource } from './candles/candle-rows.js';
export type { CashWatch } from './accounts/cash-watch.js';
export {
  contractPrice,
  contractProfit,
  contractSize,
  ContractSizes,
  contractValue,
  priceOfValue,
} from './instruments/contract.js';
export { decimal, Decimal, decimalFromNumber, type DecimalInput } from './amounts/decimal.js';
export { fixedFromInput, readShortDecimal } from './amounts/decimal-text.js';
export {
  AuthError,
  ConfigError,
  DataError,
  DataGapError,
  DomainError,
  InvariantError,
  JournalError,
  OutcomeUnknownError,
  RateLimitError,
  StrategyError,
  TradingError,
  TransportError,
  UnvaluedAssetError,
  UsageError,
  WireFormatError,
  type ConfigLocation,
  type ErrorCode,
} from './errors.js';
export { mayPass } from './may-pass.js';
export {
  dearestRate,
  feeInQuote,
  feeRateOfBuy,
  outlayOfBuy,
  type FeeRates,
} from './orders/fees.js';
export {
  directionOf,
  Fill,
  FORCED_CAUSES,
  ORDER_CAUSES,
  type FillRecord,
  type ForcedCause,
  type Liquidity,
  type OrderCause,
} from './orders/fill.js';
export { compareIds } from './compare-ids.js';
export type { DeepReadonly } from './deep-readonly.js';
export { flowsOfFill, type Flows } from './orders/fill-flows.js';
export {
  absFixed,
  ceilToStep,
  convertFixed,
  decimalFromFixed,
  divideCeil,
  divideFixed,
  divideFloor,
  divideHalfEven,
  FIXED_DECIMALS,
  FIXED_ONE,
  FIXED_ZERO,
  fixedFromDecimal,
  fixedFromNumber,
  fixedToNumber,
  floorToStep,
  formatFixed,
  maxFixed,
  isExactProduct,
  isOnStep,
  minFixed,
  multiplyFixed,
  parseFixed,
  powerOfTen,
  shareFixed,
  stepOfPrecision,
  type Fixed,
  unscale,
  unscaleUp,
} from './amounts/fixed.js';
export { feeInBase, feeWorth } from './orders/fee-worth.js';
export {
  createInstrumentId,
  isInverse,
  keepsAsset,
  parseInstrumentId,
  PRODUCT_KINDS,
  matchInstrumentId,
  splitInstrumentId,
  type Asset,
  type FuturesInstrument,
  type Instrument,
  type InstrumentId,
  type MarginInstrument,
  type MarginMode,
  type PositionMode,
  type ProductKind,
  type SpotInstrument,
} from './instruments/instrument.js';
export {
  resolveRules,
  RuleBook,
  type DatedRules,
  type InstrumentRules,
  type ResolvedRules,
  RULE_LIMITS,
} from './instruments/instrument-rules.js';
export {
  FUNDING_RATES_KNOWN,
  type FundingColumns,
  type FundingRateKnown,
  type FundingTimes,
  type FundingTimesAt,
} from './accounts/funding.js';
export { HALT_ACTIONS, type Halt, type HaltAction, type HaltReason } from './accounts/halt.js';
export type {
  Bracket,
  CancelIntent,
  Direction,
  EnterIntent,
  ExitIntent,
  ExitSize,
  FlattenIntent,
  Level,
  OrderIntent,
  OrderReference,
  PositionAction,
  ProtectIntent,
  Protection,
  ReplaceIntent,
  Side,
  Size,
  TargetIntent,
  TargetSize,
  TimeInForce,
} from './orders/intent.js';
export {
  closeTimeOf,
  fixedIntervalMs,
  floorToInterval,
  INTERVALS,
  nominalIntervalMs,
  parseInterval,
  VENUE_INTERVALS,
  type Interval,
  type VenueInterval,
} from './candles/interval.js';
export {
  NO_ISOLATED_MONEY,
  releaseMargin,
  setMarginAside,
  type IsolatedMoney,
} from './accounts/isolated-margin.js';
export {
  TierBook,
  tierOf,
  type DatedTiers,
  type LeverageTier,
} from './instruments/leverage-tiers.js';
export { liquidationPrice } from './accounts/liquidation-price.js';
export { MARGIN_CALL_LEVEL, MARGIN_WARN_LEVEL } from './accounts/margin-levels.js';
export { marginOfValue, orderMargin, type OrderMargin } from './accounts/order-margin.js';
export { createOrderRequest } from './orders/order-request.js';
export {
  canTransition,
  isFinalStatus,
  Order,
  ORDER_STATUSES,
  ORDER_TRANSITIONS,
  parseVenueOrderId,
  type ClientOrderId,
  type LimitOrderRequest,
  type MarketOrderRequest,
  CANCELED_ON_REQUEST,
  endedByVenue,
  type OrderReason,
  type OrderRequest,
  type OrderState,
  type OrderStatus,
  type QuantityUnit,
  type VenueOrderId,
} from './orders/order.js';
export {
  addToHolding,
  EMPTY_HOLDING,
  Position,
  takeFromHolding,
  type Holding,
} from './accounts/position.js';
export { priceFromFixed, type Price } from './amounts/price.js';
export {
  distanceToLiquidation,
  showVenueMargin,
  type MarginReading,
  type VenueMargin,
} from './accounts/venue-margin.js';
export { quantityFromFixed, type Quantity } from './amounts/quantity.js';
export { amountText, nounOf } from './noun.js';
export { reasonOf } from './reason-of.js';
export { rangeOf } from './range-of.js';
export { Ranking } from './ranking.js';
export type {
  ApprovedDecision,
  Refusal,
  RefusedDecision,
  RiskApproved,
  RiskChange,
  RiskDecision,
} from './orders/risk-decision.js';
export { isObject } from './is-object.js';
export { canResample, resampleCandles, type ResampledCandles } from './candles/resample-candles.js';
export { findFirstDifference } from './first-difference.js';
export { roundToLot, roundToTick, type PriceRounding } from './amounts/rounding.js';
export { nextOfSchedule, parseSchedule, type Schedule } from './schedule.js';
export type { RecordedRefusal, RecordedWork, RunCosts } from './orders/run-records.js';
export { shortfallOf, worthOfFill } from './orders/shortfall.js';
export { suggestInterval } from './candles/suggest-interval.js';
export { editDistance, suggestWord } from './suggestion.js';
export { sumVolumes } from './candles/sum-volumes.js';
export { takerPrice } from './orders/taker-price.js';
export {
  DAY_MS,
  DAYS_PER_YEAR,
  formatUtc,
  HOUR_MS,
  MINUTE_MS,
  parseDuration,
  parseUtc,
  SECOND_MS,
  secondsText,
  type Clock,
  type EpochMs,
} from './time.js';
export { visibleText } from './visible-text.js';
export type { Work } from './work.js';
