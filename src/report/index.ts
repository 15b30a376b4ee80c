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
} from './close-tally.js';
export { countCalls, describeCallNeed, listCallWarnings, type CallNeed } from './call-needs.js';
export { countRefusals } from './count-refusals.js';
export { EquityRibbon } from './equity-ribbon.js';
export { dayEndsBetween } from './day-ends.js';
export { FillValuer } from './fill-value.js';
export { hashLists } from './list-hash.js';
export { buildFigures, buildResult, formatStatistics } from './result.js';
export type { ResultFigures } from './result-figures.js';
export { parseResult, readResultJson } from './read-result.js';
export { formatError, parseJsonDocument } from './read-json.js';
export { resultPieces, writeResult } from './result-file.js';
export {
  resultSchema,
  type CurveKind,
  type HeadlineFigures,
  type Result,
  type Breakdown,
  type Trade,
  type WorkedIntent,
} from './result-schema.js';
export type { HeldPrices, PriceRange, RunPrices } from './trades/held-prices.js';
export { followFills, heldAtBreaks, type HoldingRecord } from './follow-fills.js';
export { roundTrips } from './round-trips.js';
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
} from './return-figures.js';
export { computeStatistics } from './statistics.js';
export { renderEquityChart } from './equity-chart.js';
export { workedEntry } from './worked.js';
export { describeResult, renderSummary } from './summary.js';
export { changedFigures } from './compare-figures.js';
export {
  countText,
  durationText,
  instantText,
  moneyDecimals,
  moneyText,
  percentText,
  ratioText,
  shortHash,
} from './figure-text.js';
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
export { countSchema, figureSchema, textSchema, timeSchema } from './schema-parts.js';
