import { prepareMarket, type BacktestConfig } from '../../../src/assembly/index.js';
import {
  groundSweep,
  openSnapshot,
  planSweep,
  runTrial,
  takeSnapshot,
  TrialCrash,
  type Combination,
  type SweepGround,
  type SweepPlan,
  type TrialGround,
  type TrialJob,
  type TrialRun,
  type TrialRunner,
} from '../../../src/research/index.js';
import {
  CandleStrategy,
  crossedAbove,
  crossedBelow,
  int,
  sma,
  type StrategyClass,
  type StrategyContext,
} from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../backtest-config.js';
import { januaryCandles } from '../cli/bot-folder.js';
import { createMemoryArchive } from '../memory-archive.js';
import { BTC } from '../replay.js';

/** Trades the crossings of two averages. Throws if `fast` is not below `slow`. */
export class Cross extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  constructor(context: StrategyContext) {
    super(context);
    if (this.parameters.fast >= this.parameters.slow) throw new Error('fast must be below slow');
  }

  override onCandle(): void {
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ equity: '0.9' });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}

/** A month of hourly candles, prepared for many runs. */
export async function aTrialGround(
  strategyClass: StrategyClass = Cross,
  config: BacktestConfig = aBacktestConfig({ instrumentId: BTC, interval: '1h' }),
): Promise<TrialGround> {
  const archive = createMemoryArchive([
    { instrumentId: BTC, interval: '1h', columns: januaryCandles() },
  ]);
  const snapshot = await takeSnapshot(config, archive);
  const market = await prepareMarket(config, openSnapshot(snapshot));
  return { config, market, strategyClass, sourceHash: 'a'.repeat(64) };
}

export function aSweepGround(ground: TrialGround): SweepGround {
  const { config, market, sourceHash, strategyClass } = ground;
  const strategy = strategyClass.name;
  return groundSweep({ config, market, strategy, sourceHash, engine: '0.1.0' });
}

export function aPlan(ground: TrialGround, combinations: readonly Combination[]): SweepPlan {
  return planSweep(combinations, aSweepGround(ground));
}

/** Grounds for parts of a range, or one ground for all parts. */
type Grounds = TrialGround | { of(where: Pick<TrialJob, 'span' | 'redraw'>): Promise<TrialGround> };

/** Runs combinations in this thread. `tried` has the combinations in the order in which they ended. */
export function inlineRunner(
  grounds: Grounds,
  jobs = 1,
  onRun: (parameters: Combination['parameters']) => void | Promise<void> = () => undefined,
): TrialRunner & { readonly tried: Combination['parameters'][]; readonly isClosed: () => boolean } {
  const tried: Combination['parameters'][] = [];
  let isClosed = false;
  return {
    jobs,
    tried,
    isClosed: () => isClosed,
    run: async ({ parameters, ...where }): Promise<TrialRun> => {
      await onRun(parameters);
      if (isClosed) throw new TrialCrash('the pool is closed');
      const ground = 'of' in grounds ? await grounds.of(where) : grounds;
      const run = await runTrial(ground, parameters);
      tried.push(parameters);
      return run;
    },
    close: async () => {
      isClosed = true;
    },
  };
}
