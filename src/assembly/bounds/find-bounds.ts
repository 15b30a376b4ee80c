import { formatFixed, StrategyError, UsageError, type Fixed } from '../../domain/index.js';
import {
  EquityRibbon,
  headlineOf,
  rangeBetween,
  rangeOfRuns,
  type BoundsFound,
  type KnownFigures,
  type RunRecord,
} from '../../report/index.js';
import type { LoadedMarket } from '../market/prepare-market.js';
import { replayBranch } from '../run-backtest.js';
import type { RunOptions } from '../run-options.js';
import { BranchRun } from './branch-run.js';
import { JunctionIndex, type Joining } from './junction-index.js';
import { searchBranches, type BranchEnding, type SearchResult } from './search-branches.js';

/** Most runs of a search. */
export const MOST_RUNS = 4_096;

/** Up to this number of runs, branches with different pasts are not joined: then every figure has its range. */
const MOST_WHOLE_RUNS = 256;

/** The runs to the two ends are repeated for their figures. */
const REPEATED_RUNS = 2;

/** Fewest runs of a budget: a first search, a second one, and the repeated runs. */
export const FEWEST_RUNS = 1 + 1 + REPEATED_RUNS;

/** Share of the money of contracts that a branch may lack compared with another and still join it. */
const RESERVE_SHARE = 10n;

interface BoundsOptions extends Omit<RunOptions, 'journal' | 'onBegin' | 'branch' | 'way'> {
  /** Largest number of runs, at least 4. @defaultValue {@link MOST_RUNS} */
  readonly budget?: number | undefined;
  /** Called with each run that begins. */
  readonly onRun?: ((runs: number) => void) | undefined;
}

/**
 * Finds the range of a backtest's figures over both orders of the extremes of every candle that can matter, in every branch (DESIGN R16).
 *
 * @throws as a backtest does, on any path; {UsageError} `E_USAGE` when the budget is too small; {StrategyError} `E_BOUNDS` when a strategy does not do the same twice.
 */
export async function findBounds(
  market: LoadedMarket,
  options: BoundsOptions,
): Promise<BoundsFound> {
  const budget = options.budget ?? MOST_RUNS;
  if (!Number.isSafeInteger(budget) || budget < FEWEST_RUNS)
    throw new UsageError(
      'E_USAGE',
      `budget: expected a whole number of runs, at least ${String(FEWEST_RUNS)}, received ${String(budget)}`,
    );
  const search = new BoundsSearch(market, options);
  const most = budget - REPEATED_RUNS;
  const whole = await search.over('whole', Math.min(most - 1, MOST_WHOLE_RUNS));
  if (whole.cut.length === 0) return search.found(whole, rangeOfRuns(search.figures));
  const found = await search.over('equity', most - whole.runs);
  const lowest = await search.repeat(found.lowest);
  const highest = await search.repeat(found.highest);
  return search.found(found, rangeBetween(lowest, highest));
}

class BoundsSearch {
  readonly #market: LoadedMarket;
  readonly #options: BoundsOptions;
  readonly #reserve: Fixed;
  readonly #ribbon = new EquityRibbon();
  #runs = 0;
  #isWalked = false;
  /** Figures of the last search's runs that went to their end. */
  figures: KnownFigures[] = [];

  constructor(market: LoadedMarket, options: BoundsOptions) {
    const { simulation, equityCurrency } = options.config;
    this.#market = market;
    this.#options = options;
    this.#reserve = (simulation.balances.futures?.get(equityCurrency) ?? 0n) / RESERVE_SHARE;
  }

  over(joining: Joining, budget: number): Promise<SearchResult> {
    this.figures = [];
    const junctions = new JunctionIndex(joining);
    return searchBranches({
      budget,
      createRun: (flips) => this.#createRun(flips, junctions),
      carryOut: async (run) => {
        const record = await this.#replay(run);
        if (record === undefined) return undefined;
        if (joining === 'whole') this.figures.push(headlineOf(record));
        return record.finalEquity;
      },
    });
  }

  /** Repeats the run to one end of the range, with all of its flips. */
  async repeat({ equity, flips }: BranchEnding): Promise<KnownFigures> {
    const record = await this.#replay(this.#createRun(flips, undefined));
    if (record?.finalEquity === equity) return headlineOf(record);
    const received = record === undefined ? 'nothing' : formatFixed(record.finalEquity);
    throw new StrategyError(
      'E_BOUNDS',
      `expected the run on the same path to end with ${formatFixed(equity)} again, received ${received}: the strategy keeps something from one run to the next, or reckons with numbers of intents`,
      { strategyId: this.#options.strategyClass.name, event: 'the range over all paths' },
    );
  }

  found({ cut, joined }: SearchResult, range: Pick<BoundsFound, 'low' | 'high'>): BoundsFound {
    const { budget = MOST_RUNS } = this.#options;
    const [first] = cut;
    const last = cut.at(-1);
    return {
      ...range,
      ribbon: this.#ribbon.finish(),
      exact: cut.length === 0 && !this.#isWalked,
      search: {
        runs: this.#runs,
        // Who runs the search again needs the same budget.
        ...(budget !== MOST_RUNS && { budget }),
        joined,
        cut:
          first === undefined || last === undefined
            ? null
            : { candles: cut.length, from: first.openTime, to: last.openTime },
      },
    };
  }

  #createRun(flips: BranchEnding['flips'], junctions: JunctionIndex | undefined): BranchRun {
    const { equityCurrency: currency } = this.#options.config;
    return new BranchRun({ flips, junctions, currency, reserve: this.#reserve });
  }

  async #replay(branch: BranchRun): Promise<RunRecord | undefined> {
    this.#runs += 1;
    this.#options.onRun?.(this.#runs);
    // A short run ends before its own first break, and a search has thousands of them.
    await this.#options.breathe?.();
    this.#options.signal?.throwIfAborted();
    const record = await replayBranch(this.#market, { ...this.#options, branch });
    if (record !== undefined) this.#ribbon.add(record);
    // The finer candles within a candle go to their nearest extreme first, whichever order is chosen. So the range is not exact.
    if (this.#options.config.simulation.path === 'finer' && record?.isPathAsked === true)
      this.#isWalked = true;
    return record;
  }
}
