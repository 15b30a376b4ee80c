import type * as FastCheck from 'fast-check';
import { nominalIntervalMs } from '../../domain/index.js';
import { drawHistory } from './draw-history.js';
import type { FuzzGround } from './fuzz-ground.js';
import { FUZZ_VERSION, type Fuzz, type FuzzViolation } from './fuzz-schema.js';
import { inFewerWords, type History } from './history.js';
import { breach, type RunLaw } from './law.js';
import { layOut, type LaidOut } from './lay-out.js';
import { runHistory, type HistoryRun } from './run-history.js';

/** The law for every strategy: it does not fail. */
const NO_FAILURE = 'no failure';

/** The smallest history that breaks a law. */
export interface FoundHistory extends Omit<FuzzViolation, 'kept'> {
  readonly laid: LaidOut;
}

interface FuzzOptions {
  readonly strategy: string;
  readonly ground: FuzzGround;
  /** Laws in addition to {@link NO_FAILURE}. */
  readonly laws: readonly RunLaw[];
  /** Number of histories to draw. */
  readonly histories: number;
  /** The same seed draws the same histories. */
  readonly seed: number;
  /** Keeps a history as files, and returns their folder. */
  readonly keep: (found: FoundHistory) => Promise<string>;
  /** Ends the fuzz between two runs. Its reason is then thrown. */
  readonly signal: AbortSignal;
  /** Called after each run and awaited, so that the process can do other work. */
  readonly onRun?: ((progress: FuzzProgress) => Promise<void>) | undefined;
}

export interface FuzzProgress {
  /** Backtests so far. */
  readonly runs: number;
  /** Number of broken laws, including the law whose history is being made smaller. */
  readonly broken: number;
}

/**
 * Draws histories, backtests the strategy in each, and makes a history that breaks a law as small as possible. Each broken law gets one history.
 *
 * @throws errors that are no fault of the strategy; the signal's reason when interrupted.
 */
export async function runFuzz(options: FuzzOptions): Promise<Fuzz> {
  // Imported here: nothing else in the command line needs it.
  const fc = await import('fast-check');
  return new FuzzSession(fc, options).play();
}

/** Most tries to make a history smaller: each try is a backtest. */
const MOST_TRIES = 5_000;

class FuzzSession {
  readonly #fc: typeof FastCheck;
  readonly #options: FuzzOptions;
  #runs = 0;
  #broken = 0;
  /** An error that is no fault of the strategy. It ends the fuzz. */
  #trouble: { readonly error: unknown } | undefined;

  constructor(fc: typeof FastCheck, options: FuzzOptions) {
    this.#fc = fc;
    this.#options = options;
  }

  async play(): Promise<Fuzz> {
    const { strategy, ground, laws, histories, seed, keep } = this.#options;
    const violations: FuzzViolation[] = [];
    let left: readonly string[] = [NO_FAILURE, ...new Set(laws.map(({ text }) => text))];
    const all = left;
    // Each search draws the same histories, with the laws that are not yet known to be broken.
    for (;;) {
      const found = await this.#search(left);
      if (found === undefined) break;
      const { laid, ...violation } = found;
      violations.push({ ...violation, kept: await keep({ laid, ...violation }) });
      left = left.filter((law) => law !== found.law);
      if (left.length === 0) break;
    }
    return {
      version: FUZZ_VERSION,
      fuzz: {
        strategy,
        parameters: ground.config.strategy.parameters,
        source: ground.sourceHash,
        seed,
        histories,
        candles: ground.candles,
        interval: ground.interval,
        lead: ground.lead,
        laws: [...all],
        runs: this.#runs,
      },
      violations,
    };
  }

  /** Draws until one of the laws is broken, and makes that history smaller for this law alone. */
  async #search(laws: readonly string[]): Promise<FoundHistory | undefined> {
    const fc = this.#fc;
    const { ground, histories, seed, signal } = this.#options;
    let found: Breach | undefined;
    let tries = 0;
    const drawn = drawHistory(fc, {
      instruments: ground.starts.length,
      candleMs: nominalIntervalMs(ground.interval),
    });
    const property = fc.asyncProperty(drawn, async (history) => {
      if (found !== undefined) tries += 1;
      if (signal.aborted || this.#trouble !== undefined || tries > MOST_TRIES) return true;
      const broken = await this.#judge(found === undefined ? laws : [found.law], history);
      if (broken === undefined) return true;
      if (found === undefined) this.#broken += 1;
      found = broken;
      return false;
    });
    const { numRuns, numShrinks } = await fc.check(property, { seed, numRuns: histories });
    signal.throwIfAborted();
    if (this.#trouble !== undefined) throw this.#trouble.error;
    return found && { ...describeBreach(ground, found), history: numRuns, smaller: numShrinks };
  }

  /** The first law that a history breaks. */
  async #judge(laws: readonly string[], history: History): Promise<Breach | undefined> {
    const { ground, onRun } = this.#options;
    const laid = layOut(ground, history);
    if (laid === undefined) return undefined;
    let run: HistoryRun;
    try {
      run = await runHistory(ground, laid);
    } catch (error: unknown) {
      this.#trouble = { error };
      return undefined;
    }
    this.#runs += 1;
    await onRun?.({ runs: this.#runs, broken: this.#broken });
    if (run.status === 'failed') {
      const { code, message } = run;
      if (!laws.includes(NO_FAILURE)) return undefined;
      return { law: NO_FAILURE, value: null, failed: { code, message }, history, laid };
    }
    for (const law of this.#options.laws) {
      const value = laws.includes(law.text) ? breach(law, run.record) : undefined;
      if (value !== undefined) return { law: law.text, value, failed: null, history, laid };
    }
    return undefined;
  }
}

interface Breach extends Pick<FoundHistory, 'law' | 'value' | 'failed' | 'laid'> {
  readonly history: History;
}

function describeBreach(
  { starts }: FuzzGround,
  { law, value, failed, history, laid }: Breach,
): Omit<FoundHistory, 'history' | 'smaller'> {
  return {
    ...{ law, value, failed, laid },
    candles: laid.candles,
    lateMs: laid.lateMs,
    markets: history.markets.map((stretches, index) => ({
      instrument: starts[index]?.instrumentId ?? '',
      stretches: [...inFewerWords(stretches)],
    })),
  };
}
