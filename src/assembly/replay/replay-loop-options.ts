import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { Engine } from '../../engine/index.js';
import type { LatencyModel, SimulatedVenue } from '../../simulator/index.js';
import type { CandleFeed } from './candle-feed.js';
import type { EquityRecorder } from './equity-recorder.js';
import type { StateWatch } from './state-watch.js';

export type ReplayWay = 'fast' | 'plain';

export interface ReplayLoopOptions {
  readonly engine: Engine;
  readonly venue: SimulatedVenue;
  readonly feed: CandleFeed;
  readonly equity: EquityRecorder;
  readonly latency: LatencyModel;
  /** When the run ends, with all that happens at that instant before candles open and commands arrive. */
  readonly end: EpochMs;
  /** From a candle's close to when the engine learns of it. */
  readonly dataDelayMs: number;
  /** Grid on which the engine learns what the venue did by itself (DESIGN R2). */
  readonly updatePollMs: number;
  /** Grid on which the stops of each instrument sample last (DESIGN R9). */
  readonly stopGrids: ReadonlyMap<InstrumentId, number>;
  /** `plain`: every instant by itself; `fast`: those in which nothing can happen pass in batches. Both give the same bytes. */
  readonly way: ReplayWay;
  /** @defaultValue nobody */
  readonly watch?: StateWatch | undefined;
  /**
   * Called once, before anything can be traded, with the time at which the first candle after warm-up opens; with the end of the run
   * when the strategy does not get warm before it.
   */
  readonly onStart: (from: EpochMs) => void;
}
