import { present, UsageError } from '../../domain/index.js';
import {
  chooseSearch,
  foldLengthsOf,
  layOutFolds,
  MAX_COMBINATIONS,
  requireCandles,
  wholeDaysOf,
  type Fold,
  type FoldLengths,
  type PlannedFold,
  type Combination,
  type Search,
  type TrialSpan,
} from '../../research/index.js';
import { STRATEGY } from '../../strategy/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { openMarket, planTrials, readTrialSetup } from '../sweep/prepare-trials.js';
import type { SearchFlags } from '../sweep/sweep-flags.js';
import type { TrialSetup } from '../sweep/trial-pool.js';
import type { WalkForwardFlags } from './walk-forward-flags.js';

/** A walk before its first run. */
export interface PlannedWalk extends Pick<Search, 'space' | 'method' | 'seed' | 'goal'> {
  readonly setup: TrialSetup;
  readonly window: 'anchored' | 'rolling';
  readonly lengths: FoldLengths;
  readonly range: TrialSpan;
  readonly folds: readonly PlannedFold[];
}

/**
 * Reads the market, lays out the folds, and gives every run its id.
 *
 * @throws {UsageError} `E_USAGE`, `E_FOLDS`, `E_SWEEP_SIZE`; {ConfigError} and {DataError} as the backtests of the folds.
 */
export async function planWalk(
  bot: LoadedBot,
  flags: WalkForwardFlags,
  context: CliContext,
): Promise<PlannedWalk> {
  const search = chooseListed(bot, flags);
  const closing = closingAtEnd(bot);
  const setup = await readTrialSetup(closing, context);
  const window = flags.anchored === true ? 'anchored' : 'rolling';
  const market = await openMarket({ bot: closing, setup });
  const range = wholeDaysOf(walkRange(closing, market.series));
  const lengths = foldLengthsOf(range, flags);
  const spans = layOutFolds(range, lengths, window);
  requireCandles(spans, market.series);
  await market.close();
  requireFew(spans, search.combinations);
  const folds: PlannedFold[] = [];
  for (const fold of spans)
    folds.push(await planFold({ bot: closing, setup, fold }, search.combinations));
  return { ...search, setup, window, lengths, range, folds };
}

/** A search whose combinations are all known. */
interface ListedSearch extends Search {
  readonly combinations: readonly Combination[];
}

/** @throws as `chooseSearch`. */
export function chooseListed({ config, plugin }: LoadedBot, flags: SearchFlags): ListedSearch {
  const { parameters } = plugin.strategyClass[STRATEGY];
  const search = chooseSearch(flags, parameters, config.strategy.parameters);
  return { ...search, combinations: present(search.combinations, 'combinations') };
}

/** Positions at the end of a part are closed with their costs. The next part begins flat, so an open position would not count at all. */
function closingAtEnd(bot: LoadedBot): LoadedBot {
  const { config } = bot;
  return { ...bot, config: { ...config, simulation: { ...config.simulation, closeAtEnd: true } } };
}

/** The span in which the bot has candles, within the range of its file. */
export function walkRange(
  { config }: LoadedBot,
  series: readonly { readonly info: TrialSpan }[],
): TrialSpan {
  const { from, to = Number.POSITIVE_INFINITY } = config.simulation;
  const first = Math.min(...series.map(({ info }) => info.from));
  const last = Math.max(...series.map(({ info }) => info.to));
  return { from: Math.max(from ?? first, first), to: Math.min(to, last) };
}

async function planFold(
  { fold, ...ground }: { readonly bot: LoadedBot; readonly setup: TrialSetup; readonly fold: Fold },
  combinations: readonly Combination[],
): Promise<PlannedFold> {
  return {
    ...fold,
    inside: await planTrials({ ...ground, span: fold.train }, combinations),
    outside: await planTrials({ ...ground, span: fold.test }, combinations),
  };
}

function requireFew(folds: readonly Fold[], combinations: readonly Combination[]): void {
  const count = folds.length * combinations.length;
  if (count <= MAX_COMBINATIONS) return;
  throw new UsageError(
    'E_SWEEP_SIZE',
    `expected at most ${String(MAX_COMBINATIONS)} training runs, received ${String(count)}: ${String(combinations.length)} combinations in each of ${String(folds.length)} folds; use larger steps of parameters, --random or --sobol, or a longer --step`,
  );
}
