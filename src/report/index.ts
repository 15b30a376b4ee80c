export {
  headlineOf,
  rangeBetween,
  rangeOf,
  withBounds,
  type BoundsFound,
  type KnownFigures,
} from './bounds.js';
export {
  CloseTally,
  type CandleEquity,
  type CloseFigures,
  type LinearEquity,
  type RegularCloses,
} from './close-tally.js';
export { countCalls, describeCallNeed, listCallWarnings, type CallNeed } from './call-needs.js';
export { countRefusals } from './count-refusals.js';
export { EquityRibbon } from './equity-ribbon.js';
export { dayEndsBetween } from './day-ends.js';
export type { Figure } from './figure.js';
export { countText, percentText, ratioText } from './figure-text.js';
export { FillValuer, type FillValue } from './fill-value.js';
export { hashLists } from './list-hash.js';
export { buildFigures, buildResult, formatStatistics, type ResultOptions } from './result.js';
export type { ResultFigures } from './result-figures.js';
export { parseResult, readResult } from './read-result.js';
export { formatError, parseJsonDocument } from './read-json.js';
export { resultPieces, writeResult } from './result-file.js';
export {
  CURVE_KINDS,
  resultJsonSchema,
  resultSchema,
  type CurveKind,
  type HeadlineFigures,
  type Result,
  type ResultFill,
  type ResultOrder,
  type Benchmark,
  type Breakdown,
  type Flow,
  type Trade,
  type TradeTotals,
  type WorkedIntent,
} from './result-schema.js';
export { RESULT_VERSION } from './result-version.js';
export type { HeldPrices, PriceRange } from './trades/held-prices.js';
export { followFills, heldAtBreaks, type HeldAtBreak, type HoldingRecord } from './follow-fills.js';
export { roundTrips, type RoundTrip } from './round-trips.js';
export type {
  CallLimit,
  InstrumentCalls,
  DayEquity,
  FinalPrice,
  GapStart,
  ParameterValue,
  RunCosts,
  RunFinancing,
  RunFill,
  RunGaps,
  RunHolding,
  RunIdentity,
  RunOrder,
  RunRecord,
  RunRefusal,
  RunWork,
} from './run-record.js';
export {
  compoundAnnualGrowth,
  figuresOfReturns,
  returnFigures,
  totalReturn,
} from './return-figures.js';
export { computeStatistics, type Statistics } from './statistics.js';
export { renderEquityChart, type ChartOptions } from './equity-chart.js';
export { workedEntry } from './worked.js';
export { describeResult, renderSummary, type ResultWords, type SummaryOptions } from './summary.js';
export { changedFigures, type ChangedFigure } from './compare-figures.js';
export { amountText, durationText, instantText, moneyText } from './figure-text.js';
export { listDrawdowns, type Drawdown } from './curves/drawdowns.js';
export { monthlyReturns, type MonthReturn } from './curves/monthly-returns.js';
export { binReturns, type ReturnBin } from './curves/return-bins.js';
export { rollingFigures, type RollingPoint } from './curves/rolling-figures.js';
export { curveReturns, type CurvePoint } from './curves/curve-returns.js';
export {
  compareTraces,
  PARITY_LISTS,
  type ParityDifference,
  type ParityList,
  type ParityReport,
  type ParityTrace,
  type TraceEntry,
} from './parity.js';
export {
  renderParity,
  renderParityLine,
  type ParityNote,
  type ParityTextInputs,
} from './parity-text.js';
