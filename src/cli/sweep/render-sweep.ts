import { nounOf, present } from '../../domain/index.js';
import { countText, percentText } from '../../report/index.js';
import {
  constraintLines,
  describeLuck,
  describeSearch,
  figureOf,
  figureText,
  hasFigureConstraint,
  luckOfSearch,
  parametersText,
  rankTrials,
  type ObjectiveName,
  type Sweep,
  type SweepTrial,
} from '../../research/index.js';
import { formatTable, type TextColumn } from '../data/text-table.js';
import { withCode } from '../describe-error.js';

/** Most combinations in the table; the document has all. */
const SHOWN = 10;
/** Most kinds of failure in the text. */
const SHOWN_FAILURES = 5;

const FIGURES = [
  'totalReturn',
  'sharpe',
  'maxDrawdown',
] as const satisfies readonly ObjectiveName[];
/** Facts for the text that are not in the document of a sweep. */
interface SweepSearch {
  /** Path of the ledger for the text. */
  readonly ledger: string;
  /** Number of earlier trials of the strategy on these data, by other sweeps. */
  readonly before: number;
}

/** Describes a sweep for reading: the best combinations, how far to trust the best, and the failures. */
export function renderSweep(sweep: Sweep, search: SweepSearch): string {
  const blocks = [describeHead(sweep), describeTable(sweep), describeVerdict(sweep, search)];
  return blocks.filter((block) => block !== '').join('\n');
}

function describeHead({ sweep, counts }: Sweep): string {
  const { strategy, instruments, search, seed, objective, best, constraints = [] } = sweep;
  const by = `${objective} (the ${best} is the best)`;
  const against = sweep.against ? ` and ${sweep.against.name} (the ${sweep.against.best})` : '';
  return [
    `${strategy} on ${instruments.join(', ')}`,
    `${countText(counts.combinations)} ${nounOf(counts.combinations, 'combination')} of ${describeSearch(search, seed)}, ranked by ${by}${against}`,
    ...constraintLines(constraints),
    '',
  ].join('\n');
}

function describeTable(sweep: Sweep): string {
  const { objective, against, axes } = sweep.sweep;
  const ranked = shownTrials(sweep).filter(({ status }) => status === 'finished');
  const seconds = against ? [against.name] : [];
  const names = [...new Set<ObjectiveName>([objective, ...seconds, ...FIGURES])];
  if (ranked.length === 0) return '';
  const right = (head: string): TextColumn => ({ head, align: 'right' });
  const columns = [
    right('#'),
    ...axes.map(({ name }) => right(name)),
    ...[...names, 'trades'].map(right),
  ];
  const rows = ranked
    .slice(0, SHOWN)
    .map((trial, index) => [
      String(index + 1),
      ...axes.map(({ name }) => String(trial.parameters[name])),
      ...names.map((name) => figureText(name, figureOf(trial, { name }))),
      trial.status === 'finished' ? countText(trial.statistics.trades) : '',
    ]);
  const more = ranked.length - SHOWN;
  return `${formatTable(columns, rows)}${more > 0 ? `and ${countText(more)} more\n` : ''}`;
}

/** With one objective all trials, the best first; with two objectives the front. */
function shownTrials(sweep: Sweep): readonly SweepTrial[] {
  const { front = null, trials } = sweep;
  return front === null
    ? rankTrials(sweep)
    : front.map((index) => present(trials[index], 'trial of the front'));
}

