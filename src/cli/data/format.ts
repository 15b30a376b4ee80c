import { formatUtc, nounOf } from '../../domain/index.js';
import type {
  CandleGap,
  FundingInfo,
  HoldingInfo,
  RecordsInfo,
  SeriesInfo,
} from '../../archive/index.js';

/** Writes a count for people: `1,033,226`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Writes a count with its noun: `1 row`, `2 rows`. */
export function formatNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${nounOf(count, singular, plural)}`;
}

/** Writes bytes for people: `2.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Makes the `--json` form of stored rows or records. */
export function holdingJson(info: HoldingInfo): Readonly<Record<string, unknown>> {
  switch (info.kind) {
    case 'candles':
    case 'mark':
      return seriesJson(info);
    case 'funding':
      return rowsJson(info, info.file);
    case 'rules':
    case 'tiers':
      return rowsJson(info, { bytes: info.bytes, sha256: info.entriesSha256 });
  }
}

/** Makes the `--json` form of a stored series. */
export function seriesJson(info: SeriesInfo): Readonly<Record<string, unknown>> {
  return {
    instrument: info.instrumentId,
    interval: info.interval,
    kind: info.kind,
    rows: info.rows,
    from: formatUtc(info.from),
    to: formatUtc(info.to),
    gaps: info.gaps,
    missing: info.missing,
    volumeUnit: info.volumeUnit,
    sources: info.sources,
    bytes: info.file.bytes,
    sha256: info.file.sha256,
  };
}

/** Makes the `--json` form of rows without an interval. `file`: size and hash of their file. */
function rowsJson(
  info: FundingInfo | RecordsInfo,
  file: { readonly bytes: number; readonly sha256: string },
): Readonly<Record<string, unknown>> {
  return {
    instrument: info.instrumentId,
    kind: info.kind,
    rows: info.rows,
    from: formatUtc(info.from),
    to: formatUtc(info.to),
    sources: info.sources,
    bytes: file.bytes,
    sha256: file.sha256,
  };
}

/** Describes stored rows or records in one line: `spot:BTCUSDT 1h: 8,760 rows from 2024-07-01T00:00:00Z to 2025-07-01T00:00:00Z, no gaps`. */
export function holdingLine(info: HoldingInfo): string {
  switch (info.kind) {
    case 'candles':
    case 'mark':
      return seriesLine(info);
    case 'funding':
      return `${info.instrumentId} funding: ${formatNoun(info.rows, 'rate')} from ${formatUtc(info.from)} to ${formatUtc(info.to)}`;
    case 'rules':
    case 'tiers':
      return `${info.instrumentId} ${info.kind}: ${formatNoun(info.rows, 'record')}, in force from ${info.rows === 1 ? formatUtc(info.from) : `${formatUtc(info.from)}, the last from ${formatUtc(info.to)}`}`;
  }
}

/** {@link holdingLine} of a series. */
export function seriesLine(info: SeriesInfo): string {
  const gaps =
    info.gaps === 0
      ? 'no gaps'
      : `${formatNoun(info.gaps, 'gap')} with ${formatNoun(info.missing, 'candle')} missing`;
  const name = info.kind === 'mark' ? `${info.instrumentId} mark` : info.instrumentId;
  return `${name} ${info.interval}: ${formatNoun(info.rows, 'row')} from ${formatUtc(info.from)} to ${formatUtc(info.to)}, ${gaps}`;
}

export function gapJson({ from, to, missing }: CandleGap): Readonly<Record<string, unknown>> {
  return { from: formatUtc(from), to: formatUtc(to), missing };
}
