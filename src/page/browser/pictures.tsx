import { useCallback, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import type { RunPage } from '../page-data.js';
import { Legend } from './equity.js';
import { Picture } from './picture.js';
import { axes, Plot, type Colors } from './plot.js';
import { Beside, Section } from './table.js';
import type { ViewStore } from './view.js';
import {
  amountDecimals,
  amountText,
  dayText,
  numberText,
  percentDecimals,
  percentText,
} from './words.js';

const MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
  'Year',
];

const YEAR = MONTHS.indexOf('Year');

/** Returns by month and year. The background color of a month shows its size. */
export function Months({ run }: { readonly run: RunPage }) {
  const years = [...new Set(run.months.map(({ year }) => year))];
  const told = run.months.map(({ month }) => month).filter((month) => month > 0);
  const [first, last] = [Math.min(...told), Math.max(...told)];
  // Leaves out months before the first and after the last month of all years. Month 0 is the whole year.
  const columns = MONTHS.flatMap((name, index) =>
    index === YEAR || (index + 1 >= first && index + 1 <= last)
      ? [{ name, month: (index + 1) % MONTHS.length, isYear: index === YEAR }]
      : [],
  );
  const of = (year: number, month: number) =>
    run.months.find((one) => one.year === year && one.month === month);
  const most = Math.max(
    0,
    ...run.months.filter(({ month }) => month > 0).map(({ value }) => Math.abs(value ?? 0)),
  );
  const decimals = Math.max(2, percentDecimals(most));
  return (
    <Section title="Months and years" id="months">
      <div class="scroll">
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">Year</th>
              {columns.map(({ name }) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {years.map((year) => (
              <tr>
                <th scope="row">{year}</th>
                {columns.map(({ month, isYear }) => {
                  const cell = of(year, month);
                  if (cell === undefined) return <td />;
                  const share = most === 0 ? 0 : Math.min(1, Math.abs(cell.value ?? 0) / most);
                  const side = (cell.value ?? 0) < 0 ? 'bad' : 'good';
                  return (
                    <td
                      class={isYear ? 'sum' : ''}
                      style={
                        isYear
                          ? ''
                          : `background: color-mix(in srgb, var(--${side}) ${(share * 55).toFixed(0)}%, transparent)`
                      }
                    >
                      {percentText(cell.value, decimals)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">Returns over UTC months; the first and the last may be parts of one.</p>
    </Section>
  );
}

export function Returns({ run }: { readonly run: RunPage }) {
  const { bins, rolling } = run;
  const decimals = percentDecimals((bins.at(-1)?.to ?? 0) - (bins[0]?.from ?? 0));
  const make = useCallback((colors: Colors) => rollingPlot(run, colors), [run]);
  return (
    <Section title="Daily returns" id="returns">
      <div class="pair">
        <div>
          {bins.length === 0 ? (
            <p class="note">The run has no whole days.</p>
          ) : (
            <>
              <Histogram
                label="Distribution of daily returns"
                bins={bins}
                text={(value) => percentText(value, decimals)}
              />
              <Beside
                caption="distribution of daily returns"
                head={['From', 'To', 'Days']}
                rows={() =>
                  bins.map(({ from, to, count }) => [
                    percentText(from, decimals + 1),
                    percentText(to, decimals + 1),
                    String(count),
                  ])
                }
              />
            </>
          )}
        </div>
        <div>
          {rolling.points.every(({ sharpe }) => sharpe === null) ? (
            <p class="note">
              Rolling figures need {rolling.days} daily returns that are not all the same.
            </p>
          ) : (
            <>
              <Legend
                items={[
                  ['accent', `Sharpe over ${String(rolling.days)} days`],
                  ['other', 'Volatility (right)'],
                ]}
              />
              <Plot
                label={`Rolling Sharpe and volatility over ${String(rolling.days)} days`}
                height={200}
                make={make}
              />
              <Beside
                caption="rolling Sharpe and volatility"
                head={['Day ends', 'Sharpe', 'Volatility']}
                rows={() =>
                  rolling.points.map(({ time, sharpe, volatility }) => [
                    dayText(time),
                    numberText(sharpe),
                    percentText(volatility),
                  ])
                }
              />
            </>
          )}
        </div>
      </div>
    </Section>
  );
}

const BARS_TOP = 24;
const BARS_BOTTOM = 184;
/** Least pixels between the numbers below the bars. Long numbers need more. */
const TICK_WIDTH = 84;
const DIGIT_WIDTH = 9;

/** Bars, each with a tooltip of its range and count. The line above them shows the count of the highest bar. */
export function Histogram({
  label,
  bins,
  text,
  marks = [],
}: {
  readonly label: string;
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly text: (value: number) => string;
  readonly marks?: readonly { readonly at: number; readonly text: string }[];
}) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1];
  const tickWidth = bins.reduce(
    (most, { from }) => Math.max(most, text(from).length * DIGIT_WIDTH),
    TICK_WIDTH,
  );
  const draw = (width: number) => {
    const x = (value: number): number =>
      last === first ? width / 2 : ((value - first) / (last - first)) * width;
    const every = Math.ceil(bins.length / Math.max(1, Math.floor(width / tickWidth)));
    const isRight = (at: number): boolean => x(at) > width * 0.66;
    return (
      <>
        <line class="most" x1={0} x2={width} y1={BARS_TOP} y2={BARS_TOP} />
        <text x={0} y={BARS_TOP - 4}>
          {String(most)}
        </text>
        {bins.map(({ from, to, count }) => {
          const height = (count / most) * (BARS_BOTTOM - BARS_TOP);
          return (
            <rect
              class={from < 0 && to <= 0 ? 'bad' : 'good'}
              x={x(from) + 1}
              y={BARS_BOTTOM - height}
              width={Math.max(1, last === first ? width / 10 : x(to) - x(from) - 2)}
              height={height}
            >
              <title>{`${text(from)} to ${text(to)}: ${String(count)}`}</title>
            </rect>
          );
        })}
        {bins.map(
          ({ from }, index) =>
            index % every === 0 && (
              <text x={x(from)} y={BARS_BOTTOM + 18} text-anchor={index === 0 ? 'start' : 'middle'}>
                {text(from)}
              </text>
            ),
        )}
        {marks.map(({ at, text: word }, index) => (
          <g>
            <line x1={x(at)} x2={x(at)} y1={BARS_TOP} y2={BARS_BOTTOM} />
            <text
              x={x(at) + (isRight(at) ? -5 : 5)}
              y={BARS_TOP + 14 + index * 15}
              text-anchor={isRight(at) ? 'end' : 'start'}
            >
              {word}
            </text>
          </g>
        ))}
        <line class="axis" x1={0} x2={width} y1={BARS_BOTTOM} y2={BARS_BOTTOM} />
      </>
    );
  };
  return <Picture kind="histogram" label={label} height={BARS_BOTTOM + 26} draw={draw} />;
}

function rollingPlot(
  { rolling }: RunPage,
  colors: Colors,
): { readonly options: Omit<uPlot.Options, 'width' | 'height'>; readonly data: uPlot.AlignedData } {
  const right: uPlot.Axis = {
    ...axes(colors, 'percent')[1],
    scale: 'volatility',
    // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the enums of the library are in its types alone
    side: 1,
    grid: { show: false },
  };
  return {
    options: {
      scales: { volatility: {} },
      axes: [...axes(colors), right],
      series: [
        {},
        {
          label: 'Sharpe',
          stroke: colors.accent,
          width: 1.5,
          points: { show: false },
          value: (_, value: number | null) => numberText(value),
        },
        {
          label: 'volatility',
          scale: 'volatility',
          stroke: colors.other,
          dash: [6, 4],
          width: 1.5,
          points: { show: false },
          value: (_, value: number | null) => percentText(value),
        },
      ],
      legend: { live: true },
      cursor: { drag: { x: false, y: false } },
    },
    data: [
      rolling.points.map(({ time }) => time),
      rolling.points.map(({ sharpe }) => sharpe),
      rolling.points.map(({ volatility }) => volatility),
    ],
  };
}

/** The greatest value, but at least 1e-9, so that it can be a divisor. */
function greatest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 1e-9);
}

const HEIGHT = 260;
/** Room above the dots for the line of text. Where no trade gained, the line of 0 is the upper edge. */
const ABOVE = 26;
const MOST_DOTS = 2_000;

/** Each trade by its MAE or MFE, and by its profit. */
export function Excursions({ run, store }: { readonly run: RunPage; readonly store: ViewStore }) {
  const [kind, setKind] = useState<'mae' | 'mfe'>('mae');
  const { trades, currency } = run;
  if (trades === null || trades.profit.length === 0) return null;
  const every = Math.ceil(trades.profit.length / MOST_DOTS);
  const xs = trades[kind].map((amount) => Math.abs(Number(amount)));
  const ys = trades.profit.map(Number);
  const [right, top, bottom] = [greatest(xs), greatest(ys), -greatest(ys.map((value) => -value))];
  // The extreme trades that the labels name are always drawn.
  const places = ys.flatMap((value, place) =>
    place % every === 0 || value === top || value === bottom || xs[place] === right ? [place] : [],
  );
  const decimals = amountDecimals(trades.profit);
  const y = (value: number): number =>
    ABOVE + ((top - value) / (top - bottom)) * (HEIGHT - ABOVE - 30);
  const name = kind === 'mae' ? 'Largest loss while held' : 'Largest profit while held';
  return (
    <Section title="Excursions (MAE, MFE)" id="excursions">
      <div class="row" role="group" aria-label="which excursion">
        <button aria-pressed={kind === 'mae'} onClick={() => setKind('mae')}>
          MAE: largest loss
        </button>
        <button aria-pressed={kind === 'mfe'} onClick={() => setKind('mfe')}>
          MFE: largest profit
        </button>
      </div>
      <Picture
        kind="scatter"
        label={`${name} against profit, one mark a trade`}
        height={HEIGHT}
        draw={(width) => {
          const x = (value: number): number => 50 + (value / right) * (width - 60);
          return (
            <>
              <line class="axis" x1={50} x2={width - 10} y1={y(0)} y2={y(0)} />
              <line class="axis" x1={50} x2={50} y1={ABOVE} y2={HEIGHT - 30} />
              <text
                x={width - 10}
                y={HEIGHT - 8}
                text-anchor="end"
              >{`${name}, ${currency}: up to ${amountText(right.toFixed(decimals), decimals)}`}</text>
              <text
                x={kind === 'mae' ? width - 10 : 54}
                y={18}
                text-anchor={kind === 'mae' ? 'end' : 'start'}
              >{`Profit up to ${amountText(top.toFixed(decimals), decimals)}, loss to ${amountText(bottom.toFixed(decimals), decimals)}`}</text>
              {places.map((place) => {
                const [px, py, isGain] = [
                  x(xs[place] ?? 0),
                  y(ys[place] ?? 0),
                  (ys[place] ?? 0) > 0,
                ];
                const choose = (): void => store.change({ trade: place, fill: -1 });
                return isGain ? (
                  <circle class="good link" cx={px} cy={py} r={3.5} onClick={choose}>
                    <title>{`Trade ${String(place + 1)}: ${trades.profit[place] ?? ''}`}</title>
                  </circle>
                ) : (
                  <rect
                    class="bad link"
                    x={px - 3}
                    y={py - 3}
                    width={6}
                    height={6}
                    onClick={choose}
                  >
                    <title>{`Trade ${String(place + 1)}: ${trades.profit[place] ?? ''}`}</title>
                  </rect>
                );
              })}
            </>
          );
        }}
      />
      <p class="note">
        Before costs, from its fills and from candles during which the position did not change.{' '}
        {every > 1 ? `One of ${String(every)} trades is drawn. ` : ''}A click shows the trade.
      </p>
      <Beside
        caption="excursions"
        head={['Trade', 'MAE', 'MFE', 'Profit']}
        rows={() =>
          trades.profit.map((profit, place) => [
            String(place + 1),
            trades.mae[place] ?? '',
            trades.mfe[place] ?? '',
            profit,
          ])
        }
      />
    </Section>
  );
}
