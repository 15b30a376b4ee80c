import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { Engine } from '../../engine/index.js';
import type { LatencyModel, SimulatedVenue } from '../../simulator/index.js';
import type { VenueUpdate } from '../../venue/index.js';
import type { EquityRecorder } from './equity-recorder.js';
import type { GapRecorder } from './gap-recorder.js';
import type { MarkCursor } from './mark-cursor.js';
import type { SeriesCursor } from './series-cursor.js';
import type { StateWatch } from './state-watch.js';

/** The parts of a replay. */
export interface ReplayOptions {
  readonly engine: Engine;
  readonly venue: SimulatedVenue;
  /** In the order in which candles of one instant are delivered. */
  readonly cursors: readonly SeriesCursor[];
  readonly marks: MarkCursor;
  readonly equity: EquityRecorder;
  readonly gaps: GapRecorder;
  readonly latency: LatencyModel;
  /** End of the run. It includes everything at that instant before candles open and commands arrive. */
  readonly end: EpochMs;
  /** Time from a candle's close until the engine learns of it. */
  readonly dataDelayMs: number;
  /** Grid on which the engine learns of the venue's own actions (DESIGN R2). */
  readonly updatePollMs: number;
  /** Grid on which the stops of each instrument sample last (DESIGN R9). */
  readonly stopGrids: ReadonlyMap<InstrumentId, number>;
  /** @defaultValue none */
  readonly watch?: StateWatch | undefined;
  /**
   * Called once, before anything can be traded, with the time at which the first candle after warm-up opens; with the end of the run if the strategy does
   * not get warm before it.
   */
  readonly onStart: (from: EpochMs) => void;
}

/** Numbers of orders and fills that closed positions at the end. */
export interface Closing {
  readonly orders: number;
  readonly fills: number;
}

/** Plays stored candles through an engine and a simulated venue in the order of DESIGN R1. */
export interface Replay {
  /** Takes one update of the venue. Pass it to the venue as its `onUpdate`. */
  readonly receive: (update: VenueUpdate) => void;
  /** Moves on by at most `most` instants, or to the end. Returns their number: fewer than `most` only at the end. */
  advance(most: number): number;
  /**
   * Ends the run. The engine learns what happened at the venue by then. Orders that have not arrived there, or wait there for a candle to open, end as
   * expired. After that, with `closesPositions`, every position is closed at the last close, with taker costs and without latency. Returns the orders and
   * fills of these closes.
   */
  finish(options: { readonly closesPositions: boolean }): Closing;
  /** Number of candles delivered since the strategy is warm. */
  readonly candles: number;
  /** Whether the watch has ended the run before its data. */
  readonly isCut: boolean;
  /** Time of the last instant. */
  readonly now: EpochMs;
  /** Number of commands that the venue's rate limits delayed. */
  readonly delayedCommands: number;
}
