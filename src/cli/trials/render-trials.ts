import { nounOf } from '../../domain/index.js';
import { countText, instantText, percentText, ratioText, shortHash } from '../../report/index.js';
import type { SearchCount, TrialRecord } from '../../research/ledger/index.js';
import { formatTable, type TextColumn } from '../data/text-table.js';

const UNKNOWN = 'n/a';

const left = (head: string): TextColumn => ({ head, align: 'left' });
const right = (head: string): TextColumn => ({ head, align: 'right' });

/** Describes a ledger for reading: its searches and their sum, and the listed trials if there are any. */
export function renderTrials(
  {
    searches,
    trials,
  }: { readonly searches: readonly SearchCount[]; readonly trials: readonly TrialRecord[] },
  ledger: string,
): string {
  if (searches.length === 0) return `no matching trials in ${ledger}\n`;
  const blocks = [describeSearches(searches), describeSum(searches)];
  if (trials.length > 0) blocks.push(describeTrials(trials));
  return blocks.join('\n');
}

function describeSearches(searches: readonly SearchCount[]): string {
  return formatTable(
    [
      ...['Strategy', 'Data'].map(left),
      ...['Trials', 'Failed', 'First', 'Last', 'Best sharpe'].map(right),
    ],
    searches.map(({ strategy, data, trials, failed, first, last, bestSharpe }) => [
      strategy,
      shortHash(data),
      countText(trials),
      countText(failed),
      dayText(first),
      dayText(last),
      ratioText(bestSharpe),
    ]),
  );
}

function dayText(time: number | undefined): string {
  return time === undefined ? UNKNOWN : instantText(time).slice(0, 10);
}

function describeSum(searches: readonly SearchCount[]): string {
  const trials = searches.reduce((sum, one) => sum + one.trials, 0);
  const [one, ...others] = searches;
  const counted = `${countText(trials)} ${nounOf(trials, 'trial')}`;
  if (one === undefined || others.length > 0)
    return `${counted} in ${countText(searches.length)} searches\n`;
  const since = one.first === undefined ? '' : ` since ${dayText(one.first)}`;
  return `${counted} of ${one.strategy} on data ${shortHash(one.data)}${since}\n`;
}

function describeTrials(trials: readonly TrialRecord[]): string {
  const figures = ({ outcome }: TrialRecord): readonly string[] =>
    outcome.status === 'failed'
      ? [outcome.code, '', '', '']
      : [
          ratioText(outcome.statistics.sharpe),
          percentText(outcome.statistics.totalReturn),
          percentText(outcome.statistics.maxDrawdown),
          countText(outcome.statistics.trades),
        ];
  return formatTable(
    [
      ...['Ended (UTC)', 'Run', 'Strategy', 'Data', 'Parameters'].map(left),
      ...['Sharpe', 'Return', 'Drawdown', 'Trades'].map(right),
    ],
    trials.map((trial) => [
      trial.at === undefined ? UNKNOWN : minuteText(trial.at),
      shortHash(trial.id),
      trial.strategy,
      shortHash(trial.data),
      Object.entries(trial.parameters)
        .map(([name, value]) => `${name} ${String(value)}`)
        .join(', '),
      ...figures(trial),
    ]),
  );
}

function minuteText(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
