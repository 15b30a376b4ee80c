import type { EpochMs, InstrumentId } from '../domain/index.js';
import type { StoredFile } from './series.js';

/** What an archive knows of stored funding rates without opening their columns. */
export interface FundingInfo {
  readonly kind: 'funding';
  readonly instrumentId: InstrumentId;
  /** As of a series: where the rows came from. */
  readonly sources: readonly string[];
  readonly rows: number;
  /** First settlement. */
  readonly from: EpochMs;
  /** Last settlement. */
  readonly to: EpochMs;
  /** SHA-256 of the values, see `hashFunding`. */
  readonly columnsSha256: string;
  readonly file: StoredFile;
}
