import { DataError, type InstrumentId } from '../../domain/index.js';
import { stillStored, type HoldingKey } from '../archive-entry.js';
import { openFile } from '../files/data-file.js';
import { readMarks } from '../stored/marks.js';
import { readSeries } from '../stored/read-series.js';
import { RULES_CODEC, TIERS_CODEC, type RecordKind } from '../stored/records.js';
import type { SeriesKey } from '../stored/series.js';
import { readFunding } from '../stored/stored-funding.js';
import { readRecords } from '../stored/stored-records.js';
import type { CandleCheck } from './check-candles.js';
import { checkFunding } from './check-funding.js';
import { checkMarks } from './check-marks.js';
import { checkSeries, type CheckStoredOptions } from './check-series.js';

/**
 * Checks one stored holding completely: its checksum, its metadata, and every defect that its kind can have.
 *
 * @throws {DataError} as `checkSeries`, and as the reading of funding, rules and tiers.
 */
export async function checkHolding(
  directory: string,
  key: HoldingKey,
  options: CheckStoredOptions = {},
): Promise<CandleCheck> {
  switch (key.kind) {
    case 'candles':
      return checkSeries(directory, key, options);
    case 'mark':
      return checkStoredMarks(directory, { ...key, kind: 'mark' }, options);
    case 'funding':
      return checkFunding(stillStored(await readFunding({ directory, ...key }, {}), key));
    case 'rules':
    case 'tiers':
      return checkRecords(directory, key.instrumentId, key.kind);
  }
}

async function checkStoredMarks(
  directory: string,
  key: SeriesKey & { readonly kind: 'mark' },
  options: CheckStoredOptions,
): Promise<CandleCheck> {
  const check = await checkSeries(directory, key, options);
  const source = { directory, open: openFile };
  const { instrumentId, interval } = key;
  const marks = stillStored(await readMarks({ ...source, key }, {}), key);
  // Damage of the candles is reported where they are checked.
  const candles = await readSeries({ ...source, key: { instrumentId, interval } }, {}).catch(
    (error: unknown) => {
      if (error instanceof DataError) return undefined;
      throw error;
    },
  );
  return checkMarks(check, marks, candles);
}

async function checkRecords(
  directory: string,
  instrumentId: InstrumentId,
  kind: RecordKind,
): Promise<CandleCheck> {
  const stored =
    kind === 'rules'
      ? await readRecords({ directory, instrumentId, codec: RULES_CODEC })
      : await readRecords({ directory, instrumentId, codec: TIERS_CODEC });
  return {
    rows: stillStored(stored, { kind, instrumentId }).info.rows,
    findings: [],
    missing: 0,
    longestGaps: [],
  };
}
