import type { Direction, EpochMs, Fixed, Instrument, InstrumentId } from '../../domain/index.js';
import type { ProtectionState } from './protection-state.js';

/** A position and its working opening orders. */
export interface Exposure {
  readonly instrument: Instrument;
  readonly direction: Direction;
  /** Base or contracts, > 0. */
  readonly quantity: Fixed;
  /** At last, in the equity currency, ≥ 0; undefined while a price is missing. */
  readonly notional: Fixed | undefined;
  /** Whether it is too small to be sold, and nothing is opened. Dust counts as no position (D-270). @defaultValue false */
  readonly isDust?: boolean;
}

/** Data for the guards beside the account: live and read-only, implemented by the engine. */
export interface ProtectionView {
  readonly state: ProtectionState;
  /** All positions that are held or being opened, of all strategies of the account. */
  exposures(): readonly Exposure[];
  /** Initial margin of futures positions and working opening orders, in the equity currency. */
  usedMargin(): Fixed;
  /** Working, pending and unknown orders of the whole account. */
  openOrders(): number;
  /** When the last price arrived; undefined before the first. */
  priceTime(instrumentId: InstrumentId): EpochMs | undefined;
  /** The funding times around now; undefined for an instrument without funding. */
  fundingTimes(
    instrumentId: InstrumentId,
  ): { readonly previous: EpochMs; readonly next: EpochMs } | undefined;
}
