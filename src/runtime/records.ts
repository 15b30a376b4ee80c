import type { EpochMs, FillRecord, Fixed, InstrumentId, Refusal } from '../domain/index.js';

/** A refusal with when and for what it was given. */
export interface RecordedRefusal {
  readonly time: EpochMs;
  readonly instrumentId: InstrumentId;
  readonly refusal: Refusal;
}

/** A fill with what is needed to value it later. */
export interface RecordedFill {
  readonly record: FillRecord;
  /** Quantity step in force. */
  readonly step: Fixed;
  /** Units of the equity currency per unit of the instrument's quote, when the fill was learned. */
  readonly quoteRate: Fixed;
}
