import { createMemoryArchive } from '../archive/index.js';
import { A_LIST, checkOptions, wholeFrom, type OptionChecks } from '../config/index.js';
import { closeTimeOf, DomainError, type Candle } from '../domain/index.js';
import {
  changeMarket,
  findLookAhead,
  runAuditJob,
  takeSnapshot,
  type AuditJob,
  type AuditRun,
  type MarketSnapshot,
} from '../research/index.js';
import type { StrategyClass, StrategyInstance } from '../strategy/index.js';
import type { PlayedShape } from './candle-shapes.js';
import { layOutCandles } from './lay-out-candles.js';
import { prepareTest } from './prepare-test.js';
import { START, START_CHECKS, type StartOptions, type TestedClass } from './start-strategy.js';

/** A factory for a strategy that is made from the candles of its run, such as one with precomputed signals. */
export interface MadeFromCandles {
  /** Receives the candles of each run: all of the first instrument and interval, then those of the next. */
  readonly madeFrom: (candles: readonly Candle[]) => TestedClass<StrategyInstance>;
}

export interface LookAheadOptions extends StartOptions {
  /** Candles of the whole run, as for `play`. The strategy must send orders in it. */
  readonly candles: readonly PlayedShape[];
  /** Number of instants at which the future is changed, in three ways each. @defaultValue 6 */
  readonly instants?: number | undefined;
  /** Seed of the instants and of the noise. @defaultValue 1 */
  readonly seed?: number | undefined;
}

const CHECKS: OptionChecks<LookAheadOptions> = {
  ...START_CHECKS,
  candles: { ...A_LIST, isRequired: true },
  ...{ instants: wholeFrom(1), seed: wholeFrom(0) },
};

/**
 * Backtests a strategy many times, each time with another future: from an instant on, candles are cut off, replaced by noise, or come one candle earlier.
 * Nothing that the strategy does before that instant may change. `audit` makes the same search.
 *
 * @param strategy - a class, the path or `file:` URL of a plugin, or a factory that makes a class from candles.
 * @throws {DomainError} `E_TEST_LOOK_AHEAD` with the first action that changed, its time and the change of the candles, or if two runs on the same candles
 * differ; `E_TEST_QUIET` if there is nothing to compare; {DataError} with the code of the failure if the strategy fails; as `startStrategy`.
 */
export async function expectNoLookAhead(
  strategy: TestedClass<StrategyInstance> | string | URL | MadeFromCandles,
  options: LookAheadOptions,
): Promise<void> {
  checkOptions(options, CHECKS);
  const { candles, start = START, instants = 6, seed = 1 } = options;
  const made = isMadeFromCandles(strategy) ? strategy.madeFrom : undefined;
  const { config, strategyClass } = await prepareTest(
    isMadeFromCandles(strategy) ? strategy.madeFrom([]) : strategy,
    options,
  );
  const archive = createMemoryArchive(layOutCandles(config, candles, start));
  const snapshot = await takeSnapshot(config, archive);
  const classOf = ({ change }: AuditJob): StrategyClass => {
    if (made === undefined) return strategyClass;
    const market = change === undefined ? snapshot : changeMarket(snapshot, change);
    return made(listCandles(market));
  };
  const run = (job: AuditJob): Promise<AuditRun> =>
    runAuditJob({ snapshot, strategyClass: classOf(job), sourceHash: 'test' }, job);
  const { compared, first } = await findLookAhead(
    { config, snapshot, seed, instants },
    oneAfterTheOther(run),
  );
  if (first !== undefined) throw new DomainError('E_TEST_LOOK_AHEAD', first.text);
  if (compared > 0) return;
  throw new DomainError(
    'E_TEST_QUIET',
    'expected candles in which the strategy sends orders (only orders can be compared), received none',
  );
}

function isMadeFromCandles(strategy: unknown): strategy is MadeFromCandles {
  return typeof strategy === 'object' && strategy !== null && 'madeFrom' in strategy;
}

/** Makes runs wait for each other: a plugin that keeps state outside its instances finds the state of the run before, not of two runs at once. */
function oneAfterTheOther(
  run: (job: AuditJob) => Promise<AuditRun>,
): (job: AuditJob) => Promise<AuditRun> {
  let before: Promise<unknown> = Promise.resolve();
  return (job) => {
    const ended = before.then(() => run(job));
    before = ended.catch(() => undefined);
    return ended;
  };
}

function listCandles({ series }: MarketSnapshot): readonly Candle[] {
  return series.flatMap(({ info: { instrumentId, interval }, columns }) =>
    Array.from(columns.openTime, (openTime, row): Candle => {
      const at = (name: 'open' | 'high' | 'low' | 'close' | 'volume'): number =>
        columns[name][row] as number;
      return {
        ...{ instrumentId, interval, openTime, closeTime: closeTimeOf(openTime, interval) },
        ...{ open: at('open'), high: at('high'), low: at('low'), close: at('close') },
        volume: at('volume'),
      };
    }),
  );
}
