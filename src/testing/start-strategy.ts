import { createMemoryArchive } from '../archive/index.js';
import { createEngine, PaperVenue, readTerms } from '../assembly/backtest/index.js';
import { A_NUMBER, CHECKED_LATER, checkOptions, type OptionChecks } from '../config/index.js';
import { present, type EpochMs } from '../domain/index.js';
import type { StrategyContext, StrategyInstance, StrategyMark } from '../strategy/index.js';
import { CandleClock } from './candle-clock.js';
import { StrategyTest, type StrategyTestParts } from './strategy-test.js';
import { prepareTest, type PreparedTest } from './prepare-test.js';
import type { TestDescription } from './test-description.js';
import { TestedMarket } from './tested-market.js';
import { TestRecord } from './test-record.js';

export interface StartOptions extends TestDescription {
  /** Open time of the first candle, UTC milliseconds. @defaultValue 2025-01-01T00:00:00Z, a Wednesday */
  readonly start?: EpochMs | undefined;
}

/** Keys whose values the configuration checks, and the start. */
export const START_CHECKS: OptionChecks<StartOptions> = {
  ...{ parameters: CHECKED_LATER, instruments: CHECKED_LATER, risk: CHECKED_LATER },
  ...{ simulation: CHECKED_LATER, start: A_NUMBER },
};

/** Default open time of the first candle: a Wednesday. */
export const START: EpochMs = Date.UTC(2025, 0, 1);

/** A strategy class and the type of its instances. */
export type TestedClass<S extends StrategyInstance> = StrategyMark &
  (new (context: StrategyContext) => S) & { readonly name: string };

/**
 * Starts a strategy on the engine that backtests and bots use, with the risk module and a simulated venue. There is no candle yet: the test plays them. The
 * venue is that of a bot on paper ({@link StrategyTest}).
 *
 * @param strategy - a class, or the path or `file:` URL of a plugin, which is loaded as on the command line.
 * @throws {UsageError} `E_USAGE` for an unknown option; {ConfigError} or AggregateError of them for options that cannot be used, with the texts of the
 * command line; {StrategyError} `E_STRATEGY_START` if the strategy throws as it starts.
 * @example see docs/testing.md
 */
export async function startStrategy<S extends StrategyInstance = StrategyInstance>(
  strategy: TestedClass<S> | string | URL,
  options: StartOptions = {},
): Promise<StrategyTest<S>> {
  checkOptions(options, START_CHECKS);
  return beginTest<S>(await prepareTest(strategy, options), options.start);
}

/** Starts a prepared test, as often as needed: each time with a new engine, account and venue. */
export async function beginTest<S extends StrategyInstance>(
  { config, strategyClass }: PreparedTest,
  start: EpochMs = START,
): Promise<StrategyTest<S>> {
  const terms = await readTerms(config, createMemoryArchive([]));
  const clock = new CandleClock(config.instruments, start);
  const record = new TestRecord();
  let made: Pick<StrategyTestParts<S>, 'strategy' | 'context'> | undefined;
  const engine = createEngine({
    config,
    strategyClass,
    terms,
    constructed: start,
    journal: record,
    log: record.logAt(() => engine.now()),
    onConstructed: (instance, context) => {
      made = { strategy: instance as S, context };
      record.listen(context);
    },
  });
  engine.construct();
  engine.start(start);
  const market = new TestedMarket(engine, new PaperVenue(config, terms), terms.rules, start);
  return new StrategyTest({
    ...present(made, 'constructed strategy'),
    engine,
    market,
    clock,
    record,
    config,
    terms,
  });
}
