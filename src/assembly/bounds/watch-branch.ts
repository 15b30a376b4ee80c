import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { Engine } from '../../engine/index.js';
import type { SimulatedVenue } from '../../simulator/index.js';
import type { BacktestConfig } from '../../config/index.js';
import type { EquityRecorder } from '../replay/equity-recorder.js';
import type { SeriesCursor } from '../replay/series-cursor.js';
import type { StateWatch } from '../replay/state-watch.js';
import type { BranchState } from './branch-points.js';
import type { BranchRun } from './branch-run.js';
import { splitState, freeCashOf } from './branch-state.js';

/** A run whose state a branch reads. */
interface WatchedRun {
  readonly config: BacktestConfig;
  readonly engine: Engine;
  readonly venue: SimulatedVenue;
  readonly equity: EquityRecorder;
  readonly cursors: readonly SeriesCursor[];
}

/** Lets a branch read the state of its run. */
export function watchBranch(branch: BranchRun, run: WatchedRun): StateWatch {
  branch.attach(run.engine);
  return {
    get isStirred() {
      return branch.isStirred;
    },
    stir: () => {
      branch.stir();
    },
    settle: (time) => branch.settle(time, () => readState(branch, run, time)),
  };
}

function readState(branch: BranchRun, run: WatchedRun, time: EpochMs): BranchState | undefined {
  const { config, engine, venue, equity } = run;
  const state = venue.state();
  if (state === undefined || engine.isUncertain) return undefined;
  return splitState(
    {
      engine: engine.checkpoint(),
      venue: state,
      staleInstruments: findStale(run, time),
      // Delays are drawn one after the other, so the number of draws decides the next delay. Timers follow from orders and inputs.
      others: [branch.inputs, branch.draws],
      history: [
        Array.from(engine.fills, ({ record, cause }) => ({ ...record, ...UNNAMED, cause })),
        engine.financings.map((financing) => ({ ...financing, ...UNNAMED })),
        equity.state,
      ],
    },
    freeCashOf(config),
  );
}

/** No figure of a range depends on the time of a fill within its candle, or on the id of its order. */
const UNNAMED = { eventTime: 0, time: 0, clientOrderId: '' } as const;

/** Instruments that receive no candle at `time`: their last price may be one that was sampled within a candle. */
function findStale({ config, cursors }: WatchedRun, time: EpochMs): ReadonlySet<InstrumentId> {
  const known = time - config.simulation.dataDelayMs;
  const stale = new Set(cursors.map(({ instrumentId }) => instrumentId));
  for (const cursor of cursors)
    if (cursor.nextCloseTime() <= known) stale.delete(cursor.instrumentId);
  return stale;
}
