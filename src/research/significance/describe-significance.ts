import { nounOf } from '../../domain/index.js';
import { countText, instantText, percentText, ratioText } from '../../report/index.js';
import type { LuckOf, SearchJudgment, Significance, TrialAlone } from './significance-schema.js';

/** p-value above which luck can explain the best trial. */
const LUCK_CAN_EXPLAIN = 0.05;
/** Smallest probability that is written as a number; the largest is as far from 1. */
const LEAST_TOLD = 0.001;

/** One sentence of a judgment. */
interface SignificanceWords {
  readonly label: string;
  readonly text: string;
}

/** Describes a judgment, in the same words on the terminal and on a page. */
export function describeSignificance({
  strategy,
  trial,
  search,
}: Significance): readonly SignificanceWords[] {
  const track = { label: 'Track', text: describeTrack(trial) };
  if (search === null) {
    const text = 'unknown: pass --ledger FILE to judge it with all trials of its search';
    return [track, { label: 'Search', text }];
  }
  return [
    { label: 'Luck', text: describeLuck(strategy, trial, search) },
    { label: 'Reality', text: describeReality(search) },
    { label: 'Halves', text: describeHalves(search) },
    { label: 'Haircut', text: describeHaircut(trial, search) },
    track,
    ...describeLeftOut(search).map((text) => ({ label: 'Left out', text })),
  ];
}

/** Writes a number of trials, with one decimal if it is not whole. */
export function numberOfTrials(trials: number): string {
  return Number.isInteger(trials) ? countText(trials) : trials.toFixed(1);
}

/** Writes a share. If it is nearer than `least` to 0 or to 1, it is written as a bound. */
function shareText(share: number, least: number): string {
  if (share < least) return `less than ${percentText(least)}`;
  return share > 1 - least ? `more than ${percentText(1 - least)}` : percentText(share);
}

function describeLuck(
  strategy: string,
  { sharpe }: TrialAlone,
  { trials, luck }: SearchJudgment,
): string {
  const [few, all] = [luckText(luck.effective), luckText(luck.raw)];
  const share = few === all ? all : `${few} to ${all}`;
  const counted = `${countText(trials)} ${nounOf(trials, 'trial')} of ${strategy} on these data`;
  return `${counted}; by luck alone such a search reaches a best sharpe of ${ratioText(sharpe)} in ${share} of cases, for ${numberOfTrials(luck.effective.trials)} independent ${nounOf(luck.effective.trials, 'trial')} (because many are alike) or for ${countText(trials)}`;
}

function luckText({ probability }: LuckOf): string {
  return shareText(probability, LEAST_TOLD);
}

function describeReality({ reality, table }: SearchJudgment): string {
  const { draws, spa } = reality;
  const share = shareText(spa.consistent, 1 / draws);
  const said =
    spa.consistent > LUCK_CAN_EXPLAIN
      ? 'LUCK CAN EXPLAIN the best trial'
      : 'luck alone rarely does as well';
  return `if none of ${countText(table.trials)} trials has an edge, the best does at least as well in ${share} of ${countText(draws)} resampled histories of ${countText(table.days)} days: ${said}`;
}

function describeHalves({ overfitting }: SearchJudgment): string {
  const { splits, probability, lossProbability } = overfitting;
  return `in ${percentText(probability)} of ${countText(splits)} splits of the days into halves (luck: 50 %) the best trial of one half is not above the median of the other; in ${percentText(lossProbability)} it loses there`;
}

function describeHaircut({ sharpe }: TrialAlone, { haircut }: SearchJudgment): string {
  return `corrected for ${countText(haircut.tests)} ${nounOf(haircut.tests, 'test')}, a sharpe of ${ratioText(sharpe)} becomes ${ratioText(haircut.sidak.sharpe)}`;
}

function describeTrack({ sharpe, moments, minimumDays }: TrialAlone): string {
  const days = minimumDays.edition2012;
  const needed =
    days !== null
      ? `needs ${countText(Math.ceil(days))} days to be above 0 with 95 % confidence; it has ${countText(moments.count)}`
      : 'is not above 0, and more days do not change that';
  return `as the only trial, a sharpe of ${ratioText(sharpe)} ${needed}`;
}

function describeLeftOut({ table, trials }: SearchJudgment): readonly string[] {
  const without = trials - table.trials - table.otherDays - table.notDrawn;
  const parts = [
    [table.otherDays, 'with other days'],
    [without, 'without daily returns'],
    [table.notDrawn, 'not sampled, because there are too many to read'],
  ] as const;
  const missing = parts
    .filter(([count]) => count > 0)
    .map(([count, why]) => `${countText(count)} ${why}`);
  const judged = table.hasTrial ? '' : '; the judged trial is one of them';
  return missing.length === 0 && table.hasTrial
    ? []
    : [
        `from Reality and Halves, which compare ${instantText(table.from)} to ${instantText(table.to)}: ${missing.join(', ')}${judged}`,
      ];
}
