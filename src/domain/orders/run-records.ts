import type { Fixed } from '../amounts/fixed.js';
import type { InstrumentId } from '../instruments/instrument.js';
import type { EpochMs } from '../time.js';
import type { Work } from '../work.js';
import type { PositionAction } from './intent.js';
import type { QuantityUnit } from './order.js';
import type { Refusal } from './risk-decision.js';
import type { TradedAt } from './shortfall.js';

/** Refused intents with the same instrument, check and limit: a refusal with its time and instrument, and how often it came. */
export interface RecordedRefusal {
  /** Time of the first. */
  readonly time: EpochMs;
  readonly lastTime: EpochMs;
  readonly count: number;
  readonly instrumentId: InstrumentId;
  readonly refusal: Refusal;
}

/** Outcome of one worked intent, for one side of one instrument. */
export interface RecordedWork extends TradedAt {
  readonly intentId: number;
  readonly instrumentId: InstrumentId;
  readonly action: PositionAction;
  readonly label: string | undefined;
  readonly work: Work;
  /** Quantity that the intent asked for at first, in `unit`. */
  readonly quantity: Fixed;
  readonly unit: QuantityUnit;
  /** When risk was asked for the first of its orders. */
  readonly from: EpochMs;
  /** When the last of its orders ended; undefined while it is worked. */
  readonly to: EpochMs | undefined;
}

/** Money that a run paid besides trades, in the equity currency; negative when received. Already part of the equity. */
export interface RunCosts {
  /** Each as its fill valued it. */
  readonly fees: Fixed;
  readonly funding: Fixed;
  readonly interest: Fixed;
  /** Received: losses beyond the margin that the venue paid. */
  readonly insurance: Fixed;
}
