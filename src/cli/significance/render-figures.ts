import { nounOf } from '../../domain/index.js';
import { countText, percentText, ratioText } from '../../report/index.js';
import { numberOfTrials, type SearchJudgment } from '../../research/index.js';
import { formatTable } from '../data/text-table.js';

/** Characters of the longest bar. */
const BAR = 40;
const P_DIGITS = 4;

/** The figures of a search, one line each, and the logits of PBO as bars. */
export function renderFigures(search: SearchJudgment): string {
  const { luck, spread, overfitting, reality, haircut } = search;
  const expected = [luck.effective, luck.raw].map(
    ({ trials, expectedBest }) => `${ratioText(expectedBest)} of ${numberOfTrials(trials)}`,
  );
  const rows = [
    [
      'Expected best of luck',
      `sharpe ${expected.join(', ')} trials; standard deviation of one ${ratioText(spread)}`,
    ],
    ['Minimum backtest (MinBTL)', minimumText(luck)],
    ["White's reality check", `p ${pText(reality.white.p)}, ${drawnText(reality)}`],
    ["Hansen's SPA", spaText(reality)],
    ['Haircut, sharpe left', haircutText(haircut)],
    ['PBO', pboText(overfitting)],
    ['Slope, outside on inside', ratioText(overfitting.slope)],
  ];
  const lines = formatTable(
    [
      { head: 'Figure', align: 'left' },
      { head: 'Value', align: 'left' },
    ],
    rows,
  );
  return `${lines}\n${describeLogits(overfitting)}`;
}

function minimumText({ effective, raw }: SearchJudgment['luck']): string {
  const [few, all] = [effective, raw].map(
    ({ trials, minimumYears }) => `${ratioText(minimumYears)} years for ${numberOfTrials(trials)}`,
  );
  return `${String(few)}, ${String(all)} trials; with less, luck alone is expected to reach this sharpe`;
}

function pText(p: number): string {
  return p.toFixed(P_DIGITS);
}

function drawnText({ draws, meanBlock }: SearchJudgment['reality']): string {
  return `${countText(draws)} draws of blocks of ${ratioText(meanBlock)} days`;
}

function spaText({ spa }: SearchJudgment['reality']): string {
  return `p ${pText(spa.consistent)}, between ${pText(spa.lower)} and ${pText(spa.upper)}; statistic ${ratioText(spa.statistic)}`;
}

function haircutText(haircut: SearchJudgment['haircut']): string {
  const left = [
    ['Bonferroni', haircut.bonferroni],
    ['Šidák', haircut.sidak],
    ['Holm', haircut.holm],
    ['BHY', haircut.bhy],
  ] as const;
  const said = left.map(([name, { sharpe, p }]) => `${name} ${ratioText(sharpe)} (p ${pText(p)})`);
  return `${said.join(', ')}; p ${pText(haircut.p)} alone`;
}

function pboText(overfitting: SearchJudgment['overfitting']): string {
  const { probability, blocks, droppedDays } = overfitting;
  const dropped =
    droppedDays === 0
      ? ''
      : `, the first ${nounOf(droppedDays, 'day', `${String(droppedDays)} days`)} left out`;
  return `${percentText(probability)}, ${String(blocks)} blocks${dropped}`;
}

/** Histogram of the logits: the best of one half of the days, ranked in the other half. PBO is the share of logits up to 0. */
function describeLogits({ histogram, splits }: SearchJudgment['overfitting']): string {
  const most = histogram.reduce((largest, { count }) => Math.max(largest, count), 1);
  return formatTable(
    [
      { head: 'Logit above', align: 'right' },
      { head: 'up to', align: 'right' },
      { head: 'Splits', align: 'right' },
      { head: '', align: 'left' },
    ],
    histogram.map(({ from, to, count }) => [
      ratioText(from),
      ratioText(to),
      percentText(count / splits),
      '█'.repeat(Math.ceil((BAR * count) / most)),
    ]),
  );
}
