export {
  headlineOf,
  rangeBetween,
  rangeOfRuns,
  withBounds,
  type BoundsFound,
  type KnownFigures,
} from './bounds.js';
export {
  CloseTally,
  type CandleEquity,
  type CloseFigures,
  type RegularCloses,
} from './figures/close-tally.js';
export {
  countCalls,
  describeCallNeed,
  listCallWarnings,
  type CallNeed,
} from './summary/call-needs.js';
export { countRefusals } from './summary/count-refusals.js';
export { EquityRibbon } from './summary/equity-ribbon.js';
export { dayEndsBetween } from './figures/day-ends.js';
export { FillValuer } from './figures/fill-value.js';
export { hashLists } from './result/list-hash.js';
export { buildFigures, buildResult, formatStatistics } from './result/result.js';
export type { ResultFigures } from './result/result-figures.js';
export { parseResult, readResultJson } from './result/read-result.js';
export { formatError, parseJsonDocument } from './result/read-json.js';
export { resultPieces, writeResult } from './result/result-file.js';
export {
  resultSchema,
  type CurveKind,
  type HeadlineFigures,
  type Result,
  type Breakdown,
  type Trade,
  type WorkedIntent,
} from './result/result-schema.js';
export type { HeldPrices, PriceRange, RunPrices } from './trades/held-prices.js';
export { followFills, heldAtBreaks, type HoldingRecord } from './figures/follow-fills.js';
export { roundTrips } from './figures/round-trips.js';
export type {
  CallLimit,
  InstrumentCalls,
  FinalPrice,
  GapStart,
  ParameterValue,
  RunFinancing,
  RunFill,
  RunGaps,
  RunIdentity,
  RunOrder,
  RunRecord,
} from './run-record.js';
export {
  compoundAnnualGrowth,
  figuresOfReturns,
  returnFigures,
  totalReturn,
} from './figures/return-figures.js';
export { computeStatistics } from './figures/statistics.js';
export { renderEquityChart } from './summary/equity-chart.js';
export { workedEntry } from './summary/worked.js';
export { describeResult, renderSummary } from './summary/summary.js';
export { changedFigures } from './summary/compare-figures.js';
export {
  countText,
  durationText,
  instantText,
  moneyDecimals,
  moneyText,
  percentText,
  ratioText,
  shortHash,
} from './summary/figure-text.js';
export { listDrawdowns } from './curves/drawdowns.js';
export { monthlyReturns } from './curves/monthly-returns.js';
export { binReturns, MOST_BINS, type ReturnBin } from './curves/return-bins.js';
export { rollingFigures } from './curves/rolling-figures.js';
export { curveReturns, type CurvePoint } from './curves/curve-returns.js';
export {
  compareTraces,
  PARITY_LISTS,
  type ParityList,
  type ParityReport,
  type ParityTrace,
  type TraceEntry,
} from './parity.js';
export { renderParity, renderParityLine, type ParityNote } from './parity-text.js';
export { countSchema, figureSchema, textSchema, timeSchema } from './result/schema-parts.js';
