import { formatUtc, parseInstrumentId, parseUtc } from '../domain/index.js';
import type { FundingInfo } from './funding-info.js';
import { JsonObject, parseJsonFile } from './json-object.js';
import { METADATA_VERSION, parseStoredFile } from './metadata.js';

/**
 * Writes the metadata of funding rates.
 *
 * @example `{ "version": 1, "kind": "funding", "instrument": "futures:E-BTC-USDT", "sources": ["funding.csv.gz"], "rows": 7323, "from": "2019-09-10T08:00:00Z", "to": "2026-05-17T00:00:00Z", "columnsSha256": "…", "file": { … } }`
 */
export function formatFundingMetadata(info: FundingInfo): string {
  const document = { version: METADATA_VERSION, ...describeFunding(info), file: info.file };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** What of the metadata the Arrow file carries too. */
export function describeFunding(
  info: Omit<FundingInfo, 'file'>,
): Readonly<Record<string, unknown>> {
  return {
    kind: info.kind,
    instrument: info.instrumentId,
    sources: info.sources,
    rows: info.rows,
    from: formatUtc(info.from),
    to: formatUtc(info.to),
    columnsSha256: info.columnsSha256,
  };
}

/**
 * Reads the metadata of funding rates.
 *
 * @throws {DataError} `E_DATA_METADATA` naming the file and the key.
 */
export function parseFundingMetadata(text: string, path: string): FundingInfo {
  const root = new JsonObject(parseJsonFile(text, path), path, '');
  root.literal('version', METADATA_VERSION);
  return { ...parseFunding(root), file: parseStoredFile(root.object('file')) };
}

/**
 * Reads what an Arrow file of funding rates says of itself.
 *
 * @throws {DataError} `E_DATA_METADATA` naming the file and the key.
 */
export function parseFundingDescription(text: string, path: string): Omit<FundingInfo, 'file'> {
  return parseFunding(new JsonObject(parseJsonFile(text, path), path, ''));
}

function parseFunding(root: JsonObject): Omit<FundingInfo, 'file'> {
  root.literal('kind', 'funding');
  return {
    kind: 'funding',
    instrumentId: root.parsed('instrument', parseInstrumentId),
    sources: root.texts('sources'),
    rows: root.count('rows'),
    from: root.parsed('from', parseUtc),
    to: root.parsed('to', parseUtc),
    columnsSha256: root.sha256('columnsSha256'),
  };
}
