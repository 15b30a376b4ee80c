import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { Engine } from '../../engine/index.js';
import type { LatencyModel, SimulatedVenue } from '../../simulator/index.js';
import type { VenueUpdate } from '../../venue/index.js';
import type { EquityRecorder } from './equity-recorder.js';
import type { GapRecorder } from './gap-recorder.js';
import type { MarkCursor } from './mark-cursor.js';
import type { SeriesCursor } from './series-cursor.js';
import type { StateWatch } from './state-watch.js';

/** What a replay is made of. */
export interface ReplayOptions {
  readonly engine: Engine;
  readonly venue: SimulatedVenue;
  /** In the order in which candles of one instant are delivered. */
  readonly cursors: readonly SeriesCursor[];
  readonly marks: MarkCursor;
  readonly equity: EquityRecorder;
  readonly gaps: GapRecorder;
  readonly latency: LatencyModel;
  /** When the run ends, with all that happens at that instant before candles open and commands arrive. */
  readonly end: EpochMs;
  /** From a candle's close to when the engine learns of it. */
  readonly dataDelayMs: number;
  /** Grid on which the engine learns what the venue did by itself (DESIGN R2). */
  readonly updatePollMs: number;
  /** Grid on which the stops of each instrument sample last (DESIGN R9). */
  readonly stopGrids: ReadonlyMap<InstrumentId, number>;
  /** @defaultValue nobody */
  readonly watch?: StateWatch | undefined;
  /**
   * Called once, before anything can be traded, with the time at which the first candle after warm-up opens; with the end of the run
   * when the strategy does not get warm before it.
   */
  readonly onStart: (from: EpochMs) => void;
}

/** How many orders and fills left what was held at the end. */
export interface Closing {
  readonly orders: number;
  readonly fills: number;
}

/** Plays stored candles through an engine and a simulated venue in the order of DESIGN R1. */
export interface Replay {
  /** Takes one update of the venue; give it to the venue as its `onUpdate`. */
  readonly receive: (update: VenueUpdate) => void;
  /** Goes on by so many instants, or to the end. Returns by how many: fewer than `most` at the end only. */
  advance(most: number): number;
  /**
   * Ends the run. The engine learns what happened at the venue by then; what has not arrived there, or waits there for a candle to open, ends
   * as expired. After that, where asked for, every position is left at the last close, with taker costs and without latency. Returns what
   * that took.
   */
  finish(options: { readonly closesPositions: boolean }): Closing;
  /** Candles delivered since the strategy was warm. */
  readonly candles: number;
  /** Whether the watch has ended the run before its data. */
  readonly isCut: boolean;
  /** Time of the last instant. */
  readonly now: EpochMs;
  /** Commands that the venue's rate limits held back. */
  readonly delayedCommands: number;
}