function describeVerdict(sweep: Sweep, { ledger, before }: SweepSearch): string {
  const lines = [
    ...describeEnd(sweep),
    ...describeBest(sweep),
    ...describeFailures(sweep),
    ...describeNotSame(sweep),
    ...luckLines(sweep, before),
    `Ledger     ${ledger}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Describes the limits of the search: the front of two objectives, trials without a rank, an early end. */
function describeEnd({ sweep, counts, front = null }: Sweep): readonly string[] {
  const { against, constraints = [], stopAfter = null, generations = [] } = sweep;
  const isBound = hasFigureConstraint(constraints);
  return [
    ...(front === null || !against
      ? []
      : [
          `Front      ${countText(front.length)} of ${countText(counts.combinations)}: no other has a better ${sweep.objective} without a worse ${against.name}`,
        ]),
    ...(isBound && counts.unranked > 0
      ? [
          `Left out   ${countText(counts.unranked)} ${nounOf(counts.unranked, 'combination that breaks a constraint or has', 'combinations that break a constraint or have')} no ${sweep.objective}`,
        ]
      : []),
    ...(stopAfter === null
      ? []
      : [
          `Stop       after ${countText(stopAfter)} in a row without improvement; ${countText(generations.length)} ${nounOf(generations.length, 'generation')} ran`,
        ]),
  ];
}

function describeBest({ best, sweep, counts }: Sweep): readonly string[] {
  const { objective } = sweep;
  if (best === null)
    return [
      counts.finished === 0
        ? 'Best       none: no combination finished'
        : `Best       none: no combination has a ${objective}`,
    ];
  const text = (figure: number | null): string => figureText(objective, figure);
  const edge = best.edges.map(
    (name) =>
      `Edge       the best has the first or last value of ${name}: a better one may lie beyond`,
  );
  const first = `Best       ${parametersText(best.parameters)}: ${objective} ${text(best.figure)}, median of all ${text(best.median)}`;
  return [first, describePeak(best, text), ...edge];
}

function describePeak(
  { peak, neighbors, neighborMedian, figure, median }: NonNullable<Sweep['best']>,
  text: (figure: number | null) => string,
): string {
  const known = neighbors.filter((neighbor) => neighbor.figure !== null).length;
  if (peak === 'unknown' || neighborMedian === null)
    return 'Neighbors  none has a figure: unknown whether the best is a lone peak';
  const said = `${String(known)} with a median of ${text(neighborMedian)} keep ${keptText((neighborMedian - median) / (figure - median))} of its lead over the median of all`;
  return peak === 'lone'
    ? `Neighbors  ${said}: a LONE PEAK, more likely luck than the market`
    : `Neighbors  ${said}`;
}

function luckLines(sweep: Sweep, before: number): readonly string[] {
  const luck = luckOfSearch(sweep, before);
  const { strategy } = sweep.sweep;
  return luck === undefined ? [] : [`Luck       ${describeLuck(luck, { strategy, before })}`];
}

/** Text of a share of a lead; NaN if there is no lead. */
function keptText(share: number): string {
  if (Number.isNaN(share)) return 'all';
  return share <= 0 ? 'nothing' : percentText(share);
}

/** Describes failures with the same text once, with the first combination that had them. */
function describeFailures({ trials }: Sweep): readonly string[] {
  const kinds = new Map<string, SweepTrial[]>();
  for (const trial of trials) {
    if (trial.status !== 'failed') continue;
    const text = withCode(trial);
    const alike = kinds.get(text) ?? [];
    alike.push(trial);
    kinds.set(text, alike);
  }
  const lines = [...kinds].slice(0, SHOWN_FAILURES).map(([message, alike]) => {
    const first = present(alike[0], 'failed trial');
    return `Failed     ${String(alike.length)} × ${message}; the first was ${parametersText(first.parameters)}`;
  });
  const more = kinds.size - lines.length;
  return more > 0 ? [...lines, `Failed     ${String(more)} more messages, see --json`] : lines;
}

/** Describes reasons why a combination may differ from a run alone, and the combinations that were found to differ. */
function describeNotSame({ warnings, trials, differences }: Sweep): readonly string[] {
  const noticing = trials.filter((trial) => trial.status === 'finished' && trial.noticed);
  const [first] = noticing;
  const noticed = first?.status === 'finished' ? (first.noticed ?? []) : [];
  const differs = differences.map(({ parameters, figures }) => {
    const [figure] = figures.filter(({ name }) => name === 'equity.final').concat(figures);
    const { name, sweep, alone } = present(figure, 'figure that differs');
    return `Differs    ${parametersText(parameters)}: ${name} ${String(alone)} alone, ${String(sweep)} in the sweep: earlier runs affect it (E_SWEEP_DIFFERS)`;
  });
  return [
    ...warnings.slice(0, SHOWN_FAILURES).map((warning) => `Warning    ${warning}`),
    ...noticed
      .slice(0, SHOWN_FAILURES)
      .map(
        (text) =>
          `Noticed    in ${String(noticing.length)} ${nounOf(noticing.length, 'combination')}; the first: ${text}`,
      ),
    ...differs,
  ];
}
