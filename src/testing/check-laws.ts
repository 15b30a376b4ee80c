import type * as FastCheck from 'fast-check';
import { createMemoryArchive } from '../archive/index.js';
import { readTerms } from '../assembly/backtest/index.js';
import { A_FUNCTION, A_LIST, checkOptions, wholeFrom, type OptionChecks } from '../config/index.js';
import { DomainError, nominalIntervalMs, nounOf, StrategyError } from '../domain/index.js';
import {
  drawHistory,
  layOut,
  prepareGround,
  type FuzzGround,
  type History,
} from '../research/index.js';
import type { StrategyInstance } from '../strategy/index.js';
import { stepsOf, takeStep, type DrawnStep } from './drawn-steps.js';
import type { Law } from './laws.js';
import { prepareTest, type PreparedTest } from './prepare-test.js';
import { beginTest, START_CHECKS, type StartOptions, type TestedClass } from './start-strategy.js';
import { writeSteps } from './write-steps.js';

export interface LawOptions extends StartOptions {
  /** Laws in addition to the one for every strategy: it must not fail. */
  readonly laws: readonly Law[];
  /** Number of random markets. @defaultValue 50 */
  readonly runs?: number | undefined;
  /** The same seed gives the same markets. @defaultValue 1 */
  readonly seed?: number | undefined;
  /** Largest number of candles in a market. @defaultValue 40 */
  readonly candles?: number | undefined;
}

const CHECKS: OptionChecks<LawOptions> = {
  ...START_CHECKS,
  laws: { ...A_LIST, isRequired: true },
  ...{ runs: wholeFrom(1), seed: wholeFrom(0), candles: wholeFrom(1) },
};

/** Name of the law that is always checked. */
const NO_FAILURE = 'no failure';
/** Most attempts to make a failing market smaller. */
const MOST_TRIES = 1_000;

/**
 * Plays random markets with gaps, spikes, halts, flat stretches, thin volumes and changed rules, and checks the laws after each candle. Half of the markets
 * begin with quiet candles that warm the strategy up.
 *
 * @throws {DomainError} `E_TEST_LAW` with the broken law, the seed, and the smallest market that breaks it, as code of a test; `E_TEST_QUIET` if the
 * strategy sent no order in any market; {UsageError} `E_FUZZ_CANDLES` if no candles can be made for the strategy; as `startStrategy`.
 * @example see docs/testing.md
 */
export async function checkLaws(
  strategy: TestedClass<StrategyInstance> | string | URL,
  options: LawOptions,
): Promise<void> {
  checkOptions(options, CHECKS);
  for (const [index, law] of options.laws.entries())
    checkOptions({ [index]: law }, { [index]: A_FUNCTION }, 'laws');
  const { candles = 40 } = options;
  const prepared = await prepareTest(strategy, options);
  const { config, strategyClass } = prepared;
  const archive = createMemoryArchive([]);
  const { rules } = await readTerms(config, archive);
  const ground = await prepareGround({
    ...{ config, strategyClass, sourceHash: 'test', candles, rules, archive },
  });
  // Imported only here, because other tests do not need it.
  const fc = await import('fast-check');
  await new LawSession({ fc, ground, prepared, options }).check();
}

interface Breach {
  readonly law: string;
  readonly text: string;
  readonly steps: readonly DrawnStep[];
  readonly cause: unknown;
}

interface Drawn {
  readonly history: History;
  /** Whether quiet candles come first. */
  readonly isWarmed: boolean;
}

interface SessionParts {
  readonly fc: typeof FastCheck;
  readonly ground: FuzzGround;
  readonly prepared: PreparedTest;
  readonly options: LawOptions;
}

class LawSession {
  readonly #parts: SessionParts;
  #orders = 0;
  #found: Breach | undefined;
  #tries = 0;
  /** An error that the strategy did not cause. It ends the check. */
  #trouble: { readonly error: unknown } | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  async check(): Promise<void> {
    const { fc, ground, options } = this.#parts;
    const { runs = 50, seed = 1 } = options;
    const history = drawHistory(fc, {
      instruments: ground.starts.length,
      candleMs: nominalIntervalMs(ground.interval),
    });
    const property = fc.asyncProperty(
      fc.record({ history, isWarmed: fc.boolean() }),
      async (drawn) => this.#holds(drawn),
    );
    const { numRuns, numShrinks } = await fc.check(property, { seed, numRuns: runs });
    if (this.#trouble !== undefined) throw this.#trouble.error;
    if (this.#found !== undefined) {
      const { law, text, steps, cause } = this.#found;
      const smaller = `${String(numShrinks)} smaller ${nounOf(numShrinks, 'one')}`;
      const where = `in market ${String(numRuns)} of seed ${String(seed)}, and in ${smaller}`;
      throw new DomainError(
        'E_TEST_LAW',
        `${law} is violated ${where}: ${text}\nThe smallest:\n${writeSteps(steps)}`,
        { cause },
      );
    }
    if (this.#orders > 0) return;
    throw new DomainError(
      'E_TEST_QUIET',
      `expected a strategy that sends an order in at least one of ${String(runs)} markets (laws need orders), received none`,
    );
  }

  async #holds({ history, isWarmed }: Drawn): Promise<boolean> {
    if (this.#found !== undefined) this.#tries += 1;
    if (this.#trouble !== undefined || this.#tries > MOST_TRIES) return true;
    const { ground } = this.#parts;
    const laid = layOut(isWarmed ? ground : { ...ground, lead: 0 }, history);
    if (laid === undefined) return true;
    try {
      const broken = await this.#play(stepsOf(ground, laid));
      this.#found = broken ?? this.#found;
      return broken === undefined;
    } catch (error: unknown) {
      this.#trouble = { error };
      return true;
    }
  }

  /** Plays steps until a law is broken. After the first breach, only the law of that breach is checked. */
  async #play(steps: readonly DrawnStep[]): Promise<Breach | undefined> {
    const { prepared, options } = this.#parts;
    const test = await beginTest(prepared, options.start);
    const isWanted = (law: string): boolean => law === (this.#found?.law ?? law);
    const laws = options.laws
      .map((law, index) => ({ law, name: law.name || `law ${String(index + 1)}` }))
      .filter(({ name }) => isWanted(name));
    for (const [index, step] of steps.entries()) {
      const done = steps.slice(0, index + 1);
      try {
        takeStep(test, step);
      } catch (error: unknown) {
        if (!(error instanceof StrategyError)) throw error;
        if (!isWanted(NO_FAILURE)) return undefined;
        return { law: NO_FAILURE, text: error.message, steps: done, cause: error };
      }
      for (const { law, name } of laws) {
        const broken = judge(() => law(test, index === steps.length - 1));
        if (broken !== undefined) return { law: name, steps: done, ...broken };
      }
    }
    this.#orders += test.orders.length;
    return undefined;
  }
}

/** How a law is broken; undefined if it holds. */
function judge(law: () => unknown): Pick<Breach, 'text' | 'cause'> | undefined {
  let said: unknown;
  try {
    said = law();
  } catch (error: unknown) {
    return { text: error instanceof Error ? error.message : String(error), cause: error };
  }
  if (said === undefined) return undefined;
  if (typeof said === 'string') return { text: said, cause: undefined };
  const received = said instanceof Promise ? 'a promise' : JSON.stringify(said);
  const text = `expected a law that returns a text, or nothing if it holds, received ${received}`;
  return { text, cause: undefined };
}
