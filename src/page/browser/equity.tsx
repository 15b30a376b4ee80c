import { useCallback, useMemo, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { RunPage } from '../page-data.js';
import { axes, LEAST_WIDTH, Plot, type Colors, type LabelWidth } from './plot.js';
import { Beside, Section } from './table.js';
import type { ViewStore } from './view.js';
import { dayText, durationText, moneyText, percentText, timeText } from './words.js';

/** Equity with benchmark, ribbon, worst falls, halts and gaps. Below it: the fall from the highest equity so far. */
export function Equity({ run, store }: { readonly run: RunPage; readonly store: ViewStore }) {
  const [isLog, setLog] = useState(false);
  const { curve, benchmark, ribbon } = run;
  const isPositive = useMemo(() => isAboveZero(run), [run]);
  const beside = useMemo((): LabelWidth => ({ width: LEAST_WIDTH }), [run]);
  const makeEquity = useCallback(
    (colors: Colors) => equityPlot(run, isLog, { colors, beside }, store),
    [run, isLog, beside, store],
  );
  const makeFall = useCallback(
    (colors: Colors) => fallPlot(run, { colors, beside }),
    [run, beside],
  );
  return (
    <Section title="Equity" id="equity">
      <div class="row">
        <label>
          <input
            type="checkbox"
            checked={isLog}
            disabled={!isPositive}
            onChange={() => setLog(!isLog)}
          />{' '}
          logarithmic{isPositive ? '' : ': not drawn, as not everything is above 0'}
        </label>
        <Legend
          items={[
            ['accent', `Equity (${run.currency})`],
            ...(benchmark ? [['other', `Holding ${benchmark.name}`] as const] : []),
            ...(ribbon ? [['warn', 'Lowest to highest over candle paths'] as const] : []),
            ...(curve.drawdowns.length > 0 ? [['shade', 'Worst falls'] as const] : []),
            ...(run.halts.length > 0 ? [['bad', 'Halts'] as const] : []),
            ...(run.breaks.length > 0 ? [['gap', 'Candles are missing'] as const] : []),
          ]}
        />
      </div>
      <Plot
        label={`Equity from ${dayText(run.from)} to ${dayText(run.to)}, ${run.figures[0]?.value ?? ''} to ${run.figures[1]?.value ?? ''}`}
        height={300}
        make={makeEquity}
      />
      {ribbon && <p class="note">{ribbon.text}</p>}
      <Plot label="Fall below the previous peak" height={120} make={makeFall} />
      <p class="note">
        Drag across the upper picture to look at its candles.{' '}
        {curve.drawdowns.length === 0
          ? 'Equity never fell.'
          : 'The worst falls (at most five) are shaded.'}
      </p>
      <Beside
        caption="equity"
        head={['Time (UTC)', `Equity, ${run.currency}`]}
        of={curve.of}
        rows={() => curve.points.map(([time, equity]) => [timeText(time), equity])}
      />
      {benchmark && (
        <Beside
          caption={`holding ${benchmark.name}`}
          head={['Time (UTC)', `Value, ${run.currency}`]}
          rows={() => benchmark.points.map(([time, value]) => [timeText(time), value])}
        />
      )}
      <Beside
        caption="worst falls"
        head={['From', 'Lowest', 'Regained', 'Depth']}
        rows={() =>
          curve.drawdowns.map(({ from, low, to, depth }) => [
            timeText(from),
            timeText(low),
            to === null ? 'not yet' : timeText(to),
            percentText(depth),
          ])
        }
      />
      {ribbon && (
        <Beside
          caption="range over candle paths"
          head={['Time (UTC)', 'Lowest', 'Highest']}
          rows={() => ribbon.points.map(([time, low, high]) => [timeText(time), low, high])}
        />
      )}
      {run.halts.length > 0 && (
        <Beside
          caption="halts"
          head={['From', 'Until', 'Why']}
          rows={() =>
            run.halts.map(({ time, until, text }) => [
              timeText(time),
              until === null ? 'resumed by hand' : timeText(until),
              text,
            ])
          }
        />
      )}
      {run.breaks.length > 0 && (
        <Beside
          caption="gaps in the candles"
          head={['Instrument', 'Last close before', 'Next open', 'How long']}
          rows={() =>
            run.breaks.map(({ instrument, time, until }) => [
              run.instruments[instrument] ?? '',
              timeText(time),
              timeText(until),
              until === null ? '' : durationText(until - time),
            ])
          }
        />
      )}
    </Section>
  );
}

export function Legend({
  items,
}: {
  readonly items: readonly (readonly [color: string, text: string])[];
}) {
  return (
    <ul class="legend">
      {items.map(([color, text]) => (
        <li>
          <span class={`swatch ${color}`} />
          {text}
        </li>
      ))}
    </ul>
  );
}

interface Made {
  readonly options: Omit<uPlot.Options, 'width' | 'height'>;
  readonly data: uPlot.AlignedData;
}

interface Look {
  readonly colors: Colors;
  readonly beside: LabelWidth;
}

function lineOf({ decimals }: RunPage): Pick<uPlot.Series, 'spanGaps' | 'points' | 'value'> {
  return {
    spanGaps: true,
    points: { show: false },
    value: (_: uPlot, amount: number | null) => moneyText(amount, decimals),
  };
}

/** Whether all lines of the picture have a logarithm. */
function isAboveZero({ curve, benchmark, ribbon }: RunPage): boolean {
  return [
    ...curve.points.map(([, equity]) => equity),
    ...(benchmark?.points ?? []).map(([, value]) => value),
    ...(ribbon?.points ?? []).map(([, low]) => low),
  ].every((amount) => Number(amount) > 0);
}

function equityPlot(
  page: RunPage,
  isLog: boolean,
  { colors, beside }: Look,
  store: ViewStore,
): Made {
  const { curve, benchmark, ribbon, halts, breaks, currency } = page;
  const base = lineOf(page);
  const tables: uPlot.AlignedData[] = [
    [curve.points.map(([time]) => time), curve.points.map(([, equity]) => Number(equity))],
  ];
  const series: uPlot.Series[] = [
    {},
    { ...base, label: currency, stroke: colors.accent, width: 2 },
  ];
  if (benchmark) {
    tables.push([
      benchmark.points.map(([time]) => time),
      benchmark.points.map(([, value]) => Number(value)),
    ]);
    series.push({ ...base, label: 'holding', stroke: colors.other, width: 1.5, dash: [6, 4] });
  }
  const bands: uPlot.Band[] = [];
  if (ribbon) {
    tables.push([
      ribbon.points.map(([time]) => time),
      ribbon.points.map(([, low]) => Number(low)),
      ribbon.points.map(([, , high]) => Number(high)),
    ]);
    const line = { ...base, stroke: colors.warn, width: 1 };
    series.push({ ...line, label: 'lowest' }, { ...line, label: 'highest' });
    bands.push({ series: [series.length - 1, series.length - 2], fill: `${colors.warn}40` });
  }
  const joined = tables.length === 1 ? (tables[0] as uPlot.AlignedData) : uPlot.join(tables);
  const shade = (plot: uPlot): void => {
    for (const { from, to } of curve.drawdowns) fillSpan(plot, from, to ?? Infinity, colors.shade);
    for (const { time, until } of halts) fillSpan(plot, time, until ?? time, `${colors.bad}30`, 2);
    drawTicks(plot, breaks, colors.text);
  };
  return {
    options: {
      scales: {
        x: { time: true },
        // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the enums of the library are in its types alone
        y: { distr: isLog ? 3 : 1 },
      },
      axes: axes(colors, 'number', beside),
      series,
      bands,
      legend: { live: true },
      cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      hooks: { drawClear: [shade], setSelect: [(plot) => selectSpan(plot, store)] },
    },
    data: joined,
  };
}

function selectSpan(plot: uPlot, store: ViewStore): void {
  const { left, width } = plot.select;
  if (width < 3) return;
  const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
  plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  store.change({ from, to });
  document.getElementById('candles')?.scrollIntoView({ block: 'nearest' });
}

/** Fills the area between two times, at least `least` pixels wide. */
export function fillSpan(plot: uPlot, from: number, to: number, color: string, least = 0): void {
  const { ctx, bbox } = plot;
  const [low, high] = [plot.scales.x?.min ?? 0, plot.scales.x?.max ?? 0];
  if (to < low || from > high) return;
  const left = plot.valToPos(Math.max(from, low), 'x', true);
  const right = plot.valToPos(Math.min(to, high), 'x', true);
  ctx.save();
  ctx.fillStyle = color;
  ctx.fillRect(left, bbox.top, Math.max(right - left, least * devicePixelRatio), bbox.height);
  ctx.restore();
}

/** Marks instants along the upper edge, at most one per pixel: there may be thousands, and they must not hide the curve. */
function drawTicks(plot: uPlot, at: readonly { readonly time: number }[], color: string): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  let painted = -1;
  ctx.save();
  ctx.fillStyle = color;
  for (const { time } of at) {
    const left = Math.round(plot.valToPos(time, 'x', true));
    if (left === painted) continue;
    painted = left;
    ctx.fillRect(left, bbox.top, ratio, 10 * ratio);
  }
  ctx.restore();
}

function fallPlot({ curve }: RunPage, { colors, beside }: Look): Made {
  let peak = -Infinity;
  const falls = curve.points.map(([, equity]) => {
    peak = Math.max(peak, Number(equity));
    return peak > 0 ? Math.min(0, Number(equity) / peak - 1) : 0;
  });
  const [time, depth] = axes(colors, 'percent', beside);
  return {
    options: {
      // An equity that never fell still needs a range.
      scales: { y: { range: (_, low) => [Math.min(low, -0.01) * 1.05, 0] } },
      // With the usual space between labels, a low picture has none but 0 %.
      axes: [time, { ...depth, space: 20 }],
      series: [
        {},
        {
          label: 'below the peak',
          stroke: colors.bad,
          fill: `${colors.bad}30`,
          width: 1.5,
          points: { show: false },
          value: (_, value: number | null) => percentText(value),
        },
      ],
      legend: { live: true },
      cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    },
    data: [curve.points.map(([time]) => time), falls],
  };
}
