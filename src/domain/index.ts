export {
  FundingPayment,
  type AccountEvent,
  type FundingRecord,
  type MarkPrice,
} from './account-event.js';
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
} from './market-reading.js';
export { assertNever, missing, present } from './assert.js';
export { AssetAccount, type Debt } from './asset-account.js';
export { Balance, type AccountBalances } from './balance.js';
export type { Brand } from './brand.js';
export {
  columnsOfCandles,
  isSameCandle,
  type Candle,
  type CandleColumns,
  type CandleSeries,
} from './candle.js';
export { CandleColumn } from './candle-column.js';
export { candleQuantity, type CandleVolume } from './candle-quantity.js';
export { CandleRows, type CandleBlock, type RowSource } from './candle-rows.js';
export type { CashWatch } from './cash-watch.js';
export {
  contractPrice,
  contractProfit,
  contractSize,
  ContractSizes,
  contractValue,
  priceOfValue,
} from './contract.js';
export { decimal, Decimal, decimalFromNumber, type DecimalInput } from './decimal.js';
export { fixedFromInput, readShortDecimal } from './decimal-text.js';
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
export { dearestRate, feeInQuote, feeRateOfBuy, outlayOfBuy, type FeeRates } from './fees.js';
export {
  directionOf,
  Fill,
  FORCED_CAUSES,
  ORDER_CAUSES,
  type FillRecord,
  type ForcedCause,
  type Liquidity,
  type OrderCause,
} from './fill.js';
export { compareIds } from './compare-ids.js';
export { flowsOfFill, type Flows } from './fill-flows.js';
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
} from './fixed.js';
export { feeInBase, feeWorth } from './fee-worth.js';
export {
  createInstrumentId,
  isInverse,
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
} from './instrument.js';
export {
  resolveRules,
  RuleBook,
  type DatedRules,
  type InstrumentRules,
  type ResolvedRules,
  RULE_LIMITS,
} from './instrument-rules.js';
export {
  FUNDING_RATES_KNOWN,
  type FundingColumns,
  type FundingRateKnown,
  type FundingTimes,
  type FundingTimesAt,
} from './funding.js';
export { HALT_ACTIONS, type Halt, type HaltAction, type HaltReason } from './halt.js';
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
} from './intent.js';
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
} from './interval.js';
export {
  NO_ISOLATED_MONEY,
  releaseMargin,
  setMarginAside,
  type IsolatedMoney,
} from './isolated-margin.js';
export { TierBook, tierOf, type DatedTiers, type LeverageTier } from './leverage-tiers.js';
export { liquidationPrice } from './liquidation-price.js';
export { MARGIN_CALL_LEVEL, MARGIN_WARN_LEVEL } from './margin-levels.js';
export { marginOfValue, orderMargin, type OrderMargin } from './order-margin.js';
export { createOrderRequest } from './order-request.js';
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
} from './order.js';
export {
  addToHolding,
  EMPTY_HOLDING,
  Position,
  takeFromHolding,
  type Holding,
} from './position.js';
export { priceFromFixed, type Price } from './price.js';
export {
  distanceToLiquidation,
  showVenueMargin,
  type MarginReading,
  type VenueMargin,
} from './venue-margin.js';
export { quantityFromFixed, type Quantity } from './quantity.js';
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
} from './risk-decision.js';
export { canResample, resampleCandles, type ResampledCandles } from './resample-candles.js';
export { findFirstDifference } from './first-difference.js';
export { roundToLot, roundToTick, type PriceRounding } from './rounding.js';
export { nextOfSchedule, parseSchedule, type Schedule } from './schedule.js';
export type { RecordedRefusal, RecordedWork, RunCosts } from './run-records.js';
export { shortfallOf, worthOfFill } from './shortfall.js';
export { suggestInterval } from './suggest-interval.js';
export { editDistance, suggestWord } from './suggestion.js';
export { sumVolumes } from './sum-volumes.js';
export { takerPrice } from './taker-price.js';
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
