import { z } from 'zod';
import {
  SERIES_KINDS,
  VOLUME_UNITS,
  type FundingInfo,
  type SeriesInfo,
  type StoredFile,
} from '../stored/series.js';
import {
  parseJsonFile,
  readStored,
  STORED_VERSION,
  storedCount,
  storedHash,
  storedInstrument,
  storedInterval,
  storedSources,
  storedTime,
  storedWord,
} from './stored-json.js';

/** Reads and writes the description of stored columns: as JSON beside the Arrow file, and inside the Arrow file without `file`. */
export interface MetadataCodec<Description> {
  /** Writes the JSON for people and programs. */
  format(info: Described<Description>): string;
  /** @throws {DataError} `E_DATA_METADATA` naming the file and the key. */
  parse(text: string, path: string): Described<Description>;
  formatDescription(description: Description): string;
  /** @throws {DataError} as {@link parse}. */
  parseDescription(text: string, path: string): Description;
}

/** A description with the size and the hashes of the file. */
export type Described<Description> = Description & { readonly file: StoredFile };

const versionSchema = z.object({ version: STORED_VERSION }, { error: 'an object' });
const fileSchema = z.object({
  file: z.object(
    { bytes: storedCount, sha256: storedHash, headBytes: storedCount, headSha256: storedHash },
    { error: 'an object' },
  ),
});

const candlesSchema = z.codec(
  z.object(
    {
      kind: storedWord(SERIES_KINDS),
      instrument: storedInstrument,
      interval: storedInterval,
      volumeUnit: storedWord(VOLUME_UNITS),
      sources: storedSources,
      rows: storedCount,
      from: storedTime,
      to: storedTime,
      gaps: storedCount,
      missing: storedCount,
      columnsSha256: storedHash,
    },
    { error: 'an object' },
  ),
  z.custom<Omit<SeriesInfo, 'file'>>(),
  {
    decode: ({ instrument: instrumentId, ...info }) => ({ ...info, instrumentId }),
    encode: ({ instrumentId: instrument, ...info }) => ({ ...info, instrument }),
  },
);

const fundingSchema = z.codec(
  z.object(
    {
      kind: z.literal('funding', { error: '"funding"' }),
      instrument: storedInstrument,
      sources: storedSources,
      rows: storedCount,
      from: storedTime,
      to: storedTime,
      columnsSha256: storedHash,
    },
    { error: 'an object' },
  ),
  z.custom<Omit<FundingInfo, 'file'>>(),
  {
    decode: ({ instrument: instrumentId, ...info }) => ({ ...info, instrumentId }),
    encode: ({ instrumentId: instrument, ...info }) => ({ ...info, instrument }),
  },
);

/**
 * Metadata of candles and mark prices.
 *
 * @example `{ "version": 1, "kind": "candles", "instrument": "spot:BTCUSDT", "interval": "1h", "volumeUnit": "base", "sources": ["btc.csv.gz"], "rows": 8760, "from": "2024-07-01T00:00:00Z", "to": "2025-07-01T00:00:00Z", "gaps": 0, "missing": 0, "columnsSha256": "…", "file": { "bytes": 421898, "sha256": "…", "headBytes": 1208, "headSha256": "…" } }`
 */
export const CANDLES_METADATA: MetadataCodec<Omit<SeriesInfo, 'file'>> = metadataOf(candlesSchema);

/**
 * Metadata of funding rates.
 *
 * @example `{ "version": 1, "kind": "funding", "instrument": "futures:E-BTC-USDT", "sources": ["funding.csv.gz"], "rows": 7323, "from": "2019-09-10T08:00:00Z", "to": "2026-05-17T00:00:00Z", "columnsSha256": "…", "file": { … } }`
 */
export const FUNDING_METADATA: MetadataCodec<Omit<FundingInfo, 'file'>> = metadataOf(fundingSchema);

function metadataOf<Description extends object>(
  schema: z.ZodType<Description, object>,
): MetadataCodec<Description> {
  return {
    format: (info) => {
      const document = { version: 1, ...z.encode(schema, info), file: info.file };
      return `${JSON.stringify(document, undefined, 2)}\n`;
    },
    parse: (text, path) => {
      const json = parseJsonFile(text, path);
      readStored(versionSchema, json, path);
      const description = readStored(schema, json, path);
      return { ...description, ...readStored(fileSchema, json, path) };
    },
    formatDescription: (description) => JSON.stringify(z.encode(schema, description)),
    parseDescription: (text, path) => readStored(schema, parseJsonFile(text, path), path),
  };
}
