import { nounOf } from '../../domain/index.js';
import { countText, instantText, percentText, ratioText, shortHash } from '../../report/index.js';
import {
  describeSignificance,
  numberOfTrials,
  parametersText,
  type LedgerSearch,
  type LuckOf,
  type Significance,
} from '../../research/index.js';
import { formatTable } from '../data/text-table.js';
import { renderFigures } from './render-figures.js';

/**
 * Describes a judgment for reading: the conclusion in words, then the figures.
 *
 * @param others other searches in the same ledger.
 */
export function renderSignificance(
  significance: Significance,
  others?: LedgerSearch['others'],
): string {
  const { search } = significance;
  const words = [
    ...describeSignificance(significance).map(({ label, text }) => `${label.padEnd(10)} ${text}`),
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
    `${strategy} on data ${shortHash(data)}${tried}`,
    `${parameters === '' ? 'no parameters' : parameters}: sharpe ${ratioText(trial.sharpe)} over ${countText(trial.moments.count)} days to ${instantText(trial.to)}`,
    '',
  ].join('\n');
}

function describeOthers(others: LedgerSearch['others'] | undefined): readonly string[] {
  if (others === undefined || others.searches === 0) return [];
  const { searches, trials } = others;
  return [
    `Others     the ledger has ${countText(searches)} ${nounOf(searches, 'search', 'searches')} more, of ${countText(trials)} ${nounOf(trials, 'trial')}: choose with --strategy and --data`,
  ];
}

function describeEditions({ trial, search }: Significance): string {
  const days = (count: number | null): string =>
    count === null ? 'never' : countText(Math.ceil(count));
  const deflated = ({ trials, dsr }: LuckOf): readonly string[] => [
    `DSR, as ${numberOfTrials(trials)} ${nounOf(trials, 'trial')}`,
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
