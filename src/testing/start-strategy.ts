import path from 'node:path';
import { createMemoryArchive } from '../archive/index.js';
import {
  checkStrategy,
  createEngine,
  PaperVenue,
  readTerms,
  requireSimulation,
} from '../assembly/backtest/index.js';
import { readConfig } from '../config/index.js';
import { InvariantError, type EpochMs } from '../domain/index.js';
import type { StrategyContext, StrategyInstance, StrategyMark } from '../strategy/index.js';
import { CandleClock } from './candle-clock.js';
import { StrategyTest } from './strategy-test.js';
import { describeTest, type TestDescription } from './test-description.js';
import { TestedMarket } from './tested-market.js';
import { TestRecord } from './test-record.js';

export interface StartOptions extends TestDescription {
  /** When the first candle opens, UTC milliseconds. @defaultValue 2025-01-01T00:00:00Z, a Wednesday */
  readonly start?: EpochMs | undefined;
}

const START: EpochMs = Date.UTC(2025, 0, 1);

/** A strategy class, and what it makes. */
export type TestedClass<S extends StrategyInstance> = StrategyMark &
  (new (context: StrategyContext) => S) & { readonly name: string };

/**
 * Starts a strategy on the engine that backtests and bots run on, with the risk module and a simulated venue, and no candle yet: the test plays them. The
 * venue is that of a bot on paper ({@link StrategyTest}).
 *
 * @throws {ConfigError} or AggregateError of them for options that cannot be used, in the words of the command line; {StrategyError} `E_STRATEGY_START` where the
 * strategy throws as it starts.
 * @example see docs/testing.md
 */
export async function startStrategy<S extends StrategyInstance>(
  strategyClass: TestedClass<S>,
  options: StartOptions = {},
): Promise<StrategyTest<S>> {
  checkStrategy(strategyClass);
  const start = options.start ?? START;
  const config = requireSimulation(
    readConfig(describeTest(options), {
      name: 'options',
      directory: path.resolve('.'),
      given: [
        { block: 'strategy', key: 'path', text: 'strategy', by: 'a class' },
        { block: 'simulation', key: 'archive', text: 'candles', by: 'the test' },
      ],
    }),
  );
  const terms = await readTerms(config, createMemoryArchive([]));
  const clock = new CandleClock(config.instruments, start);
  const record = new TestRecord();
  const { watched, made } = watchConstruction(strategyClass);
  const engine = createEngine({
    config,
    strategyClass: watched,
    terms,
    constructed: start,
    journal: record,
    log: record.logAt(() => engine.now()),
  });
  engine.construct();
  const { strategy, context } = made();
  record.listen(context);
  engine.start(start);
  const market = new TestedMarket(engine, new PaperVenue(config, terms), terms.rules, start);
  return new StrategyTest({ strategy, context, engine, market, clock, record, config, terms });
}

interface Made<S> {
  readonly strategy: S;
  readonly context: StrategyContext;
}

/** The same class, but that what is made of it, and what it was given, are noted. */
function watchConstruction<S extends StrategyInstance>(
  strategyClass: TestedClass<S>,
): { readonly watched: TestedClass<S>; readonly made: () => Made<S> } {
  let noted: Made<S> | undefined;
  const watched = new Proxy(strategyClass, {
    construct(target, [context]: [StrategyContext]): S {
      const strategy = new target(context);
      noted = { strategy, context };
      return strategy;
    },
  });
  const made = (): Made<S> => {
    if (noted !== undefined) return noted;
    throw new InvariantError('E_MISSING', 'the strategy was not constructed');
  };
  return { watched, made };
}
