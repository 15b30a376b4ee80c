export type {
  Archive,
  FundingMergeReport,
  MergeOptions,
  MergeReport,
  OpenOptions,
  OpenSeries,
  RecordsMergeReport,
} from './archive.js';
export { findWrongMember } from './check/check-data-source.js';
export type { DataSource, Dump, DumpKind, DumpSeries } from './data-source.js';
export { makeFolder } from './files/make-folder.js';
export { writeFileAtomically } from './files/atomic-file.js';
export { encodeTable, type TableColumn } from './files/encode-table.js';
export { lowerBound, sliceColumns } from './columns/columns.js';
export { fileError, hasSystemCode, isAbsent, type OpenFile } from './files/data-file.js';
export { findGaps, type CandleGap } from './check/gaps.js';
export { hashFunding } from './columns/funding-columns.js';
export type { FundingInfo } from './stored/series.js';
export { hashColumns } from './columns/hash-columns.js';
export {
  describeHolding,
  HOLDING_KINDS,
  type ArchiveEntry,
  type HoldingInfo,
  type HoldingKey,
  type HoldingKind,
} from './archive-entry.js';
export { openArchive } from './open-archive.js';
export { noticeMade, openRunArchive, withMadeSeries } from './made-series.js';
export { createMemoryArchive, type MemorySeries } from './memory-archive.js';
export { openColumns } from './stored/open-series.js';
export { requireRows } from './stored/read-series.js';
export { listKeys } from './stored/series-folder.js';
export { storedBytes } from './files/stored-bytes.js';
export {
  syncHolding,
  type SyncOptions,
  type SyncOutcome,
  type SyncReport,
} from './stored/sync-holding.js';
export { isSynthetic } from './columns/same-origin.js';
export { VOLUME_UNITS, type SeriesInfo, type SeriesKey, type VolumeUnit } from './stored/series.js';
export { formatRules, formatTier, type RecordsInfo } from './stored/records.js';
export type { SynthInstrument } from './synth/synth-instrument.js';
export {
  synthesizeCandles,
  SynthError,
  SynthStream,
  synthesizeMarkets,
  type SynthMarket,
  type SynthOptions,
} from './synth/synthesize-candles.js';
export { checkCandles, hasDefects, type CandleCheck, type Finding } from './check/check-candles.js';
export { checkCandleFile } from './import/check-candle-file.js';
export { checkHolding } from './check/check-holding.js';
export type { CheckStoredOptions } from './check/check-series.js';
export { FileMemory } from './files/file-memory.js';
export { mapConcurrently } from './files/map-concurrently.js';
export {
  importCandles,
  importMarks,
  type ImportOptions,
  type ImportReport,
} from './import/import-candles.js';
export { importFunding, type FundingImportReport } from './import/import-funding.js';
export {
  readBinaryFile,
  type BinaryFileRequest,
  type BinaryRows,
  type ReadBinaryFile,
} from './import/binary-file.js';
export type { CandleFileFormat } from './import/file-signatures.js';
export type { FileReport } from './import/found-files.js';
export type { RefusedRow } from './import/refused-rows.js';
export {
  exportCandles,
  exportFunding,
  EXPORT_FORMATS,
  type ExportFormat,
} from './export/export-rows.js';
export { mapBracketTiers } from './import/records/map-bracket-tiers.js';
export { mapExchangeRules, type MappedRules } from './import/records/map-exchange-rules.js';
export { readRecordFile, type RecordFile } from './import/records/read-record-file.js';
