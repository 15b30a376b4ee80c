import { nounOf } from '../../domain/index.js';
import { countText, instantText, percentText, ratioText } from '../../report/index.js';
import type {
  LedgerSearch,
  LuckOf,
  SearchJudgment,
  Significance,
  TrialAlone,
} from '../../research/index.js';
import { formatTable } from '../data/text-table.js';
import { renderFigures } from './render-figures.js';
import { numberOfTrials, parametersText, shareText } from './significance-text.js';

const HASH_DIGITS = 12;
/** p-value above which luck is said to be enough. */
const LUCK_IS_ENOUGH = 0.05;

/**
 * Describes a judgment for reading: what it comes to in words, then the figures.
 *
 * @param others other searches in the same ledger.
 */
export function renderSignificance(
  significance: Significance,
  others?: LedgerSearch['others'],
): string {
  const { trial, search } = significance;
  const words =
    search === null
      ? [
          ...describeTrack(trial),
          'Search     not known: with --ledger FILE it is judged by all that were tried beside it',
        ]
      : [
          describeLuck(significance.strategy, trial, search),
          describeReality(search),
          describeHalves(search),
          describeHaircut(trial, search),
          ...describeTrack(trial),
          ...describeNotes(search),
          ...describeOthers(others),
        ];
  const blocks = [
    describeHead(significance),
    `${words.join('\n')}\n`,
    describeEditions(significance),
  ];
  if (search !== null) blocks.push(renderFigures(search));
  return blocks.join('\n');
}

function describeHead({ strategy, data, trial, search }: Significance): string {
  const parameters = parametersText(trial.parameters);
  const since = search?.since ?? null;
  const tried =
    search === null
      ? ''
      : `, ${countText(search.trials)} ${nounOf(search.trials, 'trial')}${since === null ? '' : ` since ${instantText(since).slice(0, 10)}`}`;
  return [
    `${strategy} on data ${data.slice(0, HASH_DIGITS)}${tried}`,
    `${parameters === '' ? 'no parameters' : parameters}: sharpe ${ratioText(trial.sharpe)} over ${countText(trial.moments.count)} days to ${instantText(trial.to)}`,
    '',
  ].join('\n');
}

function describeLuck(
  strategy: string,
  { sharpe }: TrialAlone,
  { trials, luck }: SearchJudgment,
): string {
  const [few, all] = [luckText(luck.effective), luckText(luck.raw)];
  const share = few === all ? all : `${few} to ${all}`;
  const counted = `${countText(trials)} ${nounOf(trials, 'trial')} of ${strategy} on these data`;
  return `Luck       ${counted}; a best sharpe of ${ratioText(sharpe)} is what luck alone reaches in ${share} of such searches: as ${numberOfTrials(luck.effective.trials)} independent trials, which is what so much alike they come to, or as ${countText(trials)}`;
}

/** A probability that is told as less, or as more, than one that can be read. */
const LEAST_TOLD = 0.001;

function luckText({ probability }: LuckOf): string {
  return shareText(probability, LEAST_TOLD);
}

function describeReality({ reality, table }: SearchJudgment): string {
  const { draws, spa } = reality;
  const share = shareText(spa.consistent, 1 / draws);
  const said =
    spa.consistent > LUCK_IS_ENOUGH
      ? 'LUCK IS ENOUGH to explain the best'
      : 'luck alone seldom does as well';
  return `Reality    where none of ${countText(table.trials)} trials has an edge, the best of them does as well in ${share} of ${countText(draws)} redrawn histories of ${countText(table.days)} days: ${said}`;
}

function describeHalves({ overfitting }: SearchJudgment): string {
  const { splits, probability, lossProbability } = overfitting;
  return `Halves     the best of one half of the days is no better than the middle in the other in ${percentText(probability)} of ${countText(splits)} splits (luck: 50 %), and loses there in ${percentText(lossProbability)}`;
}

function describeHaircut({ sharpe }: TrialAlone, { haircut }: SearchJudgment): string {
  return `Haircut    after ${countText(haircut.tests)} tests, of a sharpe of ${ratioText(sharpe)} is left ${ratioText(haircut.sidak.sharpe)}`;
}

function describeTrack({ sharpe, moments, minimumDays }: TrialAlone): readonly string[] {
  const days = minimumDays.edition2012;
  const needed = Number.isFinite(days)
    ? `needs ${countText(Math.ceil(days))} days until it is above 0 with 95 % confidence, were it the only trial; there are ${countText(moments.count)}`
    : 'is not above 0, however long it lasts';
  return [`Track      a sharpe of ${ratioText(sharpe)} ${needed}`];
}

function describeNotes({ table, trials }: SearchJudgment): readonly string[] {
  const without = trials - table.trials - table.otherDays - table.notDrawn;
  const parts = [
    [table.otherDays, 'of other days'],
    [without, 'without daily returns'],
    [table.notDrawn, 'not drawn, of more than can be read'],
  ] as const;
  const missing = parts
    .filter(([count]) => count > 0)
    .map(([count, why]) => `${countText(count)} ${why}`);
  const judged = table.hasTrial ? '' : '; the judged trial is one of them';
  return missing.length === 0 && table.hasTrial
    ? []
    : [
        `Left out   of Reality and Halves, which compare ${instantText(table.from)} to ${instantText(table.to)}: ${missing.join(', ')}${judged}`,
      ];
}

function describeOthers(others: LedgerSearch['others'] | undefined): readonly string[] {
  if (others === undefined || others.searches === 0) return [];
  const { searches, trials } = others;
  return [
    `Others     the ledger has ${countText(searches)} ${nounOf(searches, 'search', 'searches')} more, of ${countText(trials)} ${nounOf(trials, 'trial')}: --strategy and --data choose`,
  ];
}

function describeEditions({ trial, search }: Significance): string {
  const days = (count: number): string =>
    Number.isFinite(count) ? countText(Math.ceil(count)) : 'never';
  const deflated = ({ trials, dsr }: LuckOf): readonly string[] => [
    `DSR, as ${numberOfTrials(trials)} trials`,
    percentText(dsr.edition2014),
    percentText(dsr.edition2026),
  ];
  const { psr, minimumDays } = trial;
  return formatTable(
    [
      { head: 'Edition', align: 'left' },
      { head: '2012, 2014', align: 'right' },
      { head: '2026', align: 'right' },
    ],
    [
      ['PSR, above 0', percentText(psr.edition2012), percentText(psr.edition2026)],
      ['MinTRL, days', days(minimumDays.edition2012), days(minimumDays.edition2026)],
      ...(search === null ? [] : [deflated(search.luck.effective), deflated(search.luck.raw)]),
    ],
  );
}
